import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { plainCheck } from "../../../../host/base/plain-schema.ts";
import { compileSchema } from "../../../../host/base/schema-check.ts";
import type { Json, JsonObject } from "../../../../runtime/records.ts";
import { propertyMs, propertyRuns } from "../../../support/effort.ts";

const name = fc.constantFrom("a", "b", "constructor", "__proto__", "type", "properties");
const number = fc.constantFrom(-1, 0, 0.5, 1, 2, 3, 1e300, Number.POSITIVE_INFINITY);
const text = fc.constantFrom("", "a", "b", "ab", "\u{1f600}", "\u{1f600}\ud800", "__proto__");
const simple = fc.oneof(number, text, fc.boolean(), fc.constant(null));
const value = fc.letrec<{ value: Json }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 3, withCrossShrink: true },
		simple,
		fc.array(tie("value"), { maxLength: 3 }),
		fc.dictionary(name, tie("value"), { maxKeys: 3, noNullPrototype: true }),
	),
})).value;

const typeName = fc.constantFrom("array", "boolean", "integer", "null", "number", "object", "string");
const count = fc.constantFrom(0, 1, 2);
const few = { minLength: 1, maxLength: 2 };

/** Schemas of a few keywords, some of them wrong, some for the validator alone. */
const { schema, object } = fc.letrec<{ schema: Json; object: JsonObject; schemas: Json[] }>((tie) => {
	const keywords: Record<string, fc.Arbitrary<Json>> = {
		type: fc.oneof({ weight: 6, arbitrary: typeName }, fc.array(typeName, { maxLength: 3 }), simple),
		properties: fc.dictionary(name, tie("schema"), { ...few, noNullPrototype: true }),
		required: fc.array(fc.oneof({ weight: 6, arbitrary: name }, simple), { maxLength: 2 }),
		additionalProperties: tie("schema"),
		propertyNames: tie("schema"),
		items: fc.oneof({ weight: 6, arbitrary: tie("schema") }, tie("schemas")),
		enum: fc.array(fc.oneof({ weight: 6, arbitrary: simple }, value), { maxLength: 3 }),
		const: fc.oneof(simple, value),
		anyOf: tie("schemas"),
		allOf: tie("schemas"),
		oneOf: tie("schemas"),
		minimum: fc.oneof({ weight: 6, arbitrary: number }, text),
		maximum: number,
		exclusiveMinimum: number,
		exclusiveMaximum: number,
		minLength: fc.oneof({ weight: 3, arbitrary: count }, number),
		maxLength: count,
		minItems: count,
		maxItems: fc.oneof({ weight: 3, arbitrary: count }, number),
		minProperties: count,
		maxProperties: count,
		uniqueItems: fc.boolean(),
		title: fc.oneof({ weight: 3, arbitrary: text }, number),
		readOnly: fc.oneof({ weight: 3, arbitrary: fc.boolean() }, text),
		examples: fc.oneof(fc.array(value, { maxLength: 2 }), value),
		default: value,
		pattern: text,
		format: value,
		not: tie("schema"),
		$ref: fc.constantFrom("#/$defs/a", "#/$defs/a", "#/definitions/b", "#/$defs/gone", "#"),
		$id: text,
	};
	const entry = fc.oneof(...Object.entries(keywords).map(([key, member]) => fc.tuple(fc.constant(key), member)));
	return {
		schema: fc.oneof({ maxDepth: 2 }, fc.boolean(), { weight: 6, arbitrary: tie("object") }),
		object: fc.array(entry, { minLength: 1, maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
		schemas: fc.array(tie("schema"), few),
	};
});
const optional = { requiredKeys: [] };
const whole = fc
	.tuple(
		fc.record({ a: schema }, optional),
		fc.record({ b: schema }, optional),
		fc.option(fc.constant({ $schema: "http://json-schema.org/draft-07/schema#" })),
		object,
	)
	.map(([$defs, definitions, draft, own]): JsonObject => ({ $defs, definitions, ...draft, ...own }));

const values = fc.array(value, { minLength: 10, maxLength: 10 });

/** What a library makes of the usual types, and a value that fits. */
const usual: [string, JsonObject, JsonObject][] = [
	["members", { properties: { path: { type: "string", minLength: 1 } }, required: ["path"] }, { path: "a" }],
	["nothing besides", { properties: { a: {} }, additionalProperties: false, $schema: "x" }, { a: 1 }],
	["choices", { properties: { a: { enum: ["x", 1, null] }, b: { const: true } } }, { a: null, b: true }],
	["numbers", { properties: { a: { type: "integer", minimum: 1, exclusiveMaximum: 9 } } }, { a: 8 }],
	["lists", { properties: { a: { type: "array", items: { type: "number" }, maxItems: 2 } } }, { a: [1, 2.5] }],
	["maps", { additionalProperties: { type: "string" }, propertyNames: { type: "string" } }, { a: "b" }],
	["either", { properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } } }, { a: null }],
	["one of several", { oneOf: [{ required: ["a"] }, { required: ["b"] }] }, { b: 1 }],
	["names that every object has", { properties: { constructor: { type: "string" } } }, {}],
	["notes", { properties: { a: { type: "string", format: "email", pattern: "^.+$", default: 7 } } }, { a: "b" }],
	[
		"definitions",
		{ properties: { a: { $ref: "#/$defs/n" } }, $defs: { n: { $ref: "#/$defs/m" }, m: { type: "number" } } },
		{ a: 1 },
	],
];

describe("a plain schema", () => {
	test(
		"is right for the validator too, of both drafts, and judges each value as that does",
		async () => {
			const seen = { yes: 0, no: 0, referring: 0 };
			const judges = fc.asyncProperty(whole, values, async (schema, values) => {
				const plain = plainCheck(schema);
				if (plain === undefined) return;
				if (JSON.stringify(schema).includes("$ref")) seen.referring += 1;
				const problemsOf = await compileSchema(schema, (reason) => new Error(reason));
				for (const value of values) {
					const isRight = plain(value);
					seen[isRight ? "yes" : "no"] += 1;
					expect(problemsOf(value).length === 0).toBe(isRight);
				}
			});
			await fc.assert(judges, { ...propertyRuns, numRuns: propertyRuns.numRuns * 20 });
			expect(seen.yes).toBeGreaterThan(1_000);
			expect(seen.no).toBeGreaterThan(1_000);
			expect(seen.referring).toBeGreaterThan(10);
		},
		propertyMs,
	);

	test.each(usual)("is one of %s, which takes what fits", (_, schema, input) => {
		expect(plainCheck({ type: "object", ...schema })?.(input)).toBe(true);
	});

	test.each<[string, JsonObject]>([
		["a keyword that it does not know", { minContains: 1 }],
		["a keyword that is wrong", { required: "a" }],
		["a reference that leads nowhere", { $ref: "#/$defs/gone" }],
		["a reference that comes back to itself", { $ref: "#/$defs/a", $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }] } } }],
		["definitions below the top", { items: { $defs: { a: { type: 7 } } }, $defs: { a: {} } }],
		["references that multiply", { $ref: "#/$defs/d20", $defs: { d0: {}, ...doubling(20) } }],
		["an expression beside one of several", { oneOf: [{ pattern: "^a" }, { pattern: "^b" }] }],
	])("is none with %s", (_, schema) => {
		expect(plainCheck(schema)).toBeUndefined();
	});

	test("leaves to the validator what takes long to look at", () => {
		const item = { anyOf: Array.from({ length: 50 }, (_, at) => ({ const: at })) };
		const check = plainCheck({ items: item });
		expect(check?.([49])).toBe(true);
		expect(check?.(Array.from({ length: 1_000 }, () => 49))).toBe(false);
		expect(plainCheck({ additionalProperties: { type: "null" } })?.(manyMembers(9_000))).toBe(false);
		expect(plainCheck({ minLength: 1 })?.("a".repeat(400_000))).toBe(false);
	});

	test("counts what it looked at also where the answer would be yes", () => {
		const branch = { items: { enum: [1, 2, 3, 4, 5, 6, 7, 8] } };
		// The second would take the value as well, if there were time to see it.
		const check = plainCheck({ oneOf: [branch, { type: "array", ...branch }] });
		expect(check?.(Array.from({ length: 600 }, () => 1))).toBe(false);
	});
});

/** Definitions each of which refers to the one before it twice. */
function doubling(steps: number): JsonObject {
	const twice = (at: number) => ({ allOf: [{ $ref: `#/$defs/d${at}` }, { $ref: `#/$defs/d${at}` }] });
	return Object.fromEntries(Array.from({ length: steps }, (_, at) => [`d${at + 1}`, twice(at)]));
}

function manyMembers(count: number): JsonObject {
	return Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, null]));
}
