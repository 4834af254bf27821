import { expect, test } from "bun:test";
import { createDesk } from "../cli/support.ts";

const desk = createDesk();
const turn = (parameters: string[], stdin?: string) =>
	desk.run(
		["--no-places", "-p", "quiet.ts", "emit", "agent.turn", ...parameters],
		stdin === undefined ? {} : { stdin },
	);

const yaml = `message: hi
tools:
  - tool: 7
  - tool: Bash
    expects: {}
end:
  expect: { continue: true }
`;
const json = `{
	"message": "hi",
	"rounds": [
		{ "reply": ["x"] }
	]
}`;

test("each mistake in a script is named by its place in the file, and by what is allowed there", async () => {
	await desk.write({
		"quiet.ts": "export default () => {};",
		"turn.yaml": yaml,
		"turn.json": json,
		"none.yml": "# nothing is said\ntools: []\n",
		"open.yaml": "message: hi\ntools: [\n  - a: {",
		"twice.yaml": "message: hi\nmessage: ho\n",
	});
	const told = async (parameters: string[], stdin?: string) => {
		const { exitCode, stdout, stderr } = await turn(["--script", ...parameters], stdin);
		expect({ exitCode, stdout, lines: stderr.trimEnd().split("\n").length }).toEqual({
			exitCode: 2,
			stdout: "",
			lines: 2,
		});
		return stderr;
	};
	const [yamls, jsons, none, open, twice, piped] = await Promise.all([
		told(["turn.yaml"]),
		told(["turn.json"]),
		told(["none.yml"]),
		told(["open.yaml"]),
		told(["twice.yaml"]),
		told(["-"], json),
	]);
	const goesOn = "it is the user message that a plugin goes on with, or false for none, not true";
	expect(yamls).toBe(
		`error: The script turn.yaml cannot be played: ${[
			"turn.yaml:3:5: tools[0].tool: it is the name of a tool, not 7",
			'turn.yaml:5:5: tools[1]: there is no "expects" here; is it "expect"?',
			`turn.yaml:7:13: end.expect.continue: ${goesOn}`,
		].join("; ")}.\n  hint: See brood emit --help.\n`,
	);
	expect(jsons).toContain("turn.json:4:5: rounds[0].reply: it is what the agent says at the end, a text, not a list");
	expect(none).toContain("none.yml:2:1: message: it is missing: it is what the person says, a text");
	expect(open).toContain("open.yaml is no YAML: open.yaml:3:");
	expect(twice).toContain("twice.yaml is no YAML: twice.yaml:2:1: Map keys must be unique");
	expect(piped).toContain("The script on stdin cannot be played: line 4, column 5: rounds[0].reply: ");
});

test("brood emit refuses data that no event has, before any handler sees it", async () => {
	const hears = `export default (amp) => { for (const name of ["agent.end", "tool.result"]) amp.on(name, () => { throw new Error("heard"); }); };`;
	await desk.write({ "hears.ts": hears });
	const emit = (event: string, data: object) =>
		desk.run(["--no-places", "-p", "hears.ts", "emit", event, "--data", JSON.stringify(data), "--json"]);
	const wrong: [string, object, string][] = [
		["agent.end", { status: "finished" }, "status is one of done, error, interrupted, cancelled"],
		["agent.end", { message: 1, messages: "x" }, "message is a text, not 1"],
		["tool.result", { tool: "Bash", status: "ok" }, "status is one of done, error, cancelled"],
	];
	for (const [event, data, told] of wrong) {
		const { exitCode, stdout, errors } = await emit(event, data);
		expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
		expect(errors).toMatchObject([{ error: { code: "usage", message: expect.stringContaining(told) } }]);
	}
	expect((await emit("agent.end", { foo: 1 })).exitCode).toBe(5);
});
