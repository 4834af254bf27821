import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { createDesk, helper } from "./support.ts";

const desk = createDesk();

const refused =
	'export default (amp) => {\n\tamp.registerTool({ name: "no good" });\n\tamp.on("tool.calls", () => {});\n};\n';
const odd = 'export default (amp) => {\n\tamp.on("tool.calls", () => {});\n};\n';

describe("brood validate", () => {
	test("tells all that is wrong, plugin by plugin, and one line about all of them", async () => {
		await desk.write({ "plugins/bad.ts": refused, "plugins/good.ts": helper, "plugins/a.test.ts": "" });
		const { exitCode, stdout, stderr } = await desk.run(["validate", "plugins"]);
		const path = desk.path("plugins");
		expect(stdout.split("\n")).toEqual([
			`✗ bad ${path}/bad.ts`,
			"",
			'  error: registerTool("no good") was refused: it lacks description, inputSchema, execute; a tool name has 1 to 128 letters, digits, _ or - [invalid_registration, activate]',
			"",
			`    ${path}/bad.ts:2:6`,
			"      1 | export default (amp) => {",
			'    > 2 | \tamp.registerTool({ name: "no good" });',
			"        | \t    ^",
			'      3 | \tamp.on("tool.calls", () => {});',
			"",
			'  warning: on("tool.calls"): there is no such event; there are session.start, tool.call, tool.result, agent.start, agent.end, changes.prompt [unknown_event, activate]',
			"",
			`    ${path}/bad.ts:3:6`,
			'      2 | \tamp.registerTool({ name: "no good" });',
			'    > 3 | \tamp.on("tool.calls", () => {});',
			"        | \t    ^",
			"      4 | };",
			"",
			'    hint: Did you mean "tool.call"?',
			"",
			`✓ good ${path}/good.ts`,
			"  registers tools greet · commands ask, fail, hang · events agent.start",
			"",
			`no plugin: ${path}/a.test.ts: it is a test`,
			"",
			"2 plugins: 1 not valid; 1 error, 1 warning.",
			"",
		]);
		expect(stderr).toBe("");
		expect(exitCode).toBe(3);
	});

	test("counts what a host leaves out as no plugin", async () => {
		await desk.write({ "plugins/good.ts": odd });
		symlinkSync("gone.ts", desk.path("plugins/dead.ts"));
		const { exitCode, stdout } = await desk.run(["validate", "plugins"]);
		expect(stdout).toContain(`- dead ${desk.path("plugins/dead.ts")}\n`);
		expect(stdout).toEndWith("\n1 plugin: valid; 0 errors, 2 warnings.\n");
		expect(exitCode).toBe(0);
		const strict = await desk.run(["validate", "plugins", "--strict"]);
		expect(strict.stdout).toContain(`✗ dead ${desk.path("plugins/dead.ts")}\n`);
		expect(strict).toMatchObject({ exitCode: 3, stdout: expect.stringContaining("\n1 plugin: 2 not valid; 0 errors") });
	});

	test("gives a program the same, and one error line", async () => {
		await desk.write({ "bad.ts": refused });
		const { exitCode, stdout, errors } = await desk.run(["validate", "bad.ts", "--json"]);
		const report = JSON.parse(stdout);
		expect(report).toMatchObject({ ok: false, skipped: [] });
		expect(report.plugins).toEqual([
			{
				name: "bad",
				scope: "explicit",
				path: desk.path("bad.ts"),
				ok: false,
				loads: true,
				problems: [
					{
						severity: "error",
						code: "invalid_registration",
						plugin: "bad",
						stage: "activate",
						message: expect.stringContaining('registerTool("no good") was refused'),
						file: desk.path("bad.ts"),
						line: 2,
						column: 6,
					},
					expect.objectContaining({ severity: "warning", code: "unknown_event", hint: 'Did you mean "tool.call"?' }),
				],
				commands: [],
				tools: [],
				skills: [],
				events: [],
				modes: [],
				links: [],
			},
		]);
		expect(errors.map(({ error }) => error)).toEqual([
			expect.objectContaining({ code: "invalid_plugin", plugin: "bad" }),
		]);
		expect(exitCode).toBe(3);
	});

	test.each([
		["a sound plugin", { "p.ts": helper }, ["p.ts"], 0],
		["warnings alone", { "p.ts": odd }, ["p.ts"], 0],
		["warnings, where they fail", { "p.ts": odd }, ["p.ts", "--strict"], 3],
		["no plugin at all", {}, [], 0],
		["a plugin that does not load", { "p.ts": "export default 1;\n", "q.ts": refused }, ["p.ts", "q.ts", "gone.ts"], 4],
		["a path that is no plugin", { "q.ts": refused }, ["q.ts", "gone.ts"], 2],
		["a plugin in its place", { ".amp/plugins/q.ts": refused }, [], 3],
		["one named by -p", { "q.ts": refused, ".amp/plugins/p.ts": "export default 1;\n" }, ["-p", "q.ts"], 3],
	])("ends, for %s, with a code that says so", async (_, files, parameters, code) => {
		await desk.write(files as Record<string, string>);
		const plain = await desk.run(["validate", ...parameters]);
		expect({ code: plain.exitCode, stderr: plain.stderr }).toEqual({ code, stderr: "" });
		const json = await desk.run(["--json", "validate", ...parameters]);
		expect({ code: json.exitCode, errors: json.errors.length }).toEqual({ code, errors: code === 0 ? 0 : 1 });
	});

	test("colours what it tells, where colours are wanted, and writes no escape into a pipe", async () => {
		await desk.write({ "bad.ts": refused });
		const plain = await desk.run(["validate", "bad.ts"]);
		expect(plain.stdout).not.toContain("\u001b");
		const coloured = await desk.run(["validate", "bad.ts"], { env: { FORCE_COLOR: "1" } });
		expect(coloured.stdout).toContain("\u001b[31merror:\u001b[39m");
		expect(Bun.stripANSI(coloured.stdout)).toBe(plain.stdout);
	});

	test("lets no plugin drive the terminal", async () => {
		await desk.write({ "p.ts": 'export default () => {\n\tthrow new Error("a\\u001b[2Jb\\u202ec");\n};\n' });
		const { stdout } = await desk.run(["validate", "p.ts"]);
		expect(stdout).not.toContain("\u001b");
		expect(stdout).not.toContain("\u202e");
	});

	test("ends its plugins and itself on Ctrl-C", async () => {
		await desk.write({
			"hang.ts": `import { writeFileSync } from "node:fs";
export default () => {
	writeFileSync(${JSON.stringify(desk.path("loading"))}, "");
	return new Promise(() => {});
};
`,
		});
		const child = desk.start(["validate", "hang.ts", "--json"]);
		while (!(await Bun.file(desk.path("loading")).exists())) await Bun.sleep(5);
		child.kill("SIGINT");
		const [stderr] = await Promise.all([child.stderr.text(), child.exited]);
		expect(child.exitCode).toBe(130);
		expect(stderr).toContain('"code":"cancelled"');
	});
});
