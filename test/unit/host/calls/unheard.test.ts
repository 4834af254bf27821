import { expect, test } from "bun:test";
import { createDispatch } from "../../../../host/calls/dispatch.ts";
import { createEvents } from "../../../../host/calls/events.ts";
import type { Backend } from "../../../../host/contracts/backend.ts";
import { createRegistry } from "../../../../host/registry.ts";
import { failure } from "../../../../runtime/errors.ts";
import { limits } from "../../../../runtime/limits.ts";
import type { ContentBlock, EventName } from "../../../../runtime/records.ts";
import { fakeBackend } from "../lifecycle/support.ts";

type Answer = () => ContentBlock[];

/** What a call comes to beside handlers of these events, none of which changes anything. */
async function outcome(answer: Answer, heard: EventName[]) {
	const registry = createRegistry();
	const problems: string[] = [];
	const tool = { name: "t", description: "", inputSchema: { type: "object", required: ["n"] } };
	registry.publish({ plugin: "one", rank: [3, 0, "one"] }, { tool: [tool] });
	const handlers = heard.map((name, index) => ({ name, handler: index + 1 }));
	registry.publish({ plugin: "watcher", rank: [3, 0, "watcher"] }, { event: handlers });
	const seen: string[] = [];
	const backend: Backend = {
		...fakeBackend(),
		call: async () => ({ content: answer() }),
		emit: async ({ name }) => void seen.push(name),
	};
	const problem = (plugin: string, text: string) => problems.push(`${plugin}: ${text}`);
	const use = <Result>(_: string, task: (backend: Backend) => Promise<Result>) => task(backend);
	const shared = { registry, problem, use };
	const events = createEvents({ ...shared, limits: limits.call, toolCallFailure: "reject", root: () => "/" });
	const { callTool } = createDispatch({ ...shared, events, checkInputs: true, absent: () => [] });
	const results = [];
	for (const input of [{ n: 1 }, { n: 2 }, {}]) {
		results.push(await callTool("t", input).then(({ ms, ...result }) => result, String));
	}
	return { results, problems, seen: new Set(seen) };
}

test.each<[string, Answer]>([
	[
		"an answer",
		() => [
			{ type: "text", text: "a" },
			{ type: "image", mimeType: "image/png", url: "x:y" },
		],
	],
	["nothing", () => []],
	["an error of the plugin", () => throws(new RangeError("too far"))],
	["an error that is no answer", () => throws(failure("busy", { subject: "it" }))],
])("a call that comes to %s comes to the same whether or not a plugin hears of it", async (_, answer) => {
	const unheard = await outcome(answer, []);
	for (const heard of [["tool.call"], ["tool.result"], ["tool.call", "tool.result"]] satisfies EventName[][]) {
		const { seen, ...rest } = await outcome(answer, heard);
		expect(rest).toEqual({ results: unheard.results, problems: unheard.problems });
		expect(heard.includes("tool.call")).toBe(seen.has("tool.call"));
	}
	expect(unheard.seen.size).toBe(0);
});

function throws(error: Error): never {
	throw error;
}
