import { describe, expect, test } from "bun:test";
import { questionsOf, readObjectText } from "../../../../host/cli/commands/dev-form.ts";
import type { JsonObject } from "../../../../runtime/records.ts";

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: "object", properties, ...more });

/** What one member is asked, and what becomes of texts. */
function asked(member: JsonObject, last?: JsonObject) {
	const [question] = questionsOf(object({ a: member }), last);
	if (question === undefined) throw new Error("nothing is asked");
	return question;
}

describe("the questions of a schema", () => {
	test("are one a member, with its kind, its help and whether it is needed", () => {
		const schema = object(
			{ a: { type: "string", description: "Who" }, b: { type: ["number", "null"] }, c: {} },
			{ required: ["a"] },
		);
		expect(questionsOf(schema, undefined)).toMatchObject([
			{ name: "a", kind: "text", help: "Who", isNeeded: true },
			{ name: "b", kind: "number, optional", isNeeded: false },
			{ name: "c", kind: "JSON or text, optional" },
		]);
	});

	test.each([
		["no members", { type: "object" }],
		["an empty list of them", object({})],
	])("are none for a tool with %s", (_, schema) => {
		expect(questionsOf(schema, undefined)).toEqual([]);
	});

	test.each([
		["alternatives", { type: "object", oneOf: [object({ a: {} }), object({ b: {} })] }],
		["members of any name", { type: "object", additionalProperties: { type: "string" } }],
		["a member that is needed and not described", object({ a: {} }, { required: ["b"] })],
	])("are the whole input where it has %s", (_, schema) => {
		expect(questionsOf(schema, { x: 1 })).toMatchObject([{ name: undefined, kind: "JSON", initial: '{"x":1}' }]);
	});

	test("offer the values of an enum, a constant and a boolean", () => {
		expect(asked({ enum: ["x", 2, null] }).choices).toEqual(["x", 2, null]);
		expect(asked({ const: 7 }).choices).toEqual([7]);
		expect(asked({ type: "boolean" }).choices).toEqual([true, false]);
		expect(asked({ type: "string" }).choices).toBeUndefined();
	});

	test("begin with the input of last time, else with the default; what was left out stays out", () => {
		expect(asked({ type: "string", default: "d" }).initial).toBe("d");
		expect(asked({ type: "integer" }, { a: 3 }).initial).toBe("3");
		expect(asked({ type: "string", default: "d" }, { b: 1 }).initial).toBeUndefined();
		expect(asked({ type: "array" }, { a: [1] }).initial).toBe("[1]");
	});
});

describe("an answer", () => {
	test.each([
		["string", "12", { value: "12" }],
		["number", "1.5", { value: 1.5 }],
		["number", "x", { wrong: "it is a number" }],
		["number", '"1"', { wrong: "it is a number" }],
		["integer", "2", { value: 2 }],
		["integer", "2.5", { wrong: "it is a whole number" }],
		["array", "[1]", { value: [1] }],
		["array", "{}", { wrong: "it is a JSON list, such as [1, 2]" }],
		["object", '{"a":1}', { value: { a: 1 } }],
		["object", "[]", { wrong: 'it is a JSON object, such as {"a": 1}' }],
	])("of type %s reads %p", (type, text, answer) => {
		expect(asked({ type }).read(text)).toEqual(answer);
	});

	test("of any type is JSON where it can be read as that, else a text", () => {
		expect(asked({}).read("1")).toEqual({ value: 1 });
		expect(asked({}).read("one")).toEqual({ value: "one" });
	});

	test("for the whole input is an object, and nothing an empty one", () => {
		expect(readObjectText(" ")).toEqual({ value: {} });
		expect(readObjectText("[]")).toHaveProperty("wrong");
		expect(readObjectText("{")).toHaveProperty("wrong");
	});
});
