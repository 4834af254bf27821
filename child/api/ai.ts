import { failure, messageOf } from "../../runtime/errors.ts";
import type { AIOptionsParams, AISchemaParams } from "../../runtime/protocol-providers.ts";
import type { Json, JsonObject } from "../../runtime/records.ts";
import { type Ask, apiRejection } from "../ask.ts";
import type { AI, AIOptions } from "../types/ai.ts";

/**
 * Questions to a model, given up when the signal aborts. What a plugin passes is checked here, so that the message
 * reaches its own call.
 */
export function createAI(ask: Ask, signal?: AbortSignal): AI {
	const within = signal === undefined ? {} : { signal };

	async function generate(given: unknown): Promise<Json> {
		const wrong = refuser("ai.generate");
		const { prompt, schema, ...options } = record(given, "it takes an object with a prompt", wrong);
		if (typeof prompt !== "string" || prompt === "") throw wrong("prompt is a text that is not empty");
		const asked = schema === undefined ? {} : { schema: schemaParams(schema, wrong) };
		return (await ask("ai.generate", { prompt, ...asked, ...optionsParams(options, wrong) }, within)).value;
	}

	return {
		async ask(question: unknown, given: AIOptions = {}) {
			const wrong = refuser("ai.ask");
			if (typeof question !== "string" || question === "") throw wrong("the question is a text that is not empty");
			const options = record(given ?? {}, "options are an object", wrong);
			return (await ask("ai.ask", { question, ...optionsParams(options, wrong) }, within)).value;
		},
		// With a schema the host has checked the object by it; without one it has checked that this is a text.
		generate: generate as AI["generate"],
	};
}

type Refuse = (reason: string) => Error;

function refuser(subject: "ai.ask" | "ai.generate"): Refuse {
	return (reason) => apiRejection(failure("invalid_params", { subject, reason }), subject);
}

function record(value: unknown, rule: string, wrong: Refuse): Record<string, unknown> {
	if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
	throw wrong(rule);
}

/** The options that a provider knows; others, which newer plugins may pass, are left out. */
function optionsParams(given: Record<string, unknown>, wrong: Refuse): AIOptionsParams {
	const { maxTokens, model } = given;
	const params: AIOptionsParams = {};
	for (const name of ["threadID", "model", "reasoningEffort", "system"] as const) {
		const value = given[name];
		if (value === undefined) continue;
		if (typeof value !== "string" || value === "") throw wrong(`${name} is a text that is not empty`);
		params[name] = value;
	}
	if (typeof model === "string" && !/^[^\s/]+(?:\/[^\s/]+)*$/.test(model)) {
		throw wrong('model is "provider/model" or a name, without spaces');
	}
	if (maxTokens === undefined) return params;
	if (typeof maxTokens !== "number" || !Number.isSafeInteger(maxTokens) || maxTokens < 1) {
		throw wrong("maxTokens is a positive integer");
	}
	return { ...params, maxTokens };
}

function schemaParams(given: unknown, wrong: Refuse): AISchemaParams {
	const { name, description, fields } = record(given, "schema is an object with name and fields", wrong);
	if (typeof name !== "string" || !/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
		throw wrong("schema.name has 1 to 64 letters, digits, _ or -");
	}
	if (description !== undefined && typeof description !== "string") throw wrong("schema.description is a text");
	const named = Object.entries(record(fields, "schema.fields is an object, a member for each field", wrong));
	if (named.length === 0) throw wrong("schema.fields names at least one field");
	const required: string[] = [];
	const properties: [string, JsonObject][] = named.map(([field, form]) => {
		const { optional, ...schema } = fieldSchema(field, form, wrong);
		if (optional !== true) required.push(field);
		return [field, schema];
	});
	return {
		name,
		...(description === undefined ? {} : { description }),
		jsonSchema: {
			type: "object",
			properties: Object.fromEntries(properties),
			required,
			additionalProperties: false,
		},
	};
}

/** A field is the name of a type, such as `string` or `number[]`, or a JSON Schema that may say `optional: true`. */
function fieldSchema(field: string, form: unknown, wrong: Refuse): JsonObject {
	const where = `schema.fields[${JSON.stringify(field.slice(0, 100))}]`;
	if (typeof form === "string") {
		const [, type = "", list] = /^(string|number|integer|boolean)(\[\])?$/.exec(form) ?? [];
		if (type !== "") return list === undefined ? { type } : { type: "array", items: { type } };
		throw wrong(`${where} is string, number, integer or boolean, each also with [], or a JSON Schema`);
	}
	const { optional, ...schema } = record(form, `${where} is the name of a type or a JSON Schema`, wrong);
	if (optional !== undefined && typeof optional !== "boolean") throw wrong(`${where}.optional is true or false`);
	if (!isPlain(form)) throw wrong(`${where} is a plain object; a library's schema has to be turned into a JSON Schema`);
	try {
		return { ...JSON.parse(JSON.stringify(schema)), ...(optional === true ? { optional } : {}) };
	} catch (error) {
		throw wrong(`${where} cannot be carried as JSON: ${messageOf(error)}`);
	}
}

function isPlain(value: unknown): boolean {
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}
