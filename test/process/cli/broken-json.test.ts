import { describe, expect, test } from "bun:test";
import { startDev } from "./dev-support.ts";
import { createDesk } from "./support.ts";

const desk = createDesk();

const plugin = (imported: string) => `import data from "${imported}";\nexport default () => console.log(data);\n`;

describe("a broken JSON file that a plugin imports is named, with its line and column", () => {
	test.each([
		["a member without a name", '{\n\t"a": 1,\n\t}}\n', ":2:8", "nothing follows this comma"],
		["a comment", '{\n\t"a": 1 // one\n}\n', ":2:9", 'expected "," or "}", found "/"'],
		["a comma too many", '{ "a": [1, 2,] }', ":1:13", "nothing follows this comma"],
		["no end", '{ "a": ', ":1:8", "expected a value, found the end of the file"],
		["nothing in it", "", ":1:1", "expected a value, found the end of the file"],
	])("with %s", async (_, text, place, message) => {
		await desk.write({
			"p/index.ts": plugin("./inner.ts"),
			"p/inner.ts": 'import "./good.json";\nexport { default } from "./bad.json";\n',
			"p/good.json": "{}",
			"p/bad.json": text,
		});
		const { exitCode, stderr } = await desk.run(["-p", "p", "list"]);
		expect(stderr).toContain(`(${desk.path("p/bad.json")}${place}), in stage import.`);
		if (text !== "") expect(stderr).toContain(`^ ${message}`);
		expect(exitCode).toBe(4);
	});

	test("in brood dev, where mending it is enough", async () => {
		await desk.write({ "one.ts": plugin("./data.json"), "data.json": "{}" });
		await using dev = startDev(desk, ["dev", "one.ts"]);
		await dev.stderr.see("Watching 1 plugin.\n");
		await desk.write({ "data.json": '{ "a": ] }' });
		await dev.stdout.see("kept     one  data.json");
		await dev.stderr.see(`(${desk.path("data.json")}:1:8), in stage import.`);
		await desk.write({ "data.json": '{ "a": 1 }' });
		await dev.stdout.see("reload   one  data.json");
	});

	test("but not where a program parses one itself, whose place is its own", async () => {
		await desk.write({ "one.ts": 'import "./odd.json" with { type: "text" };\nJSON.parse("{");\n', "odd.json": "{" });
		const { stderr } = await desk.run(["-p", "one.ts", "list"]);
		expect(stderr).toContain(`(${desk.path("one.ts")}:2:`);
		expect(stderr).not.toContain("odd.json:");
	});
});

test.each([
	["package.json", '{ "imports": ] { "#x": "./x.ts" }', "Unexpected ]", 14],
	["tsconfig.json", '{ "compilerOptions": { "paths": { "#x": ["./x.ts" } } }', 'Expected "," but found "}"', 51],
])("a broken %s, for which an import finds nothing, is named with its place", async (name, text, reason, column) => {
	await desk.write({ "p/index.ts": plugin("#x"), "p/x.ts": "export default 1;\n", [`p/${name}`]: text });
	const { stderr } = await desk.run(["-p", "p", "list"]);
	expect(stderr).toContain(`Cannot find package '#x': ${reason} (${desk.path("p", name)}:1:${column})`);
});
