import { failure, messageOf } from "../../runtime/errors.ts";
import type { Json, JsonObject, ToolItem } from "../../runtime/records.ts";

/**
 * Checks an input against the tool's schema. The schema is compiled before the tool's first call.
 * @throws BroodError `invalid_input`, or `invalid_schema` for a schema that cannot be compiled
 */
export async function checkInput(plugin: string, tool: ToolItem, input: JsonObject): Promise<void> {
	const check = await compiled(plugin, tool);
	const reason = check(input);
	if (reason === undefined) return;
	throw failure("invalid_input", { plugin, subject: tool.name, reason, hint: "See the tool's inputSchema." });
}

type Check = (input: JsonObject) => string | undefined;

const checks = new WeakMap<ToolItem, Check>();

async function compiled(plugin: string, tool: ToolItem): Promise<Check> {
	const known = checks.get(tool);
	if (known !== undefined) return known;
	const check = Object.keys(tool.inputSchema).every((key) => key === "type") ? accept : await compile(plugin, tool);
	checks.set(tool, check);
	return check;
}

const accept: Check = () => undefined;

async function compile(plugin: string, { name, inputSchema }: ToolItem): Promise<Check> {
	const draft07 = String(inputSchema.$schema ?? "").includes("draft-07");
	const { Ajv } = draft07 ? await import("ajv") : { Ajv: (await import("ajv/dist/2020.js")).Ajv2020 };
	const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, logger: false });
	try {
		const validate = ajv.compile(withoutPatterns(inputSchema));
		return (input) =>
			validate(input)
				? undefined
				: (validate.errors ?? [])
						.slice(0, 5)
						.map(({ instancePath, message }) => `${instancePath === "" ? "it" : instancePath.slice(1)} ${message}`)
						.join("; ");
	} catch (error) {
		throw failure("invalid_schema", { plugin, subject: name, reason: messageOf(error) });
	}
}

/** Regular expressions of a plugin do not run in the host: a hostile one would block it. */
function withoutPatterns(schema: Json): JsonObject {
	const copy = strip(schema);
	return typeof copy === "object" && copy !== null && !Array.isArray(copy) ? copy : {};
}

// Under these keys stand names that the author chose, not keywords.
const namesBelow = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
const literals = new Set(["const", "enum", "default", "examples"]);

function strip(value: Json): Json {
	if (Array.isArray(value)) return value.map(strip);
	if (typeof value !== "object" || value === null) return value;
	const kept: JsonObject = {};
	for (const [key, member] of Object.entries(value)) {
		if (key === "pattern" || key === "patternProperties" || key === "format" || key === "$schema") continue;
		// Without its patterns such an object cannot tell which members are additional.
		if ("patternProperties" in value && (key === "additionalProperties" || key === "unevaluatedProperties")) continue;
		kept[key] = literals.has(key) ? member : namesBelow.has(key) ? stripEach(member) : strip(member);
	}
	return kept;
}

function stripEach(members: Json): Json {
	if (typeof members !== "object" || members === null || Array.isArray(members)) return members;
	return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, strip(member)]));
}
