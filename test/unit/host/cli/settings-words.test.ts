import { describe, expect, test } from "bun:test";
import { maskSecrets } from "../../../../host/cli/commands/settings-mask.ts";
import { readAssignments, readRequest, splitPlugin } from "../../../../host/cli/commands/settings-words.ts";
import { isBroodError } from "../../../../runtime/errors.ts";

function refusal(task: () => unknown): string {
	try {
		task();
	} catch (error) {
		if (isBroodError(error, "usage")) return error.message;
		throw error;
	}
	throw new Error("it was accepted");
}

describe("the words behind settings", () => {
	test.each([
		[[], [], undefined, []],
		[["key"], [], undefined, ["key"]],
		[["hello", "key"], [], "hello", ["key"]],
		[["hello", "a=1", "b=2"], [], "hello", ["a=1", "b=2"]],
		[["a=1", "b=2"], [], undefined, ["a=1", "b=2"]],
		[["hello"], ["key"], "hello", []],
		[["a=1"], ["key"], undefined, ["a=1"]],
	])("%j with --unset %j name the plugin %p", (words, unset, plugin, rest) => {
		expect(splitPlugin(words, unset)).toEqual(plugin === undefined ? { rest } : { plugin, rest });
	});

	test("ask for all, for one key, for keys to set, or for keys to take out", () => {
		expect(readRequest([], [])).toEqual({ kind: "table" });
		expect(readRequest(["a.b"], [])).toEqual({ kind: "value", key: "a.b" });
		expect(readRequest(["a=1", "b=x=y"], [])).toEqual({ kind: "set", values: { a: 1, b: "x=y" } });
		expect(readRequest([], ["a", "b"])).toEqual({ kind: "unset", keys: ["a", "b"] });
	});

	test.each([
		["1", 1],
		["-2.5e3", -2500],
		["true", true],
		["null", null],
		['"1"', "1"],
		['{"a":[1]}', { a: [1] }],
		["", ""],
		["text", "text"],
		["1 apple", "1 apple"],
		["{a:1}", "{a:1}"],
		["NaN", "NaN"],
		["007", "007"],
		["9007199254740991", Number.MAX_SAFE_INTEGER],
		['"9007199254740993"', "9007199254740993"],
	])("the value %s is JSON where it can be, else text", (text, value) => {
		expect(readAssignments([`key=${text}`])).toEqual({ kind: "set", values: { key: value } });
	});

	test("are refused where they are odd, and a number that would change is", () => {
		expect(refusal(() => readRequest(["a", "b"], []))).toContain('"a" has no "="');
		expect(refusal(() => readRequest(["a=1", "b"], []))).toContain('"b" has no "="');
		expect(refusal(() => readAssignments(["a"]))).toContain('"a" has no "="');
		expect(refusal(() => readRequest(["=1"], []))).toContain("not empty");
		expect(refusal(() => readRequest([""], []))).toContain("not empty");
		expect(refusal(() => readRequest(["__proto__=1"], []))).toContain("__proto__");
		expect(refusal(() => readRequest(["a=1"], ["b"]))).toContain("--unset");
		for (const text of ["9007199254740993", "1e999", "-12345678901234567890"]) {
			expect(refusal(() => readAssignments([`id=${text}`]))).toContain(`'id="${text}"'`);
		}
		expect(refusal(() => readAssignments(['a={"ids": [1, 9007199254740993]}']))).toContain(
			'number 9007199254740993 in "a"',
		);
	});
});

describe("what the table does not show", () => {
	test.each(["apiKey", "api.key", "API_KEY", "github-token", "password", "accessTokens", "APIKey", "Authorization"])(
		"%s is secret",
		(name) => {
			expect(maskSecrets(name, "abc")).toBe("[secret]");
		},
	);

	test.each(["keybindings", "monkey", "author", "theme", "tokenizer"])("%s is none", (name) => {
		expect(maskSecrets(name, "abc")).toBe("abc");
	});

	test("reaches into what a setting holds, and leaves what is no text", () => {
		const servers = { one: { env: { GITHUB_TOKEN: "a", DEBUG: "1" }, headers: { authorization: "b" } } };
		expect(maskSecrets("servers", servers)).toEqual({
			one: { env: { GITHUB_TOKEN: "[secret]", DEBUG: "1" }, headers: { authorization: "[secret]" } },
		});
		expect(maskSecrets("tokens", ["a", { b: "c" }, 3, true, null, ""])).toEqual([
			"[secret]",
			{ b: "[secret]" },
			3,
			true,
			null,
			"",
		]);
	});
});
