import { describe, expect, test } from "bun:test";
import { createDispatch } from "../../../../host/calls/dispatch.ts";
import { createEvents } from "../../../../host/calls/events.ts";
import type { Backend, BackendCall, BackendEvent, Capabilities } from "../../../../host/contracts/backend.ts";
import { createRegistry } from "../../../../host/registry.ts";
import { type ErrorCode, failure, messageOf } from "../../../../runtime/errors.ts";
import { limits } from "../../../../runtime/limits.ts";
import type { ContentBlock, EventName, Json } from "../../../../runtime/records.ts";
import { rejection } from "../../runtime/support.ts";
import { fakeBackend } from "../lifecycle/support.ts";

interface FakePlugin {
	items: Partial<Capabilities>;
	call?: (call: BackendCall) => ContentBlock[] | Promise<ContentBlock[]>;
	emit?: (event: BackendEvent) => Json | undefined | Promise<Json | undefined>;
}

const text = (value: string): ContentBlock[] => [{ type: "text", text: value }];
const tools = (...names: string[]) => ({
	tool: names.map((name) => ({ name, description: "", inputSchema: { type: "object", required: ["n"] } })),
});
const commands = (...ids: string[]) => ({
	command: ids.map((id) => ({ id, title: id, availability: { type: "enabled" } as const })),
});
const handles = (...names: EventName[]) => ({ event: names.map((name, index) => ({ name, handler: index + 1 })) });

/** Calls and events over plugins that are functions of the test. */
function dispatched(
	plugins: Record<string, FakePlugin>,
	options: { checkInputs?: boolean; absent?: () => { plugin: string; state: string }[] } = {},
) {
	const registry = createRegistry();
	const problems: string[] = [];
	const calls: BackendCall[] = [];
	for (const [plugin, { items }] of Object.entries(plugins)) {
		registry.publish({ plugin, rank: [3, 0, plugin] }, items);
	}
	const use = <Result>(plugin: string, task: (backend: Backend) => Promise<Result>) => {
		const { call, emit } = plugins[plugin] ?? {};
		return task({
			...fakeBackend(),
			async call(made) {
				calls.push(made);
				return { content: (await call?.(made)) ?? [] };
			},
			emit: async (event) => emit?.(event),
		});
	};
	const problem = (plugin: string, message: string) => problems.push(`${plugin}: ${message}`);
	const events = createEvents({
		registry,
		limits: limits.call,
		toolCallFailure: "reject",
		use,
		problem,
		root: () => "/plugins",
	});
	const { checkInputs = true, absent = () => [] } = options;
	return {
		...createDispatch({ registry, events, checkInputs, absent, problem, use }),
		registry,
		events,
		problems,
		calls,
	};
}

describe("a tool", () => {
	test("is called with its name, input and thread, and its answer is told with who gave it", async () => {
		const { callTool, calls } = dispatched({ one: { items: tools("add"), call: () => text("3") } });
		const result = await callTool("add", { n: 1 }, { threadID: "T-1" });
		expect(result).toEqual({ ok: true, text: "3", content: text("3"), plugin: "one", ms: expect.any(Number) });
		expect(calls).toEqual([{ kind: "tool", name: "add", input: { n: 1 }, threadID: "T-1" }]);
	});

	test("that nobody has is not found, and the hint helps", async () => {
		const { callTool } = dispatched({ one: { items: tools("read_file", "write_file") } });
		expect(messageOf(await rejection(callTool("READ", {})))).toContain('Is it "read_file"?');
		expect(messageOf(await rejection(callTool("delete", {})))).toContain("Known: read_file, write_file.");
		expect(messageOf(await rejection(dispatched({}).callTool("x", {})))).toContain("No plugin has registered a tool.");
		const { callTool: callAfterFailure } = dispatched({}, { absent: () => [{ plugin: "bad", state: "failed" }] });
		expect(messageOf(await rejection(callAfterFailure("x", {})))).toContain("that is not there: bad (failed).");
	});

	test("gives the plugin's own error as its answer", async () => {
		const own = Object.assign(new RangeError("too far"), { code: "E_FAR" });
		const { callTool } = dispatched({
			one: {
				items: tools("add"),
				call: () => {
					throw own;
				},
			},
		});
		const result = await callTool("add", { n: 1 });
		expect(result).toMatchObject({ ok: false, text: "too far", plugin: "one" });
		expect(result.error).toBe(own);
	});

	test.each<ErrorCode>([
		"timeout",
		"cancelled",
		"busy",
		"channel_closed",
		"plugin_exited",
		"plugin_not_ready",
		"message_too_large",
		"host_stopped",
	])("rejects with %s, which is no answer", async (code) => {
		const error = failure(code, { plugin: "one", subject: "it", ms: 1 });
		const { callTool } = dispatched({
			one: {
				items: tools("add"),
				call: () => {
					throw error;
				},
			},
		});
		expect(await rejection(callTool("add", { n: 1 }))).toBe(error);
	});

	test("whose input does not fit is not called, unless the host does not check", async () => {
		const plugins = { one: { items: tools("add"), call: () => text("called") } };
		const checking = dispatched(plugins);
		expect(await rejection(checking.callTool("add", {}))).toMatchObject({ code: "invalid_input" });
		expect(checking.calls).toEqual([]);
		expect((await dispatched(plugins, { checkInputs: false }).callTool("add", {})).text).toBe("called");
	});

	test("whose schema cannot be used is told of in the plugin's log", async () => {
		const items = { tool: [{ name: "odd", description: "", inputSchema: { type: "object", required: 7 } }] };
		const { callTool, problems } = dispatched({ one: { items } });
		const error = await rejection(callTool("odd", {}));
		expect(error).toMatchObject({ code: "invalid_schema" });
		expect(problems).toEqual([`one: ${messageOf(error)}`]);
	});

	test("shows gates and later handlers one and the same call", async () => {
		const seen: BackendEvent[] = [];
		const emit = (event: BackendEvent) => void seen.push(event);
		const { callTool } = dispatched({
			one: { items: { ...tools("add"), ...handles("tool.call", "tool.result") }, call: () => text("3"), emit },
		});
		await callTool("add", { n: 1 }, { threadID: "T-1" });
		const [before, after] = seen.map(({ payload }) => payload);
		expect(before).toMatchObject({ tool: "add", input: { n: 1 }, thread: { id: "T-1" } });
		expect(after).toEqual({ ...before, status: "done", output: "3" });
	});

	test("that was not called for lack of permission is still seen by later handlers, as an error", async () => {
		const seen: BackendEvent[] = [];
		const { callTool, calls } = dispatched({
			gate: { items: handles("tool.call"), emit: () => ({ action: "reject-and-continue", message: "no" }) },
			one: { items: { ...tools("add"), ...handles("tool.result") }, emit: (event) => void seen.push(event) },
		});
		expect(await callTool("add", { n: 1 })).toMatchObject({ ok: false, text: "no", plugin: "gate" });
		expect(calls).toEqual([]);
		expect(seen.map(({ payload }) => [payload.status, payload.error])).toEqual([["error", "no"]]);
	});
});

describe("a command", () => {
	test("is found by its id, or by plugin and id where several have it", async () => {
		const { runCommand, calls } = dispatched({ a: { items: commands("go", "only") }, b: { items: commands("go") } });
		expect(await runCommand("only")).toMatchObject({ ok: true, plugin: "a" });
		expect(await runCommand("b:go", { threadID: "T-1" })).toMatchObject({ ok: true, plugin: "b" });
		expect(calls).toEqual([
			{ kind: "command", id: "only", threadID: null },
			{ kind: "command", id: "go", threadID: "T-1" },
		]);
		const error = await rejection(runCommand("go"));
		expect(error).toMatchObject({ code: "command_not_found" });
		expect(messageOf(error)).toContain("a:go, b:go");
	});

	test("may have a colon in its id", async () => {
		const { runCommand } = dispatched({ a: { items: commands("git:push") } });
		expect((await runCommand("git:push")).ok).toBe(true);
		expect((await runCommand("a:git:push")).ok).toBe(true);
	});

	test("that is disabled is refused with the reason, one that is hidden is not", async () => {
		const command = [
			{ id: "off", title: "", availability: { type: "disabled", reason: "nothing to push" } as const },
			{ id: "hidden", title: "", availability: { type: "hidden" } as const },
		];
		const { runCommand } = dispatched({ a: { items: { command } } });
		const error = await rejection(runCommand("off"));
		expect(error).toMatchObject({ code: "command_disabled", plugin: "a" });
		expect(messageOf(error)).toContain("nothing to push");
		expect((await runCommand("hidden")).ok).toBe(true);
	});

	test("gives the plugin's own error as its answer", async () => {
		const { runCommand } = dispatched({ a: { items: commands("go"), call: () => Promise.reject(new Error("stuck")) } });
		expect(await runCommand("go")).toMatchObject({ ok: false, plugin: "a", error: { message: "stuck" } });
	});
});

describe("an event", () => {
	test("goes to each handler with its number, and its report tells plugin, answer and time", async () => {
		const { events } = dispatched({
			a: {
				items: handles("agent.start", "agent.start"),
				emit: ({ handler }) => ({ message: { content: `handler ${handler}` } }),
			},
		});
		const { handlers, result } = await events.emit("agent.start", {});
		expect(handlers).toEqual(
			[1, 2].map((n) => ({ plugin: "a", result: { message: { content: `handler ${n}` } }, ms: expect.any(Number) })),
		);
		expect(result).toEqual({ messages: [1, 2].map((n) => ({ content: `handler ${n}`, plugin: "a" })) });
	});

	test("keeps of a result what a handler's answer leaves out", async () => {
		const { events } = dispatched({
			a: { items: handles("tool.result"), emit: () => ({ status: "error", error: "odd" }) },
			b: { items: handles("tool.result"), emit: () => ({ status: "done" }) },
		});
		const { result } = await events.emit("tool.result", { tool: "read", output: "text" });
		expect(result).toEqual({ status: "done", error: "odd" });
	});

	test("that its caller gives up rejects as cancelled, for the caller's reason, and blames nobody", async () => {
		const caller = new AbortController();
		const reason = new Error("changed my mind");
		const { events, problems } = dispatched({
			a: {
				items: handles("tool.call"),
				emit: () => {
					caller.abort(reason);
					throw failure("cancelled", { subject: "it" });
				},
			},
		});
		const error = await rejection(events.emit("tool.call", { tool: "x" }, { signal: caller.signal }));
		expect(error).toMatchObject({ code: "cancelled", plugin: undefined });
		expect(error).toHaveProperty("cause", reason);
		expect(problems).toEqual([]);
	});

	test("with a handler whose error has no code is told as the plugin's", async () => {
		const { events, problems } = dispatched({
			a: { items: handles("agent.end"), emit: () => Promise.reject(new TypeError("oops")) },
		});
		const { handlers } = await events.emit("agent.end", {});
		expect(handlers).toMatchObject([{ plugin: "a", error: { code: "plugin_error", message: "TypeError: oops" } }]);
		expect(problems).toEqual(["a: its handler of agent.end failed: TypeError: oops"]);
	});
});
