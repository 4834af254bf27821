import { describe, expect, test } from "bun:test";
import { canLook } from "./memory.ts";
import { runSuite } from "./run.ts";
import { memorySuite } from "./suites/memory.ts";
import { openWorkbench } from "./workbench.ts";

const anHour = 3_600;

describe.skipIf(!canLook)(
	"who ends the bench does not wait until idle children have been looked at long enough",
	() => {
		test("while they are left alone", async () => {
			const stopping = new AbortController();
			await using bench = await openWorkbench(stopping.signal);
			const begun = Promise.withResolvers<void>();
			const told = {
				...bench,
				sleep(ms: number) {
					begun.resolve();
					return bench.sleep(ms);
				},
			};
			const suite = memorySuite({ children: 1, seconds: 0, settleSeconds: anHour });
			const prepared = suite.prepare(told, (name) => name === "ipc", false);
			await begun.promise;
			stopping.abort();
			expect(prepared).rejects.toThrow("aborted");
		});

		test("while their wake-ups are counted", async () => {
			const stopping = new AbortController();
			const suite = memorySuite({ children: 1, seconds: anHour, settleSeconds: 0 });
			const run = runSuite("memory", suite, {
				only: ["ipc"],
				signal: stopping.signal,
				// The round begins in this turn.
				progress: (text) => void (text.startsWith("round") && setTimeout(() => stopping.abort(), 0)),
			});
			expect(run).rejects.toThrow("aborted");
			await run.catch(() => {});
		});
	},
);
