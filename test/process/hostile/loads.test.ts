import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { isBroodError } from "../../../runtime/errors.ts";
import { deep, tally } from "../../support/effort.ts";
import { createBench } from "../support/host.ts";
import { childrenOf, comesTrue } from "../support/processes.ts";
import { script } from "./messages.ts";
import { base64, hostilePlugin, politeLoad, type Script } from "./script.ts";
import { politeUI, roundTrip, startHostile, watchForUnhandled } from "./support.ts";

const bench = createBench();
setDefaultTimeout(900_000);

const atOnce = 5;
const runs = deep ? { numRuns: 200 } : { seed: 20_260_103, numRuns: 10 };

/** A load that turns hostile after some polite lines, and then goes on, hangs or exits; and a hostile end. */
const load: fc.Arbitrary<Partial<Script>> = fc
	.record({
		polite: fc.nat({ max: politeLoad.length }),
		hostile: script,
		after: fc.constantFrom("goes on", "goes on", "goes on", "hangs", "exits"),
		dispose: fc.option(script),
		stays: fc.boolean(),
	})
	.map(({ polite, hostile, after, dispose, stays }) => {
		const rest = after === "goes on" ? ["\n", ...politeLoad.slice(polite)] : [];
		return {
			load: [...politeLoad.slice(0, polite).map(base64), ...hostile, ...rest.map(base64)],
			...(after === "exits" ? { exit: 3 } : {}),
			...(dispose === null ? {} : { dispose, stays }),
		};
	});

test("whatever a child plays while it loads and while it is stopped, it comes to rest and nobody else notices", async () => {
	const unhandled = watchForUnhandled();
	const children = childrenOf(process.pid).length;
	const names = Array.from({ length: atOnce }, (_, index) => `bad-${index}`);
	const running = await startHostile(bench, Object.fromEntries(names.map((name) => [name, {}])), {
		providers: { ui: politeUI().provider, system: { open: async () => {} } },
		limits: {
			load: { readyMs: 500 },
			stop: { disposeMs: 100, interruptMs: 200 },
			wire: { listingMsPerSecondMax: 1e9 },
		},
		observe: () => {},
		wire: () => {},
	});
	const { host } = running;
	const states = new Map<string, number>();
	const outcome = await fc.check(
		fc.asyncProperty(fc.array(load, { minLength: atOnce, maxLength: atOnce }), async (loads) => {
			await Promise.all(
				names.map(async (name, index) => {
					await host.disable(name);
					expect(host.plugins.get(name)).toMatchObject({ state: "disabled", tools: [], statusItems: [], pid: null });
					bench.write(name, hostilePlugin(loads[index]));
					await host.enable(name);
					await roundTrip(running);
					const { state, error, launches, tools } = host.plugins.get(name);
					states.set(state, (states.get(state) ?? 0) + 1);
					expect(["ready", "failed", "incompatible", "restarting"]).toContain(state);
					expect(launches).toBe(1);
					if (state !== "ready") expect(isBroodError(error) && tools.length === 0).toBe(true);
				}),
			);
			expect(host.plugins.get("neighbour")).toMatchObject({ state: "ready", launches: 1 });
			expect(unhandled.seen).toEqual([]);
		}),
		{ ...runs, endOnFailure: true },
	);
	const note = [...states].map(([state, count]) => `${count} ${state}`).join(", ");
	tally("hostile scripts while loading and stopping", outcome.numRuns * atOnce, `seed ${outcome.seed}; ${note}`);
	expect(outcome.failed ? `${outcome.errorInstance} ${fc.defaultReportMessage(outcome)}` : "").toBe("");
	await host.stop();
	expect(unhandled.seen).toEqual([]);
	unhandled.end();
	expect(await comesTrue(() => childrenOf(process.pid).length <= children, 2_000)).toBe(true);
});
