import { describe, expect, test } from "bun:test";
import { parseJsonc } from "../../../host/base/jsonc.ts";
import { createSettings } from "../../../host/base/settings.ts";
import { isBroodError } from "../../../runtime/errors.ts";
import { limits } from "../../../runtime/limits.ts";
import { temporaryFolder } from "./temporary.ts";

const disk = temporaryFolder();

function get() {
	return createSettings({ workspaceRoot: disk.path("w"), configHome: disk.path("c") }).get();
}

async function getError() {
	const error: unknown = await get().catch((thrown) => thrown);
	if (!isBroodError(error, "invalid_settings")) throw new Error(`expected invalid_settings, got ${String(error)}`);
	return error;
}

describe("the layers", () => {
	test("merge by top-level key: workspace over user over Amp's", async () => {
		disk.file("w/.amp/settings.json", '{"a":"amp","b":"amp","c":"amp"}');
		disk.file("c/brood/settings.json", '{"b":"user","c":"user","deep":{"x":1}}');
		disk.file("w/.brood/settings.json", '{"c":"workspace","deep":{"y":2}}');
		expect(await get()).toEqual({ a: "amp", b: "user", c: "workspace", deep: { y: 2 } });
	});

	test("may all be missing, with or without a configuration home", async () => {
		disk.file("w/.brood", "a file where a folder could be");
		expect(await get()).toEqual({});
		disk.file("c/brood/settings.json", '{"user":true}');
		expect(await createSettings({ workspaceRoot: disk.path("w"), configHome: null }).get()).toEqual({});
	});

	test("are read anew each time", async () => {
		const settings = createSettings({ workspaceRoot: disk.path("w"), configHome: null });
		disk.file("w/.brood/settings.json", '{"a":1}');
		expect(await settings.get()).toEqual({ a: 1 });
		disk.file("w/.brood/settings.json", '{"a":2}');
		expect(await settings.get()).toEqual({ a: 2 });
	});

	test("may hold comments, trailing commas and a byte order mark", async () => {
		disk.file("w/.brood/settings.json", '\ufeff// first\r\n{ /* second */ "url": "http://x//y", "list": [1, 2,], }\n');
		expect(await get()).toEqual({ url: "http://x//y", list: [1, 2] });
	});

	test("cannot reach a prototype", async () => {
		disk.file("w/.brood/settings.json", '{"__proto__":{"bad":1},"in":{"__proto__":{"bad":1}},"constructor":1}');
		const settings = await get();
		expect(Object.keys(settings)).toEqual(["in", "constructor"]);
		expect(JSON.stringify(settings)).toBe('{"in":{},"constructor":1}');
		expect(Object.getPrototypeOf(Object.assign({}, settings))).toBe(Object.prototype);
		expect("bad" in {}).toBe(false);
	});
});

describe("a file that cannot be used is refused by name", () => {
	test("with line, column and code frame when it is no JSON", async () => {
		const path = disk.file("c/brood/settings.json", '{\n\t"a": 1,\n\t"b": oops\n}');
		const error = await getError();
		expect(error.message).toContain(path);
		expect(error.message).toContain('line 3, column 7: expected a value, found "oops"');
		expect(error.positions).toEqual([expect.objectContaining({ file: path, line: 3, column: 7 })]);
		expect(error.frame).toContain('> 3 | \t"b": oops\n    | \t     ^ expected a value');
	});

	test("when it holds something else than an object", async () => {
		const cases = { "[1]": "an array", null: "null", '"x"': "a string", "3": "a number", true: "a boolean" };
		for (const [text, type] of Object.entries(cases)) {
			disk.file("w/.amp/settings.json", text);
			expect((await getError()).message).toContain(
				`w/.amp/settings.json cannot be used: it must hold a JSON object, not ${type}`,
			);
		}
	});

	test("when it is empty, or in another encoding", async () => {
		disk.file("w/.amp/settings.json", "");
		expect((await getError()).message).toContain("line 1, column 1: expected a value, found the end of the file");
		disk.file("w/.amp/settings.json", new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]));
		expect((await getError()).message).toContain("line 1, column 1");
	});

	test("when it is larger than the limit", async () => {
		disk.file("w/.amp/settings.json", `{}${" ".repeat(limits.text.documentBytesMax - 2)}`);
		expect(await get()).toEqual({});
		disk.file("w/.amp/settings.json", `{}${" ".repeat(limits.text.documentBytesMax - 1)}`);
		expect((await getError()).message).toContain(`larger than ${limits.text.documentBytesMax} bytes`);
	});

	test("when it is a directory or a FIFO", async () => {
		disk.folder("w/.amp/settings.json");
		expect((await getError()).message).toContain("it is a directory, not a file");
		disk.fifo("c/brood/settings.json");
		await expect(
			createSettings({ workspaceRoot: disk.path("none"), configHome: disk.path("c") }).get(),
		).rejects.toThrow("it is a FIFO, not a file");
	});

	test("when its link goes in a circle", async () => {
		disk.link("w/.brood/settings.json", "settings.json");
		expect((await getError()).message).toContain("its links form a loop");
	});
});

describe("the parser", () => {
	test("gives what JSON.parse gives for plain JSON", () => {
		for (const text of [
			'{"a":[1,-2.5e3,0,"\\u00e9\\n",null,true,false,{}],"":{"b":[]}}',
			"[]",
			"-0.5",
			'"\\"\\\\"',
			' {"a" : 1 } ',
		]) {
			expect(parseJsonc(text)).toEqual(JSON.parse(text));
		}
		expect(parseJsonc('{"a":1,"a":2}')).toEqual({ a: 2 });
	});

	test.each([
		['{"a":1} x', 1, 9, "nothing may follow"],
		['{"a":1,,}', 1, 8, "a name in double quotes"],
		["{'a':1}", 1, 2, "a name in double quotes"],
		['{\r\n"a" 1}', 2, 5, 'expected ":"'],
		["[1\n2]", 2, 1, 'expected "," or "]"'],
		["[01]", 1, 3, 'expected "," or "]"'],
		["[.5]", 1, 2, "expected a value"],
		["[1e999]", 1, 2, "too large"],
		['["a\n"]', 1, 4, "ends on its line"],
		['["abc', 1, 2, "not closed"],
		['["\\"', 1, 2, "not closed"],
		['["\\q"]', 1, 2, "an escape"],
		["/* open", 1, 1, "comment is not closed"],
		["[NaN]", 1, 2, "expected a value"],
		["[1", 1, 3, "the end of the file"],
	])("says for %j where it goes wrong", (text, line, column, message) => {
		expect(() => parseJsonc(text)).toThrow(
			expect.objectContaining({ line, column, message: expect.stringContaining(message) }),
		);
	});

	test("bounds how deep values nest", () => {
		expect(() => parseJsonc("[".repeat(100_000))).toThrow("nested more than 100 deep");
		expect(parseJsonc("[".repeat(100) + "]".repeat(100))).toBeArray();
	});
});
