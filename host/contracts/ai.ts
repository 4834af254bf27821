import type { Json, JsonObject } from "../../runtime/records.ts";
import type { AskContext } from "./ask-context.ts";

/**
 * Answers plugins' questions to a model. What it answers is checked; one that rejects, or answers something else, fails
 * that one call of the plugin. An answer has `limits.ai.answerMs`, after which the signal aborts.
 */
export interface AIProvider {
	/** Judges a question that can be answered with yes or no. */
	ask(request: AskRequest, context: AskContext): Promise<AIAnswer>;
	/**
	 * A text; with a schema in the request an object that fits it. For one that does not fit, this is called once more
	 * with `problems` set.
	 */
	generate(request: GenerateRequest, context: AskContext): Promise<Json>;
}

/** What a plugin may say with a question or a prompt. */
export interface AIRequestOptions {
	/** The thread that it is about. */
	threadID?: string;
	/** `provider/model`, or a name that the provider knows; the provider's own choice when absent. */
	model?: string;
	reasoningEffort?: string;
	/** Instructions that stand before the question or prompt. */
	system?: string;
	/** A positive integer. */
	maxTokens?: number;
}

export interface AskRequest extends AIRequestOptions {
	question: string;
}

export interface GenerateRequest extends AIRequestOptions {
	prompt: string;
	schema?: GenerateSchema;
	/** Where the answer before this one did not fit the schema, a clause each. */
	problems?: string[];
}

/** The object that is asked for. */
export interface GenerateSchema {
	/** 1 to 64 letters, digits, `_` or `-`. */
	name: string;
	description?: string;
	/** Of type object, with the members that the plugin named and no other. */
	jsonSchema: JsonObject;
}

export interface AIAnswer {
	result: "yes" | "no" | "uncertain";
	/** That the answer is yes, from 0 to 1. */
	probability: number;
	reason: string;
}
