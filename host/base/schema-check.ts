import type { Ajv } from "ajv";
import { messageOf } from "../../runtime/errors.ts";
import type { Json, JsonObject } from "../../runtime/records.ts";
import { type CodeParts, meter, meterKeyword, weighed } from "./check-meter.ts";
import { isBoundless } from "./schema-work.ts";
import { isHeavier } from "./weight.ts";

/** Says what does not fit a schema, a clause a problem; at most five. */
export type SchemaCheck = (value: Json) => string[];

/**
 * Compiles a schema that a plugin wrote. Neither compiling nor checking can hold up the host: both count what they cost.
 *
 * @param refused makes the error for a schema that cannot be compiled, or fails as it is used; it is thrown
 */
export async function compileSchema(schema: JsonObject, refused: (reason: string) => Error): Promise<SchemaCheck> {
	const { $schema } = schema;
	if ($schema !== undefined && typeof $schema !== "string") throw refused("its $schema is no text");
	const draft07 = $schema?.includes("draft-07") === true;
	const { Ajv, code } = draft07 ? await draft07Validator() : await draft2020Validator();
	const ajv = new Ajv({ ...ajvOptions, validateSchema: false });
	const counted = meter(ajv, code);
	const orRefuse = <Result>(task: () => Result): Result => {
		try {
			return task();
		} catch (error) {
			throw refused(messageOf(error));
		}
	};
	const { faultsOf } = judges.get(Ajv) ?? createJudge(new Ajv(ajvOptions), code);
	judges.set(Ajv, { faultsOf });
	const validate = orRefuse(() => {
		if (isBoundless(schema)) throw new RangeError("its references multiply beyond what can be checked");
		const kept = withoutPatterns(schema);
		const faults = faultsOf(kept);
		if (faults.length > 0) throw new TypeError(`schema is invalid: ${faults.join(", ")}`);
		return ajv.compile(kept);
	});
	return (value) => {
		// A schema that refers to itself without end fails only as it is used.
		const isRight = orRefuse(() => counted.run(() => validate(value)));
		if (isRight) return [];
		if (isRight === undefined) return ["it holds too much to be checked by the schema"];
		const problems = (validate.errors ?? []).map(
			({ instancePath, message }) => `${instancePath === "" ? "it" : instancePath.slice(1)} ${message}`,
		);
		return firstFew(problems);
	};
}

/** What is there of the validator for one draft; nothing of the other is loaded. */
interface Validator {
	Ajv: new (options: typeof ajvOptions & { validateSchema?: boolean }) => Ajv;
	code: CodeParts;
}

async function draft07Validator(): Promise<Validator> {
	const { Ajv, ...code } = await import("ajv");
	return { Ajv, code };
}

async function draft2020Validator(): Promise<Validator> {
	const { Ajv2020, ...code } = await import("ajv/dist/2020.js");
	return { Ajv: Ajv2020, code };
}

interface Judge {
	/** What makes something no schema, a clause a fault. */
	faultsOf(schema: JsonObject): string[];
}

// To compile the schema of schemas takes far longer than to compile one of a tool, and it is the same for all of them.
const judges = new Map<unknown, Judge>();

function createJudge(ajv: Ajv, code: CodeParts): Judge {
	const counted = meter(ajv, code);
	return {
		faultsOf(schema) {
			const isSchema = counted.run(() => ajv.validateSchema(schema) === true);
			if (isSchema === undefined) return ["it holds too much to be looked at"];
			if (isSchema) return [];
			return firstFew((ajv.errors ?? []).map(({ instancePath, message }) => `data${instancePath} ${message}`));
		},
	};
}

function firstFew(problems: readonly string[]): string[] {
	return [...new Set(problems)].slice(0, 5);
}

/** Whether compiling a schema would hold up everybody. */
export function isLargeSchema(schema: JsonObject): boolean {
	return isHeavier(schema, partsMax, depthMax);
}

// A schema in the wild has some hundred parts and a few levels; compiling takes some 20 µs a part, and more with each level.
const partsMax = 2_000;
const depthMax = 128;

const ajvOptions = {
	strict: false,
	allErrors: true,
	validateFormats: false,
	logger: false,
	// Names of members are the author's; what objects inherit must not stand in for them.
	ownProperties: true,
	// To make the code of a check smaller takes longer than its checks then save.
	code: { optimize: false },
} as const;

/**
 * Regular expressions of a plugin do not run in the host: a hostile one would block it. What says no where such an
 * expression says yes is left out with it, so that no input is refused that the whole schema would allow.
 */
function withoutPatterns(schema: JsonObject): JsonObject {
	return strip(schema, hasPatterns(schema));
}

/** Whether a schema has expressions, so that some of what stands around them may be left out too. */
export function hasPatterns(schema: Json): boolean {
	return mentions(schema, patternKeys);
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

/** The parts of a schema that say nothing here, as paths such as `properties.mail.format`; at most `max`. */
export function ignoredParts(schema: JsonObject, max = ignoredMax): string[] {
	const found: string[] = [];
	const look = (value: Json, path: string, areNames: boolean): void => {
		if (found.length >= max) return;
		if (Array.isArray(value)) for (const [index, item] of value.entries()) look(item, `${path}[${index}]`, false);
		if (!isObject(value)) return;
		for (const [key, member] of Object.entries(value)) {
			const below = path === "" ? key : `${path}.${key}`;
			if (!areNames && uncheckedKeys.has(key)) found.push(below);
			else if (areNames || !literals.has(key)) look(member, below, !areNames && namesBelow.has(key));
		}
	};
	look(schema, "", false);
	return found;
}

// Who sees these knows the rest.
const ignoredMax = 10;
const uncheckedKeys = new Set([...patternKeys, "format"]);

function strip(schema: JsonObject, isPatterned: boolean): JsonObject {
	const inner = (value: Json): Json => {
		if (Array.isArray(value)) return value.map(inner);
		return isObject(value) ? strip(value, isPatterned) : value;
	};
	const isUnclear = (key: string, member: Json) =>
		(key === "additionalProperties" && "patternProperties" in schema) ||
		(isPatterned && (key.startsWith("unevaluated") || (opposingKeys.has(key) && mentions(member, unclearKeys))));
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
