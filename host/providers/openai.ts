import { failure } from "../../runtime/errors.ts";
import { type Limits, limits as standard, withOverrides } from "../../runtime/limits.ts";
import type { Json, JsonObject } from "../../runtime/records.ts";
import { readAIAnswer } from "../base/ai-answer.ts";
import { anObject, aText, checkOptions, refuse } from "../base/options.ts";
import type { AIProvider, AIRequestOptions, GenerateSchema } from "../contracts/ai.ts";
import type { AskContext } from "../contracts/ask-context.ts";
import type { ChatRequest } from "./openai-body.ts";
import { createChat } from "./openai-chat.ts";

export interface OpenAIOptions {
	/** Of the server, with or without its path: `/v1` is added where there is none, and then `/chat/completions`. */
	url: string;
	/** Asked where a plugin names no model; without both the server chooses. */
	model?: string | undefined;
	/** Sent as a bearer token, and never shown. */
	key?: string | undefined;
	/** Other bounds than the defaults. */
	limits?: Partial<Limits["ai"]>;
}

/**
 * An AI provider that asks a server which speaks OpenAI's protocol. Neither the key nor a prompt or an answer is logged.
 *
 * @throws BroodError `usage` when `url` is no http or https URL, and for another option that cannot be used
 */
export function openAI(options: OpenAIOptions): AIProvider {
	checkOptions("openAI", options, { url: aText, model: aText, key: aText, limits: anObject });
	const { url, model, key, limits } = options;
	if (url === undefined) refuse("openAI needs the url of a server");
	if (limits !== undefined) withOverrides({ ai: limits });
	const chat = createChat({
		url: chatURL(url),
		key: key?.trim() || undefined,
		limits: { ...standard.ai, ...limits },
	});
	const named = model === "" ? undefined : model;

	return {
		async ask({ question, system, ...options }, context) {
			const instructions = system === undefined ? judgeText : `${system}\n\n${judgeText}`;
			const request = { ...chatOptions(options, named), system: instructions, prompt: question, schema: answerSchema };
			const object = objectIn(await chat("ai.ask", request, context));
			const { result, ...others } = object ?? {};
			const answer = readAIAnswer({ ...others, result: typeof result === "string" ? result.toLowerCase() : result });
			if (typeof answer === "string") throw failed("ai.ask", context, `in the model's answer ${answer}`);
			return answer;
		},
		async generate({ prompt, system, schema, problems, ...options }, context) {
			const request: ChatRequest = { ...chatOptions(options, named), prompt: repeated(prompt, problems) };
			if (system !== undefined) request.system = system;
			if (schema === undefined) return chat("ai.generate", request, context);
			const text = await chat("ai.generate", { ...request, schema }, context);
			// What holds no object does not fit any schema, which the host says.
			return objectIn(text) ?? text;
		},
	};
}

function failed(subject: string, { plugin }: AskContext, reason: string): Error {
	return failure("provider_failed", { provider: "ai", plugin, subject, reason });
}

function chatURL(text: string): URL {
	const url = URL.parse(text.trim());
	if (url === null || !/^https?:$/.test(url.protocol)) {
		throw failure("usage", { reason: "the url of an AI server begins with http:// or https://" });
	}
	const path = url.pathname.replace(/\/+$/, "");
	if (!path.endsWith("/chat/completions")) url.pathname = `${path === "" ? "/v1" : path}/chat/completions`;
	return url;
}

function chatOptions(options: AIRequestOptions, standardModel: string | undefined): Omit<ChatRequest, "prompt"> {
	const { model = standardModel, maxTokens, reasoningEffort } = options;
	return {
		...(model === undefined ? {} : { model }),
		...(maxTokens === undefined ? {} : { maxTokens }),
		...(reasoningEffort === undefined ? {} : { reasoningEffort }),
	};
}

function repeated(prompt: string, problems: string[] | undefined): string {
	if (problems === undefined) return prompt;
	return `${prompt}\n\nThe answer before this one did not fit the schema: ${problems.join("; ")}. Answer again, so that it fits.`;
}

const judgeText = [
	"Judge the question that follows. Answer with one JSON object and nothing else:",
	'result is "yes", "no" or "uncertain"; probability is a number from 0 to 1, how likely it is that the answer is yes;',
	"reason says why in one or two sentences.",
].join(" ");

const answerSchema: GenerateSchema = {
	name: "judgement",
	jsonSchema: {
		type: "object",
		properties: {
			result: { type: "string", enum: ["yes", "no", "uncertain"] },
			probability: { type: "number" },
			reason: { type: "string" },
		},
		required: ["result", "probability", "reason"],
		additionalProperties: false,
	},
};

/** The object in a text: all of it, or what stands between the first brace and the last, as in a block of code. */
function objectIn(text: string): JsonObject | undefined {
	return parsed(text) ?? parsed(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
}

function parsed(text: string): JsonObject | undefined {
	try {
		const value: Json = JSON.parse(text);
		return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
