import { describe, expect, test } from "bun:test";
import { createDesk, helper, parseLines } from "./support.ts";

const desk = createDesk();

interface BadPlugin {
	what: string;
	source: string;
	code: string;
	stage: string;
	/** What the message must say. */
	text: string;
	/** The line of the code frame that it points at. */
	frame?: string;
}

const tool = (name: string, schema: string) =>
	`export default (amp) => {\n\tamp.registerTool({ name: ${name}, description: "", inputSchema: ${schema}, execute() {} });\n};\n`;

const bad: BadPlugin[] = [
	{
		what: "has a syntax error",
		source: "export default () => {\n\tconst a = ;\n};\n",
		code: "load_failed",
		stage: "import",
		text: "Unexpected ;",
		frame: "> 2 | \tconst a = ;",
	},
	{
		what: "has no default export",
		source: "export const a = 1;",
		code: "no_default_export",
		stage: "import",
		text: "it exports only a",
	},
	{
		what: "exports a class",
		source: "export default class Plugin {}",
		code: "no_default_export",
		stage: "import",
		text: "it exports a class",
	},
	{
		what: "throws when it is imported",
		source: 'const a = 1;\nthrow new RangeError("too early");\n',
		code: "load_failed",
		stage: "import",
		text: "RangeError: too early",
		frame: "> 2 | throw new RangeError",
	},
	{
		what: "throws when it is activated",
		source: 'export default async () => {\n\tawait 1;\n\tthrow new RangeError("too late");\n};\n',
		code: "load_failed",
		stage: "activate",
		text: "RangeError: too late",
		frame: "> 3 | \tthrow new RangeError",
	},
	{
		what: "never becomes ready",
		source: "export default () => new Promise(() => {});",
		code: "ready_timeout",
		stage: "activate",
		text: "was not ready within 1500 ms",
	},
	{
		what: "ends with 0 before it is ready",
		source: 'console.error("off I go");\nprocess.exit(0);\n',
		code: "exited_before_ready",
		stage: "import",
		text: "it exited with code 0 in stage import",
	},
	{
		what: "registers a tool with a bad name",
		source: tool('"two words"', '{ type: "object" }'),
		code: "invalid_registration",
		stage: "activate",
		text: 'registerTool("two words") of plugin "bad" was refused: a tool name',
		frame: "> 2 |",
	},
	{
		what: "registers a tool with a bad schema",
		source: tool('"odd"', '"text"'),
		code: "invalid_registration",
		stage: "activate",
		text: 'registerTool("odd") of plugin "bad" was refused: inputSchema',
		frame: "> 2 |",
	},
];

describe.each(bad)("a plugin that $what", ({ source, code, stage, text, frame }) => {
	// Long enough for a sibling on a busy machine, short enough to wait for.
	const parameters = ["--no-places", "--ready-timeout", "1500", "-p", "plugins", "list"];

	test("fails with 4 and a message for people, and its sibling is ready", async () => {
		await desk.write({ "plugins/bad.ts": source, "plugins/helper.ts": helper });
		const { exitCode, stdout, stderr } = await desk.run(parameters);
		expect(stdout).toMatch(/^bad +failed /m);
		expect(stdout).toMatch(/^helper +ready /m);
		expect(stderr).toContain("error: ");
		expect(stderr).toContain(text);
		expect(stderr).toContain(frame ?? "");
		expect(stderr).not.toMatch(/undefined|\n\.(?:\n|$)/);
		expect(exitCode).toBe(4);
	});

	test("fails with 4 and its code for programs", async () => {
		await desk.write({ "plugins/bad.ts": source, "plugins/helper.ts": helper });
		const { exitCode, stdout, errors } = await desk.run([...parameters, "--json"]);
		const [failed, sibling] = JSON.parse(stdout).plugins;
		expect(failed).toMatchObject({ name: "bad", state: "failed", pid: null, launches: 1, error: { code, stage } });
		expect(sibling).toMatchObject({ name: "helper", state: "ready" });
		expect(errors).toMatchObject([{ error: { code, plugin: "bad" } }]);
		expect(exitCode).toBe(4);
	});
});

test("an event that there is not is a warning in the log, and the plugin loads", async () => {
	await desk.write({ "odd.ts": `export default (amp) => amp.on("no.such", () => {});` });
	const { exitCode, stdout, stderr } = await desk.run(["-p", "odd.ts", "info", "odd", "--json"]);
	expect(JSON.parse(stdout)).toMatchObject({ state: "ready", log: [{ level: "warn" }] });
	const message = expect.stringMatching(/^on\("no\.such"\): /);
	expect(parseLines(stderr)).toEqual([
		{ log: { time: expect.any(String), plugin: "odd", level: "warn", source: "plugin", message } },
	]);
	expect(exitCode).toBe(0);
});

test("a file that is missing is a mistake in the arguments", async () => {
	const { exitCode, stdout, errors } = await desk.run(["-p", "gone.ts", "list", "--json"]);
	expect(errors).toMatchObject([
		{ error: { code: "usage", message: expect.stringContaining("gone.ts is no plugin") } },
	]);
	expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
});
