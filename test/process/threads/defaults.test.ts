import { expect, test } from "bun:test";
import { createThreads, type ThreadsProvider } from "../../../host/index.ts";
import { createBench } from "../support/host.ts";
import { act, actor } from "./support.ts";

const bench = createBench();

test("what a plugin leaves out is said to the provider: ten messages from the end, ten minutes for a response", async () => {
	const asked: unknown[] = [];
	const threads: ThreadsProvider = {
		...createThreads(),
		messages: async (_, options) => {
			asked.push(options);
			return [];
		},
		waitForResponse: async (_, options) => {
			asked.push(options);
			return { role: "assistant", id: "1", content: [] };
		},
		append: async (_, message) => void asked.push(message),
	};
	const running = await bench.start({ one: actor }, { providers: { threads } });
	await act(
		running,
		`const thread = amp.threads.get("T-1");
		await thread.messages();
		await thread.messages({ limit: 20, from: "start", offset: 3, full: true, roles: ["info"] });
		await thread.waitForResponse();
		await thread.waitForResponse({ timeoutMs: 5 });
		await thread.appendUserMessage("m");`,
	);
	expect(asked).toEqual([
		{ full: false, from: "end", offset: 0, limit: 10, roles: ["user", "assistant", "info"] },
		{ full: true, from: "start", offset: 3, limit: 20, roles: ["info"] },
		{ timeoutMs: 600_000 },
		{ timeoutMs: 5 },
		{ content: "m", steer: false },
	]);
});
