import type { Bytes } from "./bytes.ts";
import type { Json, JsonObject } from "./records.ts";

/** What a plugin says with a question or a prompt; a provider makes of it what its models know. */
export interface AIOptionsParams {
	threadID?: string;
	/** `provider/model`, or a name that the provider knows. */
	model?: string;
	reasoningEffort?: string;
	system?: string;
	/** A positive integer. */
	maxTokens?: number;
}

export interface AIAskParams extends AIOptionsParams {
	question: string;
}

export interface AIGenerateParams extends AIOptionsParams {
	prompt: string;
	schema?: AISchemaParams;
}

/** The object that is asked for. */
export interface AISchemaParams {
	name: string;
	description?: string;
	/** A JSON Schema of type object. */
	jsonSchema: JsonObject;
}

export interface AIAnswerResult {
	result: "yes" | "no" | "uncertain";
	/** From 0 to 1. */
	probability: number;
	reason: string;
}

/** The layer of settings that is changed. */
export type ConfigurationTarget = "workspace" | "global";

export interface ConfigurationUpdateParams {
	partial: JsonObject;
	target: ConfigurationTarget;
}

export interface ConfigurationDeleteParams {
	key: string;
	target: ConfigurationTarget;
}

/** The settings now; told to a child as long as its call of `configuration.subscribe` goes on, first of all at once. */
export interface ConfigurationChange {
	settings: JsonObject;
}

/** One wish of a plugin that the executor lives on; its id is the host's. */
export interface KeepAlive {
	id: number;
}

/** An agent as a plugin defined it; what it extends is a definition again, or the key of a built-in mode. */
export interface AgentDefinitionParams {
	name?: string;
	extends?: string | AgentDefinitionParams;
	/** `provider/model` */
	model?: string;
	instructions?: string;
	tools?: ToolSelectionParams;
	reasoningEffort?: string;
	oracle?: Json;
	subagents?: Json;
	compactionThresholdTokens?: number;
	features?: Json;
	display?: { label?: string; color?: string };
}

/**
 * The tools of an agent, by name or by a pattern with `*` and `?`: exactly these, all, or those of `include` (when
 * absent, of what is extended, else all), then those of `add`, without those of `exclude`.
 */
export type ToolSelectionParams = string[] | "all" | { include?: string[] | "all"; add?: string[]; exclude?: string[] };

export interface AgentRunParams {
	definition: AgentDefinitionParams;
	message: string;
	options?: JsonObject;
}

export interface AgentThreadParams {
	definition: AgentDefinitionParams;
	options?: JsonObject;
}

export interface AgentRunResult {
	threadID: string;
	/** What the agent answered. */
	text: string;
}

export interface AttachmentParams {
	/** Base64 where the wire carries no bytes. */
	data: string | Bytes;
	mimeType: string;
}

export interface WebhookCreateParams {
	key: string;
	/** Names of the request headers that are passed on, in lower case. */
	headers: string[];
}

export interface WebhookExecuteParams {
	key: string;
	event: WebhookEventParams;
	thread: { id: string };
}

export interface WebhookEventParams {
	id: string;
	/** Base64. */
	body: string;
	headers: Record<string, string>;
	metadata: JsonObject;
	/** ISO 8601. */
	receivedAt: string;
}
