import { describe, expect, test } from "bun:test";
import { createBench } from "../support/host.ts";

const bench = createBench();

/** Ends the turn at rm, and tells what the agent's end was like. */
const stops = (end = "undefined") => `export default (amp) => {
	const seen = [];
	amp.on("tool.call", ({ input }) => input.cmd === "rm" ? { action: "error", message: "never rm" } : undefined);
	for (const name of ["tool.call", "tool.result"]) amp.on(name, ({ input }) => { seen.push(name + " " + input.cmd); });
	amp.on("agent.end", ({ status, messages }) => {
		seen.push("agent.end " + status + " " + messages.length);
		return ${end};
	});
	amp.registerTool({ name: "seen", description: "", inputSchema: { type: "object" }, execute: () => seen.join(", ") });
};`;
const bash = (cmd: string) => ({ tool: "Bash", input: { cmd }, result: "ok" });

describe("a gate that answers with error", () => {
	test("ends the turn: nothing more is played, and agent.end has the status error", async () => {
		const { host } = await bench.start({ guard: stops() });
		const { ok, failures, steps } = await host.turn({
			message: "go",
			session: false,
			tools: [
				bash("ls"),
				{
					...bash("rm"),
					expect: { decision: "error", gate: "guard", status: "error", error: "never rm", source: "gate" },
				},
			],
			end: { expect: { status: "error", error: "never rm", continue: false } },
		});
		expect({ ok, failures }).toEqual({ ok: true, failures: [] });
		expect(steps.map(({ step, tool = "" }) => `${step} ${tool}`.trim())).toEqual([
			"agent.start",
			"tool.call Bash",
			"tool.result Bash",
			"tool.call Bash",
			"tool.result Bash",
			"agent.end",
		]);
		expect(steps.at(-1)).toMatchObject({ outcome: { status: "error", error: "never rm", continue: false } });
		const seen = await host.tools.call("seen", {}, { events: false });
		// The gate has ended the chain before its plugin's other handler.
		expect(seen.text).toBe("tool.call ls, tool.result ls, tool.result rm, agent.end error 5");
	});

	test("fails a script that has more for the agent to do, which is named", async () => {
		const { host } = await bench.start({ guard: stops() });
		const { ok, failures, rounds } = await host.turn({
			message: "go",
			tools: [bash("rm"), bash("ls"), { tool: "Read" }],
			reply: "Done.",
			end: { status: "done" },
			rounds: [{}, {}],
		});
		expect({ ok, rounds }).toEqual({ ok: false, rounds: 1 });
		const unplayed = 'tool "Bash", tool "Read", the reply, the end with the status done';
		expect(failures).toEqual([
			{
				kind: "steps",
				step: 3,
				plugin: "guard",
				message: `a gate ended the turn with an error, so this was not played: ${unplayed}`,
			},
			{ kind: "rounds", message: "rounds has 2 entries, of which 0 were played: no plugin continued the turn" },
		]);
	});

	test("does not keep a plugin from going on in another round, which is played", async () => {
		const continues = 'status === "error" ? { action: "continue", userMessage: "try again" } : undefined';
		const { host } = await bench.start({ guard: stops(continues) });
		const { failures, steps } = await host.turn({
			message: "go",
			tools: [bash("rm")],
			end: { expect: { status: "error", continue: "try again", plugin: "guard" } },
			rounds: [{ tools: [bash("ls")], reply: "Done.", end: { expect: { status: "done", continue: false } } }],
		});
		expect(failures).toEqual([]);
		expect(steps.filter(({ step }) => step === "tool.result").map(({ round }) => round)).toEqual([1, 2]);
	});
});

test("a script tells how many rounds were played of those that it has", async () => {
	const once = `export default (amp) => amp.on("agent.end", ({ message }) =>
		message === "go" ? { action: "continue", userMessage: "on" } : undefined);`;
	const { host } = await bench.start({ once });
	const { failures } = await host.turn({ message: "go", rounds: [{}, {}] });
	expect(failures.map(({ message }) => message)).toEqual([
		"rounds has 2 entries, of which 1 was played: no plugin continued the turn",
	]);
});

test("a message that is expected may be written as its content alone", async () => {
	const kind = `export default (amp) => amp.on("agent.start", () => ({ message: { content: "be kind" } }));`;
	const { host } = await bench.start({ kind });
	const play = (content: string) => host.turn({ message: "", start: { expect: { messages: [content] } } });
	expect(await play("be kind")).toMatchObject({ ok: true, failures: [] });
	expect((await play("be rude")).failures.map(({ message }) => message)).toEqual([
		'agent.start: messages[0].content should be "be rude", and it is "be kind"',
	]);
});
