import { failure, messageOf } from "../../runtime/errors.ts";
import type { Json, JsonObject, ToolItem } from "../../runtime/records.ts";
import { isHeavier } from "../base/weight.ts";
import { meter, meterKeyword, weighed } from "./check-meter.ts";
import { schemaWork } from "./schema-work.ts";

/**
 * Checks an input against the tool's schema. The schema is compiled before the tool's first call; one too large for
 * that allows every input, which `warn` is told once.
 * @throws BroodError `invalid_input`, or `invalid_schema` for a schema that cannot be compiled
 */
export async function checkInput(plugin: string, tool: ToolItem, input: JsonObject, warn: Warn): Promise<void> {
	const check = await compiled(plugin, tool, warn);
	const reason = check(input);
	if (reason === undefined) return;
	throw failure("invalid_input", { plugin, subject: tool.name, reason, hint: "See the tool's inputSchema." });
}

type Warn = (text: string) => void;
type Check = (input: JsonObject) => string | undefined;

const checks = new WeakMap<ToolItem, Check>();

async function compiled(plugin: string, tool: ToolItem, warn: Warn): Promise<Check> {
	const known = checks.get(tool);
	if (known !== undefined) return known;
	const check = isCompiled(tool, warn) ? await compile(plugin, tool) : accept;
	checks.set(tool, check);
	return check;
}

/** Whether a schema says anything, and little enough that compiling it holds up nobody. */
function isCompiled({ name, inputSchema }: ToolItem, warn: Warn): boolean {
	for (const key in inputSchema) {
		if (key === "type") continue;
		if (!isHeavier(inputSchema, partsMax, depthMax)) return true;
		warn(`the inputs of its tool "${name}" are not checked: its schema is too large`);
		return false;
	}
	return false;
}

const accept: Check = () => undefined;

async function compile(plugin: string, { name, inputSchema }: ToolItem): Promise<Check> {
	const { $schema } = inputSchema;
	if ($schema !== undefined && typeof $schema !== "string")
		throw failure("invalid_schema", { plugin, subject: name, reason: "its $schema is no text" });
	const draft07 = $schema?.includes("draft-07") === true;
	const code = await import("ajv");
	const { Ajv } = draft07 ? code : { Ajv: (await import("ajv/dist/2020.js")).Ajv2020 };
	// Names of members are the author's; what objects inherit must not stand in for them.
	const ajv = new Ajv({ ...ajvOptions, code: { optimize: false } });
	const counted = meter(ajv, code);
	const orRefuse = <Result>(task: () => Result): Result => {
		try {
			return task();
		} catch (error) {
			throw failure("invalid_schema", { plugin, subject: name, reason: messageOf(error) });
		}
	};
	const validate = orRefuse(() => {
		if (schemaWork(inputSchema) > workMax) throw new RangeError("its references multiply beyond what can be checked");
		return ajv.compile(withoutPatterns(inputSchema));
	});
	return (input) => {
		// A schema that refers to itself without end fails only as it is used.
		const isRight = orRefuse(() => counted.run(() => validate(input)));
		if (isRight) return undefined;
		if (isRight === undefined) return "it holds too much to be checked by the schema";
		const problems = (validate.errors ?? []).map(
			({ instancePath, message }) => `${instancePath === "" ? "it" : instancePath.slice(1)} ${message}`,
		);
		return [...new Set(problems)].slice(0, 5).join("; ");
	};
}

const ajvOptions = {
	strict: false,
	allErrors: true,
	validateFormats: false,
	logger: false,
	ownProperties: true,
} as const;

// A schema in the wild has some hundred parts and a few levels; compiling takes some 20 µs a part, and more with each level.
const partsMax = 2_000;
const depthMax = 128;

// One whose references double at each step has billions.
const workMax = 100_000;

/**
 * Regular expressions of a plugin do not run in the host: a hostile one would block it. What says no where such an
 * expression says yes is left out with it, so that no input is refused that the whole schema would allow.
 */
function withoutPatterns(schema: JsonObject): JsonObject {
	return strip(schema, mentions(schema, patternKeys));
}

const patternKeys = new Set(["pattern", "patternProperties"]);
const unclearKeys = new Set([...patternKeys, "$ref", "$dynamicRef"]);
const opposingKeys = new Set(["not", "oneOf", "if", "contains"]);
// An annotation in the drafts that are judged here, and a name that the compiler may not know.
const droppedKeys = new Set([...patternKeys, "format", "$schema", "$vocabulary", "$async", "nullable", meterKeyword]);
// Under these keys stand names that the author chose, not keywords.
const namesBelow = new Set([
	"properties",
	"$defs",
	"definitions",
	"dependencies",
	"dependentRequired",
	"dependentSchemas",
]);
const literals = new Set(["const", "enum", "default", "examples"]);

function strip(schema: JsonObject, hasPatterns: boolean): JsonObject {
	const inner = (value: Json): Json => {
		if (Array.isArray(value)) return value.map(inner);
		return isObject(value) ? strip(value, hasPatterns) : value;
	};
	const isUnclear = (key: string, member: Json) =>
		(key === "additionalProperties" && "patternProperties" in schema) ||
		(hasPatterns && (key.startsWith("unevaluated") || (opposingKeys.has(key) && mentions(member, unclearKeys))));
	const kept: JsonObject = {};
	for (const [key, member] of Object.entries(schema)) {
		if (droppedKeys.has(key) || isUnclear(key, member)) continue;
		if (literals.has(key)) kept[key] = member;
		else if (namesBelow.has(key) && isObject(member)) kept[key] = mapValues(member, inner);
		else kept[key] = inner(member);
	}
	kept[meterKeyword] = weighed(kept);
	return kept;
}

/** Whether a key occurs anywhere; one that is only a name counts too, which leaves out more than it must. */
function mentions(value: Json, keys: ReadonlySet<string>): boolean {
	if (Array.isArray(value)) return value.some((item) => mentions(item, keys));
	if (!isObject(value)) return false;
	return Object.entries(value).some(([key, member]) => keys.has(key) || mentions(member, keys));
}

function mapValues(members: JsonObject, change: (value: Json) => Json): JsonObject {
	return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]));
}

function isObject(value: Json): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
