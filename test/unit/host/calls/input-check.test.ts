import { describe, expect, test } from "bun:test";
import { compileSchema } from "../../../../host/base/schema-check.ts";
import { inputCheck } from "../../../../host/calls/input-check.ts";
import { messageOf } from "../../../../runtime/errors.ts";
import type { JsonObject, ToolItem } from "../../../../runtime/records.ts";
import { rejection } from "../../runtime/support.ts";

/** Why an input does not fit a schema; nothing when it does. */
async function why(inputSchema: JsonObject, input: JsonObject): Promise<string | undefined> {
	const tool = { name: "probe", description: "", inputSchema: { type: "object", ...inputSchema } };
	const reason = await checkInput(tool, input).then(() => undefined, messageOf);
	// The validator says the same where it was not asked.
	const validator = compileSchema(tool.inputSchema, (why) => new Error(why));
	const isWrong = await validator.then((problemsOf) => problemsOf(input).length > 0).catch(() => true);
	expect(isWrong).toBe(reason !== undefined);
	return reason;
}

async function checkInput(tool: ToolItem, input: JsonObject): Promise<void> {
	const check = await inputCheck("one", tool, input, () => {});
	check(input);
}

describe("an input", () => {
	test("is anything where the schema says only that it is an object", async () => {
		expect(await why({}, { any: [1, { thing: null }] })).toBeUndefined();
	});

	test.each<[string, JsonObject, JsonObject, string]>([
		["a missing member", { required: ["a"] }, {}, "it must have required property 'a'"],
		["a wrong type", { properties: { a: { type: "number" } } }, { a: "1" }, "a must be number"],
		[
			"a place deep inside",
			{ properties: { a: { items: { type: "number" } } } },
			{ a: [1, "2"] },
			"a/1 must be number",
		],
		["a member too many", { additionalProperties: false }, { b: 1 }, "it must NOT have additional properties"],
		[
			"none of a list",
			{ properties: { a: { enum: ["x", "y"] } } },
			{ a: "z" },
			"a must be equal to one of the allowed values",
		],
		[
			"a definition that is referred to",
			{ properties: { a: { $ref: "#/$defs/n" } }, $defs: { n: { type: "number" } } },
			{ a: "" },
			"a must be number",
		],
		[
			"too few items",
			{ properties: { a: { type: "array", minItems: 1 } } },
			{ a: [] },
			"a must NOT have fewer than 1 items",
		],
	])("is refused for %s, naming the place", async (_, schema, input, reason) => {
		expect(await why(schema, input)).toContain(reason);
	});

	test("of a schema that is wrong is refused with each fault once, five at most", async () => {
		const everywhere = Object.fromEntries(Array.from("abcdefgh", (name) => [name, true]));
		// The schema of schemas says the same of one place once for each vocabulary.
		const once = (await why({ properties: { ...everywhere, required: ["a"] } }, {})) ?? "";
		expect(once.match(/must be object,boolean/g)).toEqual(["must be object,boolean"]);
		expect(once).toContain("schema is invalid: data/properties/required must be object,boolean");
		const many = (await why({ properties: Object.fromEntries(Array.from("abcdefgh", (name) => [name, 1])) }, {})) ?? "";
		expect(many.match(/must be object,boolean/g)).toHaveLength(5);
	});

	test("is refused with five reasons at most", async () => {
		const names = ["a", "b", "c", "d", "e", "f", "g"];
		const text = (await why({ required: names }, {})) ?? "";
		expect(text.match(/must have required property/g)).toHaveLength(5);
	});

	test("is not changed: no defaults are put in, no types are bent", async () => {
		const input = { n: 1 };
		expect(await why({ properties: { n: { type: "number" }, d: { default: "x" } } }, input)).toBeUndefined();
		expect(input).toEqual({ n: 1 });
	});

	test("is judged by draft 2020-12, and by draft 7 where the schema says so", async () => {
		const tuple = { properties: { a: { prefixItems: [{ type: "number" }] } } };
		expect(await why(tuple, { a: ["x"] })).toContain("a/0 must be number");
		const old = {
			$schema: "http://json-schema.org/draft-07/schema#",
			properties: { a: { items: [{ type: "number" }] } },
		};
		expect(await why(old, { a: ["x"] })).toContain("a/0 must be number");
	});
});

describe("a schema", () => {
	test.each<[string, JsonObject]>([
		["an unknown type", { properties: { a: { type: "strin" } } }],
		["a keyword of the wrong type", { required: "a" }],
		["a reference that leads nowhere", { $ref: "#/$defs/gone" }],
		["a reference to the network", { properties: { a: { $ref: "https://example.com/schema.json" } } }],
	])("with %s cannot be used, and every call says so", async (_, schema) => {
		const tool = { name: "probe", description: "", inputSchema: { type: "object", ...schema } };
		for (const _ of [1, 2]) {
			const error = await rejection(checkInput(tool, {}));
			expect(error).toMatchObject({ code: "invalid_schema", plugin: "one" });
			expect(messageOf(error)).toContain('"probe"');
		}
	});

	test("may hold keywords that nobody knows", async () => {
		expect(await why({ "x-order": 3, properties: { a: { widget: "slider" } } }, { a: 1 })).toBeUndefined();
	});

	test("may name its members like keywords", async () => {
		const schema = { properties: { pattern: { type: "string" }, format: { type: "number" } }, required: ["pattern"] };
		expect(await why(schema, { pattern: "a", format: 1 })).toBeUndefined();
		expect(await why(schema, { pattern: 1 })).toContain("pattern must be string");
		expect(await why(schema, {})).toContain("required property 'pattern'");
	});

	test("may have keywords in what is only a value", async () => {
		const schema = { properties: { a: { const: { pattern: "x", format: "y" } } } };
		expect(await why(schema, { a: { pattern: "x", format: "y" } })).toBeUndefined();
		expect(await why(schema, { a: {} })).toContain("a must be equal to constant");
	});
});

describe("a regular expression of a plugin", () => {
	const hostile = "^(a+)+$";
	const victim = `${"a".repeat(64)}!`;

	test.each<[string, JsonObject]>([
		["pattern", { properties: { t: { pattern: hostile } } }],
		["patternProperties", { patternProperties: { [hostile]: false } }],
		["propertyNames", { propertyNames: { pattern: hostile } }],
		["a definition", { properties: { t: { $ref: "#/$defs/t" } }, $defs: { t: { pattern: hostile } } }],
		["a dependent schema", { dependentSchemas: { t: { properties: { t: { pattern: hostile } } } } }],
		["format", { properties: { t: { format: "regex" } } }],
	])("in %s never runs", async (_, schema) => {
		expect(await why(schema, { t: victim, [victim]: 1 })).toBeUndefined();
	});

	test("that is no regular expression does not keep the schema from compiling", async () => {
		expect(await why({ properties: { t: { pattern: "(" } } }, { t: "x" })).toBeUndefined();
	});

	// A check that is left out must never refuse what the whole schema would allow.
	test.each<[string, JsonObject, JsonObject]>([
		["not", { properties: { t: { not: { pattern: "^x" } } } }, { t: "abc" }],
		[
			"not around a reference",
			{ properties: { t: { not: { $ref: "#/$defs/x" } } }, $defs: { x: { pattern: "^x" } } },
			{ t: "abc" },
		],
		["oneOf", { properties: { t: { oneOf: [{ pattern: "^a" }, { pattern: "^b" }] } } }, { t: "abc" }],
		// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
		["if", { if: { properties: { t: { pattern: "^x" } } }, then: { required: ["u"] } }, { t: "abc" }],
		["contains", { properties: { t: { contains: { pattern: "^a" }, maxContains: 1 } } }, { t: ["a", "b"] }],
		["additionalProperties", { patternProperties: { "^x-": {} }, additionalProperties: false }, { "x-a": 1 }],
		[
			"unevaluatedProperties beside a part",
			{ allOf: [{ patternProperties: { "^x-": {} } }], unevaluatedProperties: false },
			{ "x-a": 1 },
		],
	])("is left out together with the %s that depends on it", async (_, schema, input) => {
		expect(await why(schema, input)).toBeUndefined();
	});

	test("takes nothing else of the schema with it", async () => {
		const schema = {
			properties: {
				t: { type: "string", pattern: "^a", minLength: 3 },
				u: { not: { type: "number" } },
				v: { oneOf: [{ type: "number" }] },
			},
		};
		expect(await why(schema, { t: "ab" })).toContain("t must NOT have fewer than 3 characters");
		expect(await why(schema, { u: 1 })).toContain("u must NOT be valid");
		expect(await why(schema, { v: "x" })).toContain("v must be number");
	});
});
