import type { Json, JsonObject } from "../../../runtime/records.ts";
import { cleanLine } from "../../ui/clean.ts";

/** What a person is asked for one member of a tool's input, or for all of it. */
export interface Question {
	/** The member; undefined when it is the whole input. */
	name: string | undefined;
	isNeeded: boolean;
	/** What it is, for people: `text, optional`. */
	kind: string;
	help: string | undefined;
	/** Its only values; any when absent. */
	choices?: Json[];
	/** What stands there at first. */
	initial: string | undefined;
	/** Reads what was typed, which is not empty. */
	read(text: string): Answer;
}

/** A value, or what is wrong with the text, as a clause. */
export type Answer = { value: Json } | { wrong: string };

/** What a tool's input is asked for by its JSON Schema, with the input of last time at hand; nothing where it takes none. */
export function questionsOf(schema: JsonObject, last: JsonObject | undefined): Question[] {
	const { properties, required, additionalProperties } = schema;
	const needed = Array.isArray(required) ? required : [];
	const members = isObject(properties) ? Object.entries(properties) : [];
	const known = new Set(members.map(([name]) => name));
	const isOpen =
		members.length === 0 && (alternatives.some((word) => word in schema) || takesMore(additionalProperties));
	// What no list of members describes is asked for as a whole.
	if (isOpen || needed.some((name) => typeof name === "string" && !known.has(name))) return [wholeInput(last)];
	return members.map(([name, member]) => questionOf(name, isObject(member) ? member : {}, needed.includes(name), last));
}

/** The text by which a value is shown and typed. */
export function textOf(value: Json): string {
	return typeof value === "string" ? value : JSON.stringify(value);
}

/** Reads a JSON object; an empty text is an empty one. */
export function readObjectText(text: string): { value: JsonObject } | { wrong: string } {
	if (text.trim() === "") return { value: {} };
	const value = parsed(text);
	return isObject(value) ? { value } : { wrong: 'it is a JSON object, such as {"a": 1}' };
}

const alternatives = ["anyOf", "oneOf", "allOf", "$ref", "patternProperties", "if"];

function takesMore(additional: Json | undefined): boolean {
	return additional === true || isObject(additional);
}

function wholeInput(last: JsonObject | undefined): Question {
	const initial = last === undefined ? "{}" : JSON.stringify(last);
	return { name: undefined, isNeeded: true, kind: "JSON", help: undefined, initial, read: readObjectText };
}

function questionOf(name: string, schema: JsonObject, isNeeded: boolean, last: JsonObject | undefined): Question {
	const { description, default: preset } = schema;
	const before = last !== undefined && Object.hasOwn(last, name) ? last[name] : undefined;
	// What was left out last time is left out again.
	const initial = last === undefined ? preset : before;
	const type = typeOf(schema);
	const choices = choicesOf(schema, type);
	return {
		name,
		isNeeded,
		kind: `${type === "string" ? "text" : (type ?? "JSON or text")}${isNeeded ? "" : ", optional"}`,
		help: typeof description === "string" ? cleanLine(description, helpCharsMax) : undefined,
		...(choices === undefined ? {} : { choices }),
		initial: initial === undefined ? undefined : textOf(initial),
		read: (text) => readAs(type, text),
	};
}

// The rest is read in the source.
const helpCharsMax = 400;

/** Its only type apart from null; undefined where it may have several. */
function typeOf({ type }: JsonObject): string | undefined {
	const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== "null");
	const [only, other] = types;
	return other === undefined && typeof only === "string" ? only : undefined;
}

function choicesOf(schema: JsonObject, type: string | undefined): Json[] | undefined {
	if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum;
	if (schema.const !== undefined) return [schema.const];
	return type === "boolean" ? [true, false] : undefined;
}

function readAs(type: string | undefined, text: string): Answer {
	if (type === "string") return { value: text };
	const value = parsed(text);
	// Where any type will do, whatever is no JSON is a text.
	if (type === undefined) return { value: value ?? text };
	if (value !== undefined && (value === null || isOfType(type, value))) return { value };
	return { wrong: wrongs[type] ?? `it is JSON of type ${type}` };
}

const wrongs: Record<string, string> = {
	number: "it is a number",
	integer: "it is a whole number",
	array: "it is a JSON list, such as [1, 2]",
	object: 'it is a JSON object, such as {"a": 1}',
};

function isOfType(type: string, value: Json): boolean {
	if (type === "integer") return Number.isInteger(value);
	if (type === "array") return Array.isArray(value);
	return type === "object" ? isObject(value) : typeof value === type;
}

/** Nothing for what is no JSON. */
function parsed(text: string): Json | undefined {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function isObject(value: Json | undefined): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
