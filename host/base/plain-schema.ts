import type { Json, JsonObject } from "../../runtime/records.ts";
import { costOf, weighed } from "./check-meter.ts";
import { hasPatterns } from "./schema-check.ts";
import { isBoundless } from "./schema-work.ts";

/** Whether a value surely fits; what does not, or costs more to look at than a small one, is for the validator. */
export type PlainCheck = (value: Json) => boolean;

/**
 * A check by a schema of the usual keywords, without the cost of loading and preparing a validator. A yes is as good as
 * the validator's, which a property test shows; it is asked after a no, for its reasons.
 *
 * @returns undefined for a schema with anything else in it, or with anything that may be wrong
 */
export function plainCheck(schema: JsonObject): PlainCheck | undefined {
	const test = testOf(schema, { schema, isPatterned: hasPatterns(schema), definitions: new Map() });
	if (test === undefined || isBoundless(schema)) return undefined;
	return (value) => {
		const left = { work: workMax };
		return test(value, left) && left.work >= 0;
	};
}

// About half a millisecond; a check that was compiled is faster with what is larger.
const workMax = 10_000;

/** The schema that a part belongs to. */
interface Whole {
	schema: JsonObject;
	isPatterned: boolean;
	/** By reference; undefined what is not plain, and what is still looked at. */
	definitions: Map<string, Test | undefined>;
}

/** Whether a value fits. Once `left.work` is below zero no answer counts. */
type Test = (value: Json, left: { work: number }) => boolean;

/** Makes what a keyword asks of values by the keyword's own value, or nothing when that is not plainly right. */
type Maker = (argument: Json, whole: Whole, schema: JsonObject) => Test | undefined;

const always: Test = () => true;

function testOf(schema: Json, whole: Whole): Test | undefined {
	if (schema === true) return always;
	if (!isObject(schema)) return undefined;
	const tests: Test[] = [];
	for (const [keyword, argument] of Object.entries(schema)) {
		const test = makers.get(keyword)?.(argument, whole, schema);
		if (test === undefined) return undefined;
		if (test !== always) tests.push(test);
	}
	const weight = weighed(schema);
	return (value, left) => {
		left.work -= costOf(weight, value);
		if (left.work < 0) return false;
		for (const test of tests) if (!test(value, left)) return false;
		return true;
	};
}

/** The tests of several schemas, or nothing when one of them is not plain. */
function testsOf(schemas: readonly Json[], whole: Whole): Test[] | undefined {
	const tests = schemas.map((schema) => testOf(schema, whole)).filter((test) => test !== undefined);
	return tests.length === schemas.length ? tests : undefined;
}

const isOfType = new Map<Json, (value: Json) => boolean>([
	["array", Array.isArray],
	["boolean", (value) => typeof value === "boolean"],
	// JSON may say 1e999, which counts as both kinds of number.
	["integer", (value) => Number.isInteger(value) || (typeof value === "number" && !Number.isFinite(value))],
	["null", (value) => value === null],
	["number", (value) => typeof value === "number"],
	["object", isObject],
	["string", (value) => typeof value === "string"],
]);

function type(argument: Json): Test | undefined {
	const names = Array.isArray(argument) ? argument : [argument];
	const checks = names.map((name) => isOfType.get(name)).filter((check) => check !== undefined);
	const [only] = checks;
	if (only === undefined || checks.length < names.length || !isDistinct(names)) return undefined;
	return checks.length === 1 ? only : (value) => checks.some((check) => check(value));
}

function literal(values: Json): Test | undefined {
	if (!Array.isArray(values) || values.length === 0 || !values.every(isScalar) || !isDistinct(values)) return undefined;
	return (value) => values.includes(value);
}

function required(names: Json): Test | undefined {
	if (!Array.isArray(names) || !isDistinct(names)) return undefined;
	const texts = names.filter((name) => typeof name === "string");
	if (texts.length < names.length) return undefined;
	return (value) => !isObject(value) || texts.every((name) => Object.hasOwn(value, name));
}

function properties(members: Json, whole: Whole): Test | undefined {
	// What a validator makes of this one name is its own affair.
	if (!isObject(members) || Object.hasOwn(members, "__proto__")) return undefined;
	const tests = Object.entries(members).map(([name, member]) => [name, testOf(member, whole)] as const);
	const known = tests.flatMap(([name, test]) => (test === undefined ? [] : [{ name, test }]));
	if (known.length < tests.length) return undefined;
	return (value, left) => {
		if (!isObject(value)) return true;
		for (const { name, test } of known) {
			const member = Object.hasOwn(value, name) ? value[name] : undefined;
			if (member !== undefined && !test(member, left)) return false;
		}
		return true;
	};
}

function additionalProperties(argument: Json, whole: Whole, schema: JsonObject): Test | undefined {
	const { properties: named = {} } = schema;
	const test = argument === false ? () => false : testOf(argument, whole);
	if (test === always || test === undefined || !isObject(named)) return test;
	return (value, left) =>
		!isObject(value) ||
		Object.keys(value).every((name) => Object.hasOwn(named, name) || test(value[name] ?? null, left));
}

function items(argument: Json, whole: Whole): Test | undefined {
	const test = testOf(argument, whole);
	if (test === always || test === undefined) return test;
	return (value, left) => !Array.isArray(value) || value.every((item) => test(item, left));
}

/** A keyword that asks something of how many of several schemas a value fits. */
function several(combine: (tests: Test[]) => Test): Maker {
	return (schemas, whole) => {
		const tests = Array.isArray(schemas) && schemas.length > 0 ? testsOf(schemas, whole) : undefined;
		return tests && combine(tests);
	};
}

const anyOf = several((tests) => (value, left) => tests.some((test) => test(value, left)));
const allOf = several((tests) => (value, left) => tests.every((test) => test(value, left)));
const oneOf = several((tests) => (value, left) => tests.filter((test) => test(value, left)).length === 1);

/** Definitions of the whole schema, each plain whether or not it is used. */
function definitions(keyword: string): Maker {
	return (members, whole, schema) => {
		if (!isObject(members) || schema !== whole.schema) return undefined;
		const tests = Object.keys(members).map((name) => reference(`#/${keyword}/${name}`, whole));
		return tests.includes(undefined) ? undefined : always;
	};
}

/** What another part of the schema asks; one that comes back to itself is for the validator. */
function reference(name: Json, whole: Whole): Test | undefined {
	if (typeof name !== "string") return undefined;
	const [, keyword = "", key = ""] = plainReference.exec(name) ?? [];
	const members = whole.schema[keyword] ?? null;
	if (!isObject(members) || !Object.hasOwn(members, key)) return undefined;
	if (!whole.definitions.has(name)) {
		whole.definitions.set(name, undefined);
		whole.definitions.set(name, testOf(members[key] ?? null, whole));
	}
	return whole.definitions.get(name);
}

// Other names can be written in more than one way.
const plainReference = /^#\/(\$defs|definitions)\/((?!__proto__$)[\w-]+)$/;

function propertyNames(argument: Json, whole: Whole): Test | undefined {
	const test = testOf(argument, whole);
	return test && ((value, left) => !isObject(value) || Object.keys(value).every((name) => test(name, left)));
}

/** A keyword that compares a number of values, or what `numberOf` says of them, with its own. */
function bound(
	numberOf: (value: Json) => number | undefined,
	fits: (number: number, limit: number) => boolean,
	isLimit: (limit: unknown) => boolean = (limit) => Number.isInteger(limit) && Number(limit) >= 0,
): Maker {
	return (limit) => {
		if (typeof limit !== "number" || !isLimit(limit)) return undefined;
		return (value) => {
			const number = numberOf(value);
			return number === undefined || fits(number, limit);
		};
	};
}

/** A keyword that asks nothing of values, as long as its own value is right. */
function note(isRight: (argument: Json) => boolean): Maker {
	return (argument) => (isRight(argument) ? always : undefined);
}

const numberItself = (value: Json) => (typeof value === "number" ? value : undefined);
const characters = (value: Json) => (typeof value === "string" ? countCharacters(value) : undefined);
const length = (value: Json) => (Array.isArray(value) ? value.length : undefined);
const size = (value: Json) => (isObject(value) ? Object.keys(value).length : undefined);
const atLeast = (number: number, limit: number) => number >= limit;
const atMost = (number: number, limit: number) => number <= limit;
const isText = (argument: Json) => typeof argument === "string";
const isFlag = (argument: Json) => typeof argument === "boolean";
const isAnything = () => true;

const makers = new Map<string, Maker>([
	["type", type],
	["enum", literal],
	["const", (value) => literal([value])],
	["required", required],
	["properties", properties],
	["additionalProperties", additionalProperties],
	["items", items],
	["anyOf", anyOf],
	["allOf", allOf],
	// The validator does without it where an expression may decide.
	["oneOf", (schemas, whole, schema) => (whole.isPatterned ? undefined : oneOf(schemas, whole, schema))],
	["$ref", reference],
	...["$defs", "definitions"].map((name) => [name, definitions(name)] as const),
	["propertyNames", propertyNames],
	["minimum", bound(numberItself, atLeast, Number.isFinite)],
	["maximum", bound(numberItself, atMost, Number.isFinite)],
	["exclusiveMinimum", bound(numberItself, (number, limit) => number > limit, Number.isFinite)],
	["exclusiveMaximum", bound(numberItself, (number, limit) => number < limit, Number.isFinite)],
	["minLength", bound(characters, atLeast)],
	["maxLength", bound(characters, atMost)],
	["minItems", bound(length, atLeast)],
	["maxItems", bound(length, atMost)],
	["minProperties", bound(size, atLeast)],
	["maxProperties", bound(size, atMost)],
	["uniqueItems", note((argument) => argument === false)],
	...["title", "description", "$comment", "$schema"].map((name) => [name, note(isText)] as const),
	...["deprecated", "readOnly", "writeOnly"].map((name) => [name, note(isFlag)] as const),
	["examples", note(Array.isArray)],
	// The last three do not run in the host, whatever they are.
	...["default", "pattern", "format", "nullable"].map((name) => [name, note(isAnything)] as const),
]);

function countCharacters(text: string): number {
	let count = 0;
	for (const _ of text) count += 1;
	return count;
}

function isDistinct(values: readonly Json[]): boolean {
	return new Set(values).size === values.length;
}

function isScalar(value: Json): boolean {
	return value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}

function isObject(value: Json): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
