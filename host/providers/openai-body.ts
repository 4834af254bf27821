import type { JsonObject } from "../../runtime/records.ts";
import type { GenerateSchema } from "../contracts/ai.ts";

/** One prompt, as a server is asked it. */
export interface ChatRequest {
	prompt: string;
	system?: string;
	model?: string;
	maxTokens?: number;
	reasoningEffort?: string;
	/** Asks for an object. */
	schema?: GenerateSchema;
}

/** The body of a request to `chat/completions`. */
export function chatBody({ prompt, system, model, maxTokens, reasoningEffort, schema }: ChatRequest): JsonObject {
	return {
		...(model === undefined ? {} : { model }),
		messages: messagesOf(system, prompt),
		...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
		...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort }),
		...(schema === undefined ? {} : { response_format: responseFormat(schema) }),
	};
}

/**
 * The same request for a server that refused it: with the other name of `max_tokens`, without the effort, or with the
 * schema in words. Undefined when nothing is left to change.
 */
export function adapted(
	body: JsonObject,
	{ prompt, system, schema }: ChatRequest,
	refusal: string,
): JsonObject | undefined {
	const { max_tokens, ...withoutTokens } = body;
	if (max_tokens !== undefined && refusal.includes("max_completion_tokens")) {
		return { ...withoutTokens, max_completion_tokens: max_tokens };
	}
	const { reasoning_effort, ...withoutEffort } = body;
	if (reasoning_effort !== undefined && refusal.includes("reasoning_effort")) return withoutEffort;
	const { response_format, ...withoutFormat } = body;
	if (response_format === undefined || schema === undefined) return undefined;
	const instructions = system === undefined ? inWords(schema) : `${system}\n\n${inWords(schema)}`;
	return { ...withoutFormat, messages: messagesOf(instructions, prompt) };
}

function messagesOf(system: string | undefined, prompt: string): JsonObject[] {
	const user = { role: "user", content: prompt };
	return system === undefined ? [user] : [{ role: "system", content: system }, user];
}

// Not strict: that mode knows only a part of JSON Schema, and the host checks the answer.
function responseFormat({ name, description, jsonSchema }: GenerateSchema): JsonObject {
	const described = description === undefined ? {} : { description };
	return { type: "json_schema", json_schema: { name, ...described, schema: jsonSchema, strict: false } };
}

function inWords({ name, description, jsonSchema }: GenerateSchema): string {
	const about = description === undefined ? "" : ` (${description})`;
	return `Answer with nothing but one JSON object, "${name}"${about}, that fits this JSON Schema: ${JSON.stringify(jsonSchema)}`;
}
