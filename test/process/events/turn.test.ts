import { describe, expect, test } from "bun:test";
import type { TurnScript, TurnStep } from "../../../host/calls/turn-types.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

/** Writes what it sees into the log, and says no to rm. */
const guard = `export default (amp) => {
	const seen = [];
	for (const name of ["session.start", "agent.start", "agent.end"]) amp.on(name, (event) => { seen.push([name, event]); });
	amp.on("tool.call", (event) => {
		seen.push(["tool.call", event]);
		if (event.input.cmd === "rm") return { action: "reject-and-continue", message: "no rm" };
		if (event.input.cmd === "ls") return { action: "modify", input: { cmd: "ls -l" } };
		if (event.input.cmd === "date") return { action: "synthesize", result: { output: "today" } };
		return { action: "allow" };
	});
	amp.on("tool.result", (event) => {
		seen.push(["tool.result", event]);
		return event.output === "a secret" ? { status: "done", output: "[hidden]" } : undefined;
	});
	amp.registerTool({
		name: "seen",
		description: "What it saw",
		inputSchema: { type: "object" },
		execute: () => JSON.stringify(seen),
	});
};`;
const echo = `export default (amp) => amp.registerTool({
	name: "echo",
	description: "Says it again",
	inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
	execute: ({ text }, { thread }) => {
		if (text === "bad") throw new RangeError("out of reach");
		return text + " in " + thread.id;
	},
});`;
const continuing = (answer: string) => `export default (amp) => amp.on("agent.end", (event) => (${answer}));`;
const outcomes = (steps: TurnStep[], step: TurnStep["step"]) =>
	steps.filter((one) => one.step === step).map(({ outcome }) => outcome);

describe("a played turn", () => {
	test("goes from session.start to agent.end, and each step tells what each plugin did", async () => {
		const { host } = await bench.start({ echo, guard });
		const heard: string[] = [];
		const { ok, steps, failures, rounds, thread } = await host.turn(
			{
				thread: "T-1",
				message: "hello",
				tools: [
					{ tool: "Bash", input: { cmd: "rm" }, result: "never" },
					{ tool: "Bash", input: { cmd: "ls" }, result: ["a", "b"] },
					{ tool: "Bash", input: { cmd: "date" } },
					{ tool: "Bash", input: { cmd: "cat" }, result: "a secret" },
					{ tool: "Bash", input: { cmd: "nc" }, error: "refused" },
					{ tool: "Read" },
					{ tool: "echo", input: { text: "it" } },
				],
			},
			{ onStep: ({ step }, number) => heard.push(`${number} ${step}`) },
		);
		expect({ ok, failures, rounds, thread }).toEqual({ ok: true, failures: [], rounds: 1, thread: "T-1" });
		const names = ["session.start", "agent.start", ...Array(7).fill(["tool.call", "tool.result"]).flat(), "agent.end"];
		expect(steps.map(({ step }) => step)).toEqual(names);
		expect(heard).toEqual(names.map((name, index) => `${index + 1} ${name}`));
		expect(steps[2]).toMatchObject({ tool: "Bash", round: 1, handlers: [{ plugin: "guard" }] });
		const input = (cmd: string) => ({ input: { cmd } });
		const none = { decision: "allow" };
		expect(outcomes(steps, "tool.result")).toEqual([
			{
				decision: "reject-and-continue",
				gate: "guard",
				...input("rm"),
				source: "gate",
				status: "error",
				error: "no rm",
			},
			{ decision: "modify", gate: "guard", ...input("ls -l"), source: "script", status: "done", output: ["a", "b"] },
			{ decision: "synthesize", gate: "guard", ...input("date"), source: "gate", status: "done", output: "today" },
			{ ...none, ...input("cat"), source: "script", status: "done", output: "[hidden]" },
			{ ...none, ...input("nc"), source: "script", status: "error", error: "refused" },
			{ ...none, input: {}, source: "nobody", status: "done", output: "" },
			{ ...none, input: { text: "it" }, source: "plugin", status: "done", output: "it in T-1" },
		]);
	});

	test("shows plugins one thread, one message, one id a call, and at the end all messages", async () => {
		const { host } = await bench.start({ guard });
		await host.turn({
			thread: "T-2",
			message: "look",
			tools: [{ tool: "Bash", input: { cmd: "ls" }, result: "a" }],
			reply: "an a",
			end: { status: "cancelled" },
		});
		const seen: [string, Record<string, unknown>][] = JSON.parse(
			(await host.tools.call("seen", {}, { events: false })).text,
		);
		const [, start, call, result, end] = seen.map(([, event]) => event);
		expect(seen.map(([name]) => name)).toEqual([
			"session.start",
			"agent.start",
			"tool.call",
			"tool.result",
			"agent.end",
		]);
		expect(seen.map(([, event]) => event.thread)).toEqual(Array(5).fill({ id: "T-2" }));
		expect(result).toMatchObject({ toolUseID: call?.toolUseID, input: { cmd: "ls -l" }, status: "done", output: "a" });
		expect(end).toMatchObject({ id: start?.id, message: "look", status: "cancelled" });
		const toolUseID = call?.toolUseID;
		expect(end?.messages).toMatchObject([
			{ role: "user", id: start?.id, content: [{ type: "text", text: "look" }] },
			{ role: "assistant", content: [{ type: "tool_use", id: toolUseID, name: "Bash", input: { cmd: "ls" } }] },
			{ role: "user", content: [{ type: "tool_result", toolUseID, status: "done", output: "a" }] },
			{ role: "assistant", content: [{ type: "text", text: "an a" }] },
		]);
	});

	test("belongs to the active thread where its script names none", async () => {
		const { host } = await bench.start({ echo });
		const play = async (script: object) =>
			(await host.turn({ message: "", tools: [{ tool: "echo", input: { text: "x" } }], ...script })).steps[3]?.outcome
				.output;
		expect(await play({})).toMatch(/^x in T-[0-9a-f-]{36}$/);
		host.threads?.create({ id: "T-9" });
		host.threads?.setActive("T-9");
		expect(await play({})).toBe("x in T-9");
		expect(await play({ thread: "T-1" })).toBe("x in T-1");
	});

	test("goes on as plugins want: each continuation is a round of the script, bounded as ever", async () => {
		const { host } = await bench.start({ more: continuing('{ action: "continue", userMessage: "more" }') });
		const { ok, rounds, steps, failures } = await host.turn({
			message: "begin",
			rounds: [{ tools: [{ tool: "Read", expect: { status: "done" } }] }],
		});
		expect({ ok, rounds, failures }).toEqual({ ok: true, rounds: 6, failures: [] });
		expect(outcomes(steps, "agent.end")).toEqual([
			...Array(5).fill({ status: "done", continue: "more", plugin: "more" }),
			{ status: "done", continue: false },
		]);
		expect(steps.filter(({ step }) => step === "session.start")).toHaveLength(1);
		expect(steps.filter(({ step }) => step === "tool.call").map(({ round }) => round)).toEqual([2]);
	});

	test("ends where plugins would never end it, and says so", async () => {
		const endless = continuing('{ action: "continue", userMessage: "more", maxContinuations: 1e9 }');
		const { host } = await bench.start({ endless }, { limits: { call: { turnRoundsMax: 7 } } });
		const { ok, rounds, failures } = await host.turn({ message: "begin", session: false });
		expect({ ok, rounds }).toEqual({ ok: false, rounds: 7 });
		expect(failures).toEqual([{ kind: "rounds", message: "the turn was ended after 7 rounds" }]);
	});

	test("fails for a handler that fails, a tool that fails unexpectedly, and rounds that nobody asked for", async () => {
		const broken = `export default (amp) => {
			amp.on("agent.start", () => { throw new TypeError("oops"); });
			amp.on("agent.end", () => ({ action: "again" }));
		};`;
		const { host } = await bench.start({ broken, echo });
		const bad = { tool: "echo", input: { text: "bad" } };
		const { ok, failures } = await host.turn({
			message: "begin",
			tools: [
				bad,
				{ ...bad, expect: { status: "error" } },
				{ ...bad, expect: { decision: "allow" } },
				{ tool: "echo" },
			],
			rounds: [{}],
		});
		expect(ok).toBe(false);
		const text = (message: string) => expect.stringContaining(message) as never;
		expect(failures).toEqual([
			{
				kind: "handler",
				step: 2,
				plugin: "broken",
				message: text("the handler of agent.start failed: TypeError: oops"),
			},
			{ kind: "tool", step: 4, plugin: "echo", message: 'tool "echo" failed: out of reach' },
			{ kind: "tool", step: 8, plugin: "echo", message: 'tool "echo" failed: out of reach' },
			{ kind: "tool", step: 10, plugin: "echo", message: text("does not fit its schema") },
			{ kind: "handler", step: 11, plugin: "broken", message: text('action is "continue"') },
			{ kind: "rounds", message: "rounds has 1 entry, of which 0 were played: no plugin continued the turn" },
		]);
	});

	test("names a gate that failed as who stopped the call", async () => {
		const gate = `export default (amp) => amp.on("tool.call", () => { throw new Error("no"); });`;
		const { host } = await bench.start({ gate });
		const { steps } = await host.turn({ message: "", tools: [{ tool: "Bash", result: "x" }] });
		expect(outcomes(steps, "tool.call")).toMatchObject([{ decision: "reject-and-continue", gate: "gate" }]);
	});

	test("tells each expectation that is not met, by its path, and meets those that are", async () => {
		const says = `export default (amp) => amp.on("agent.start", () => ({ message: { content: "be kind", display: true } }));`;
		const { host } = await bench.start({ says, guard });
		const play = (script: TurnScript) => host.turn({ session: false, ...script });
		const good = await play({
			message: "",
			start: { expect: { messages: [{ content: "be kind" }] } },
			tools: [{ tool: "Bash", input: { cmd: "rm" }, expect: { decision: "reject-and-continue", gate: "guard" } }],
			end: { expect: { continue: false } },
		});
		expect(good.failures).toEqual([]);
		expect(good.steps.map(({ mismatches }) => mismatches)).toEqual([[], undefined, [], []]);
		const bad = await play({
			message: "",
			start: { expect: { messages: [{ content: "be rude", display: true }] } },
			tools: [
				{ tool: "Bash", input: { cmd: "ls", all: true }, result: "a", expect: { input: { all: true }, output: "b" } },
			],
			end: { expect: { continue: "go on" } },
		});
		expect(bad.steps.map(({ mismatches }) => mismatches)).toEqual([
			[{ path: "messages[0].content", expected: "be rude", actual: "be kind" }],
			undefined,
			[
				{ path: "input.all", expected: true },
				{ path: "output", expected: "b", actual: "a" },
			],
			[{ path: "continue", expected: "go on", actual: false }],
		]);
		expect(bad.failures.map(({ kind, step }) => `${kind} ${step}`)).toEqual([
			"expectation 1",
			"expectation 3",
			"expectation 3",
			"expectation 4",
		]);
	});

	test("is given up with its signal, and none is played by a host that has stopped", async () => {
		const slow = `export default (amp) => {
			amp.on("agent.start", ({ message }) => message === "wait" ? new Promise(() => {}) : undefined);
			amp.registerTool({ name: "slow", description: "", inputSchema: { type: "object" }, execute: () => new Promise(() => {}) });
		};`;
		const { host } = await bench.start({ slow });
		const givenUp = (script: TurnScript, after: TurnStep["step"]) => {
			const abort = new AbortController();
			const onStep = ({ step }: TurnStep) => step === after && setImmediate(() => abort.abort(new Error("enough")));
			return rejection(host.turn(script, { signal: abort.signal, onStep }));
		};
		const cancelled = { code: "cancelled" };
		expect(await givenUp({ message: "wait" }, "session.start")).toMatchObject(cancelled);
		expect(await givenUp({ message: "", tools: [{ tool: "slow" }] }, "tool.call")).toMatchObject(cancelled);
		const late = await host.turn({ message: "", tools: [{ tool: "slow" }] }, { timeoutMs: 200 });
		expect(late.failures).toMatchObject([{ kind: "tool", plugin: "slow", message: expect.stringContaining("200 ms") }]);
		await host.stop();
		expect(await rejection(host.turn({ message: "" }))).toMatchObject({ code: "host_stopped" });
	});
});
