import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { isBroodError } from "../../../runtime/errors.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

const good = `export default (amp) => {
	amp.registerTool({ name: "good", description: "", inputSchema: { type: "object" }, execute: () => "works" });
};`;

/** Loads a bad plugin beside a good one, and gives the error of the bad one. */
async function errorOf(source: string, readyMs = 10_000) {
	const { host } = await bench.start({ bad: source, good }, { limits: { load: { readyMs } } });
	expect((await host.tools.call("good", {})).text).toBe("works");
	const { state, launches, error, facts } = host.plugins.get("bad");
	expect({ state, launches }).toEqual({ state: "failed", launches: 1 });
	expect(facts).toMatchObject({ ready: null, published: null });
	if (!isBroodError(error)) throw new Error(`no error: ${error}`);
	expect(error.plugin).toBe("bad");
	expect(error.message).toContain('Plugin "bad"');
	return error;
}

describe("an import that fails", () => {
	test("a throw is told with its place and a code frame", async () => {
		const error = await errorOf(`const before = 1;\nthrow new RangeError("too far");\n`);
		expect(error).toMatchObject({ code: "load_failed", stage: "import" });
		expect(error.message).toContain("RangeError: too far");
		expect(error.positions).toMatchObject([{ line: 2 }]);
		expect(error.frame).toContain(`> 2 | throw new RangeError("too far");`);
		expect(error.cause).toBeInstanceOf(RangeError);
	});

	test.each(["null", "undefined", '"plain text"', "42", "{ code: 7 }"])("a thrown %s is told too", async (value) => {
		const error = await errorOf(`throw ${value};`);
		expect(error).toMatchObject({ code: "load_failed", stage: "import" });
		expect(error.message).toContain(value === "{ code: 7 }" ? '{"code":7}' : value.replaceAll('"', ""));
	});

	test("a syntax error is told with file, line, column and a code frame", async () => {
		const error = await errorOf("export default (amp) => {\n\tconst x = ;\n};\n");
		expect(error).toMatchObject({ code: "load_failed", stage: "import" });
		expect(error.positions).toMatchObject([{ file: expect.stringMatching(/\/bad\.ts$/), line: 2, column: 12 }]);
		expect(error.frame).toContain("> 2 | \tconst x = ;");
		expect(error.frame).toContain("Unexpected ;");
	});

	test("a syntax error in a file that it imports names that file", async () => {
		const file = bench.write("lib/part.js", "export const = 3;\n");
		const { host } = await bench.start({ bad: `import "./lib/part.js";\nexport default () => {};`, good });
		const { error } = host.plugins.get("bad");
		expect(error).toMatchObject({ code: "load_failed", stage: "import" });
		expect(error?.positions).toContainEqual(expect.objectContaining({ file, line: 1, column: 14 }));
	});

	test.each([
		["left-pad-of-nobody", "left-pad-of-nobody"],
		["@nobody/left/deep/path.js", "@nobody/left"],
	])("a missing package %s is told with the command that adds it", async (specifier, name) => {
		const error = await errorOf(`import pad from "${specifier}";\nexport default () => pad();`);
		expect(error).toMatchObject({
			code: "load_failed",
			stage: "import",
			hint: expect.stringContaining(`"bun add ${name}"`),
		});
		expect(error.message).toContain(`'${name}'`);
		expect(error.message).toContain(`bun add ${name}`);
	});

	test("a missing file of its own is told without advice about packages", async () => {
		const error = await errorOf(`import "./gone.ts";\nexport default () => {};`);
		expect(error).toMatchObject({ code: "load_failed", stage: "import" });
		expect(error.message).toContain("./gone.ts");
		expect(error.message).not.toContain("bun add");
	});

	test("an unhandled rejection meanwhile is a failure of that stage", async () => {
		const error = await errorOf(`Promise.reject(new TypeError("forgotten"));\nawait Bun.sleep(60_000);`);
		expect(error).toMatchObject({ code: "load_failed", stage: "import" });
		expect(error.message).toContain("TypeError: forgotten");
	});

	test("one that never settles fails at the deadline, and a top-level await is named as the likely cause", async () => {
		const error = await errorOf("await new Promise(() => {});\nexport default () => {};", 1_500);
		expect(error).toMatchObject({ code: "ready_timeout", stage: "import" });
		expect(error.message).toContain("top-level await");
		expect(error.message).toContain("1500 ms");
	});

	test("one that blocks its loop is ended at the deadline all the same", async () => {
		const error = await errorOf("while (true) {}", 1_500);
		expect(error).toMatchObject({ code: "ready_timeout", stage: "import" });
	});
});

describe("a default export that is none", () => {
	test.each([
		["an object", "export default { run() {} };", "object"],
		["a number", "export default 7;", "number"],
		["null", "export default null;", "null"],
		["a class", "export default class Plugin { constructor(amp) {} }", "a class"],
		["nothing", "", "nothing"],
		["another name", "export const activate = () => {}; export const version = 1;", "activate, version"],
	])("%s is named in the error", async (_, source, named) => {
		const error = await errorOf(source);
		expect(error).toMatchObject({ code: "no_default_export", stage: "import" });
		expect(error.message).toContain("must export a default function");
		expect(error.message).toContain(named);
		expect(error.hint).toContain("export default function");
	});

	test.each([
		["an async function", "export default async function (amp) { await 1; }"],
		["an arrow function", "export default (amp) => {};"],
		["a function of CommonJS", "module.exports = function (amp) {};"],
		["a function that returns something", "export default () => ({ anything: 1 });"],
	])("%s is one", async (_, source) => {
		const { host } = await bench.start({ fine: source });
		expect(host.plugins.get("fine").state).toBe("ready");
	});

	test("it is called with exactly one argument", async () => {
		const { logged } = await bench.start({
			fine: "export default (...given) => console.error('given', given.length);",
		});
		expect((await logged("fine", "given")).message).toBe("given 1");
	});
});

describe("a default export that fails", () => {
	test("a throw is told with its place and a code frame", async () => {
		const error = await errorOf(`export default async () => {\n\tawait 1;\n\tthrow new Error("not today");\n};\n`);
		expect(error).toMatchObject({ code: "load_failed", stage: "activate" });
		expect(error.message).toContain("Error: not today");
		expect(error.frame).toContain(`> 3 | \tthrow new Error("not today");`);
	});

	test("a registration that is refused names the call, and nothing of the plugin is published", async () => {
		const source = `export default (amp) => {
			amp.registerCommand("fine", { title: "Fine" }, () => {});
			amp.registerTool({ name: "bad name!", description: "", inputSchema: { type: "object" }, execute() {} });
		};`;
		const { host } = await bench.start({ bad: source, good });
		const { error, commands } = host.plugins.get("bad");
		expect(error).toMatchObject({ code: "invalid_registration", stage: "activate", plugin: "bad" });
		expect(error?.message).toContain('registerTool("bad name!")');
		expect(error?.frame).toContain("> 3 |");
		expect(commands).toEqual([]);
		expect(host.commands.list()).toEqual([]);
	});

	test("an unhandled rejection meanwhile is a failure of that stage", async () => {
		const error = await errorOf(`export default async () => {
			(async () => { throw new Error("in the dark"); })();
			await Bun.sleep(60_000);
		};`);
		expect(error).toMatchObject({ code: "load_failed", stage: "activate" });
		expect(error.message).toContain("in the dark");
	});

	test("one that never settles fails at the deadline, and gets no dispose", async () => {
		const file = bench.path("disposed");
		const error = await errorOf(
			`import { writeFileSync } from "node:fs";
			export default async (amp) => {
				amp.onDispose(() => writeFileSync(${JSON.stringify(file)}, ""));
				await new Promise(() => {});
			};`,
			1_500,
		);
		expect(error).toMatchObject({ code: "ready_timeout", stage: "activate" });
		expect(error.message).toContain("its default export has not returned");
		expect(existsSync(file)).toBe(false);
	});
});
