import { describe, expect, test } from "bun:test";
import { exampleScript } from "../../../host/cli/turn-help.ts";
import { createDesk } from "../cli/support.ts";

const desk = createDesk();

const guard = `export default (amp) => {
	amp.on("agent.start", () => ({ message: { content: "be kind" } }));
	amp.on("tool.call", ({ tool }) => tool === "Bash" ? { action: "reject-and-continue", message: "no shell" } : undefined);
	amp.on("agent.end", ({ message }) => message === "hi" ? { action: "continue", userMessage: "and?" } : undefined);
};`;
const broken = `export default (amp) => amp.on("tool.result", () => { throw new TypeError("oops"); });`;

const played = {
	message: "hi",
	tools: [{ tool: "Bash", input: { cmd: "ls" }, expect: { decision: "reject-and-continue", error: "no shell" } }],
	rounds: [{ end: { expect: { continue: false } } }],
};
const failing = { ...played, tools: [{ tool: "Bash", expect: { error: "no bash", output: 1 } }] };
const yaml = `# A gate keeps the shell shut.
message: hi
tools:
  - tool: Bash
    input: { cmd: ls }
    expect: { decision: reject-and-continue }
rounds:
  - end: { expect: { continue: false } }
`;
const withoutMs = (text: string) => text.replace(/\d+(\.\d+)? ms/g, "1 ms");
const turn = (parameters: string[], stdin?: string) =>
	desk.run(["--no-places", "-p", "guard.ts", ...parameters], stdin === undefined ? {} : { stdin });

describe("emit agent.turn", () => {
	test("prints step by step what each plugin did, and whether it is as expected", async () => {
		await desk.write({ "guard.ts": guard, "turn.json": JSON.stringify(played), "turn.yaml": yaml });
		const [json, yamls, piped] = await Promise.all([
			turn(["emit", "agent.turn", "--script", "turn.json"]),
			turn(["emit", "agent.turn", "--script", "turn.yaml"]),
			turn(["emit", "agent.turn", "--script", "-"], JSON.stringify(played)),
		]);
		expect(withoutMs(json.stdout)).toBe(`session.start
agent.start
  guard  1 ms  {"message":{"content":"be kind"}}
  → adds [{"content":"be kind","plugin":"guard"}]
tool.call Bash
  guard  1 ms  {"action":"reject-and-continue","message":"no shell"}
  → reject-and-continue by guard, with the input {"cmd":"ls"}
tool.result Bash
  → error: "no shell" (from the gate)
  ✓ as expected
agent.end
  guard  1 ms  {"action":"continue","userMessage":"and?"}
  → guard continues: "and?"
agent.start  (round 2)
  guard  1 ms  {"message":{"content":"be kind"}}
  → adds [{"content":"be kind","plugin":"guard"}]
agent.end  (round 2)
  guard  1 ms  no answer
  → ends: done
  ✓ as expected
`);
		expect(json).toMatchObject({ exitCode: 0, stderr: "7 steps, 2 rounds: ok\n" });
		expect(withoutMs(yamls.stdout)).toBe(withoutMs(json.stdout));
		expect(withoutMs(piped.stdout)).toBe(withoutMs(json.stdout));
		expect([yamls.exitCode, piped.exitCode]).toEqual([0, 0]);
	});

	test("--json prints a line a step, then one of the whole", async () => {
		await desk.write({ "guard.ts": guard, "turn.json": JSON.stringify(played) });
		const { stdout, stderr, exitCode } = await turn(["emit", "agent.turn", "--script", "turn.json", "--json"]);
		const lines: Record<string, unknown>[] = stdout
			.trimEnd()
			.split("\n")
			.map((line) => JSON.parse(line));
		expect(lines).toHaveLength(8);
		expect(lines[3]).toEqual({
			step: "tool.result",
			round: 1,
			tool: "Bash",
			handlers: [],
			outcome: {
				decision: "reject-and-continue",
				gate: "guard",
				input: { cmd: "ls" },
				source: "gate",
				status: "error",
				error: "no shell",
			},
			mismatches: [],
		});
		expect(lines[1]).toMatchObject({ handlers: [{ plugin: "guard", ms: expect.any(Number) }] });
		expect(lines.at(-1)).toEqual({ step: "end", ok: true, thread: expect.any(String), rounds: 2, failures: [] });
		expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
	});

	test("belongs to the thread of --thread, and tells what plugins did to it", async () => {
		const writes = `export default (amp) => amp.on("agent.end", (event) => amp.threads.get(event.thread.id).append([{ type: "user-message", content: "noted" }]).then(() => {}));`;
		await desk.write({ "guard.ts": writes, "turn.json": '{"message": "hi"}' });
		const parameters = ["emit", "agent.turn", "--script", "turn.json", "--thread", "T-9"];
		const [people, program] = await Promise.all([turn(parameters), turn([...parameters, "--json"])]);
		expect(people.stderr).toContain('Plugin guard, thread T-9: added the message "noted"');
		expect(JSON.parse(program.stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
			ok: true,
			thread: "T-9",
			threads: [{ plugin: "guard", threadID: "T-9", content: "noted" }],
		});
	});

	test("exits with 5 where it is not as expected, and shows the difference", async () => {
		await desk.write({ "guard.ts": guard, "turn.json": JSON.stringify(failing), "broken.ts": broken });
		const [people, program, handler] = await Promise.all([
			turn(["emit", "agent.turn", "--script", "turn.json"]),
			turn(["emit", "agent.turn", "--script", "turn.json", "--json"]),
			turn(["-p", "broken.ts", "emit", "agent.turn", "--script", "-", "--json"], JSON.stringify(played)),
		]);
		expect(people.exitCode).toBe(5);
		expect(people.stdout).toContain(`  ✗ output
    - expected 1
    + actual   (none)
  ✗ error
    - expected "no bash"
    + actual   "no shell"
`);
		expect(people.stderr).toBe(
			'error: The turn failed: step 4: tool.result Bash: output should be 1, and there is none; step 4: tool.result Bash: error should be "no bash", and it is "no shell".\n',
		);
		expect(program.exitCode).toBe(5);
		expect(JSON.parse(program.stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ ok: false });
		expect(program.errors).toMatchObject([{ error: { code: "plugin_error" } }]);
		expect(handler.exitCode).toBe(5);
		expect(handler.errors).toMatchObject([{ error: { code: "plugin_error", plugin: "broken" } }]);
	});

	test("exits with 2 for a script that cannot be played, and says where it is wrong", async () => {
		await desk.write({
			"guard.ts": guard,
			"bad.json": '{"message": "hi",\n "tools": [}',
			"bad.yml": "message: hi\ntools: [",
			"odd.json": '{"message": "hi", "tools": [{"tool": 7}]}',
			"list.json": "[]",
		});
		const wrong: [string[], string][] = [
			[["--script", "bad.json"], "The script bad.json is no JSON: line 2"],
			[["--script", "bad.yml"], "The script bad.yml is no YAML"],
			[
				["--script", "odd.json"],
				"The script odd.json cannot be played: odd.json:1:30: tools[0].tool: it is the name of a tool, not 7",
			],
			[["--script", "list.json"], "The script list.json cannot be played: it is no object"],
			[["--script", "none.json"], "The script none.json cannot be read"],
			[[], "agent.turn takes --script FILE"],
			[["--script", "odd.json", "--data", "{}"], "agent.turn takes --script FILE, and no --data"],
		];
		const outcomes = await Promise.all(wrong.map(([parameters]) => turn(["emit", "agent.turn", ...parameters])));
		expect(outcomes.map(({ exitCode, stdout }) => ({ exitCode, stdout }))).toEqual(
			wrong.map(() => ({ exitCode: 2, stdout: "" })),
		);
		expect(outcomes.map(({ stderr }) => stderr)).toEqual(wrong.map(([, text]) => expect.stringContaining(text)));
		const other = await turn(["emit", "agent.start", "--script", "odd.json"]);
		expect(other).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--script belongs to agent.turn") });
	});

	test("exits with 4, and plays nothing, when the plugin that was named did not load", async () => {
		await desk.write({ "guard.ts": "throw new Error('no')", "turn.json": JSON.stringify(played) });
		const { exitCode, stdout } = await turn(["emit", "agent.turn", "--script", "turn.json"]);
		expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: "" });
	});
});

test("emit fires all six events, and prints what each comes to", async () => {
	const all = `export default (amp) => {
		amp.on("session.start", () => {});
		for (const name of ["tool.call", "tool.result", "agent.start", "agent.end", "changes.prompt"]) {
			amp.on(name, (event) => event.answer);
		}
	};`;
	await desk.write({ "guard.ts": all });
	const rejects = { action: "reject-and-continue", message: "no" };
	const events: [string, object | undefined, unknown][] = [
		["session.start", undefined, null],
		["tool.call", rejects, rejects],
		["tool.result", { status: "error", error: "no" }, { status: "error", error: "no" }],
		["agent.start", { message: { content: "x" } }, { messages: [{ content: "x", plugin: "guard" }] }],
		["agent.end", { action: "continue", userMessage: "x" }, { action: "continue", userMessage: "x", plugin: "guard" }],
		["changes.prompt", { append: "x" }, { appends: ["x"] }],
	];
	const outcomes = await Promise.all(
		events.map(([event, answer]) =>
			turn(["emit", event, "--data", JSON.stringify({ tool: "Bash", answer }), "--json"]),
		),
	);
	expect(outcomes.map(({ exitCode, stdout }) => ({ exitCode, ...JSON.parse(stdout) }))).toEqual(
		events.map(([event, answer, result]) => ({
			exitCode: 0,
			event,
			handlers: [{ plugin: "guard", ...(answer === undefined ? {} : { result: answer }), ms: expect.any(Number) }],
			result,
		})),
	);
});

test("the script that the help shows can be played, and its expectations are met and can be missed", async () => {
	await desk.write({ "quiet.ts": "export default () => {};", "turn.yaml": exampleScript() });
	const play = () => desk.run(["--no-places", "-p", "quiet.ts", "emit", "agent.turn", "--script", "turn.yaml"]);
	const help = await desk.run(["emit", "--help"]);
	for (const line of exampleScript().split("\n")) expect(help.stdout).toContain(line);
	expect(await play()).toMatchObject({ exitCode: 0 });
	await desk.write({ "turn.yaml": exampleScript().replace("output: a.txt", "output: b.txt") });
	expect(await play()).toMatchObject({ exitCode: 5 });
});
