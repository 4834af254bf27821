import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createDesk, parseLines } from "./support.ts";

const desk = createDesk();

test("a member that does not exist is told with the one that is meant, and with how to hear of everything", async () => {
	await desk.write({
		"typo.ts":
			'export default (amp) => {\n\tamp.on("tool.cal", () => {});\n\tamp.registerComand("a", {}, () => {});\n};\n',
	});
	const hint = `Did you mean registerCommand? brood validate ${desk.path("typo.ts")} tells everything at once.`;
	for (const words of [["list"], ["info", "typo"], ["call", "t"]]) {
		const { stderr, exitCode } = await desk.run(["-p", "typo.ts", ...words]);
		expect(stderr).toContain(`  hint: ${hint}\n`);
		expect(stderr).toContain('there is no such event (did you mean "tool.call"?); there are session.start');
		expect(exitCode).toBe(4);
	}
	const { stderr, stdout } = await desk.run(["-p", "typo.ts", "list", "--json"]);
	const { error } = parseLines(stderr).at(-1) as { error: { message: string; hint: string } };
	expect(error.hint).toBe(hint);
	expect(error.message).not.toContain("brood validate");
	expect(JSON.parse(stdout).plugins[0].error).toMatchObject({ hint, message: error.message });
});

test("an input that does not fit names the command that prints the schema, and that prints it", async () => {
	await desk.write({
		"tools.ts": `export default (amp) => amp.registerTool({ name: "add", description: "Adds",
			inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] }, execute() {} });`,
	});
	const wrong = await desk.run(["-p", "tools.ts", "call", "add", "{}"]);
	expect(wrong.stderr).toContain("  hint: See the tool's inputSchema, which brood info tools prints.\n");
	const info = await desk.run(["-p", "tools.ts", "info", "tools"]);
	expect(info.stdout).toContain('input {"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}');
});

test("what belongs to a plugin that is switched off is told with how to switch it on", async () => {
	await desk.write({
		".brood/plugins/tools.ts": `export default (amp) => amp.registerCommand("go", { title: "" }, () => {});`,
	});
	await desk.run(["off", "tools"]);
	for (const words of [
		["call", "add"],
		["run", "go"],
	]) {
		const { stderr } = await desk.run(words);
		expect(stderr).toContain("  hint: It may belong to what is switched off: brood on tools\n");
	}
	const { stderr } = await desk.run(["run", "tools:go"]);
	expect(stderr).toContain("  hint: Switch it on: brood on tools\n");
});

test("a broken file of plugin states is told with its line, and doctor has one finding for it", async () => {
	const file = desk.home(".local/state/brood/plugins.json");
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, '{\n\t"version": 1,\n\t"plugins": [ } ]\n}\n');
	const plugin = "export default () => {};";
	await desk.write({ ".brood/plugins/a.ts": plugin, ".brood/plugins/b.ts": plugin });
	const list = await desk.run(["list"]);
	expect(list.stderr).toContain(`${file} cannot be used: it is no JSON: line 3, column 15: `);
	expect(list.stderr).toContain('> 3 | \t"plugins": [ } ]');
	const { stdout } = await desk.run(["doctor", "--json"]);
	const problems = JSON.parse(stdout).checks.filter(({ status }: { status: string }) => status === "problem");
	expect(problems).toMatchObject([
		{ name: "state", details: [{ path: file, line: 3, column: 15 }] },
		{
			name: "plugins",
			message: expect.stringMatching(/^2 plugins not loaded: /),
			details: [{ plugin: "a" }, { plugin: "b" }],
		},
	]);
	expect(stdout).not.toContain("brood validate");
	expect(stdout.match(/cannot be used: it is no JSON/g)).toHaveLength(1);
});
