import type { Observable } from "./common.ts";

/** Questions to a model; a host without an AI provider rejects them. */
export interface AI {
	ask(question: string, options?: AIOptions): Promise<AIAnswer>;
	generate<Result = string>(options: AIOptions & { prompt: string; schema?: AISchema }): Promise<Result>;
}

export interface AIOptions {
	threadID?: string;
	model?: string;
	reasoningEffort?: string;
	system?: string;
	maxTokens?: number;
}

export interface AIAnswer {
	result: "yes" | "no" | "uncertain";
	/** From 0 to 1. */
	probability: number;
	reason: string;
}

export interface AISchema {
	name: string;
	description?: string;
	fields: Record<string, unknown>;
}

/** How an agent is made: a model and instructions, or another agent that it extends. */
export interface AgentDefinition {
	name?: string;
	extends?: string | AgentDefinition;
	/** `provider/model` */
	model?: string;
	instructions?: string;
	tools?: string[] | "all" | { include?: string[]; add?: string[]; exclude?: string[] };
	reasoningEffort?: string;
	oracle?: unknown;
	subagents?: unknown;
	/** A positive integer. */
	compactionThresholdTokens?: number;
	features?: unknown;
	/** Label of at most 24 characters, hexadecimal colour. */
	display?: { label?: string; color?: string };
}

export interface Agent {
	readonly definition: AgentDefinition;
	createThread(options?: Record<string, unknown>): Promise<PluginThread>;
	run(message: string, options?: Record<string, unknown>): Promise<{ threadID: string; text: string }>;
}

/** An agent mode: an agent under a key that a person can pick. */
export interface AgentMode {
	/** Keys that differ only by case are the same. */
	key: string;
	/** At most 24 characters; `agent.display.label` when absent. */
	label?: string;
	description?: string;
	/** Hexadecimal colour. */
	color?: string;
	agent: Agent | AgentDefinition;
}

export type ThreadState = "idle" | "running" | "awaiting-approval" | "error";

/** A thread of the host; each method needs a thread provider. */
export interface PluginThread {
	readonly id: string;
	readonly title: Observable<string> & { get(): Promise<string> };
	readonly state: Observable<ThreadState> & { get(): Promise<ThreadState> };
	agent(): Promise<unknown>;
	parentThreadID(): Promise<string | null>;
	waitForResponse(options?: { timeoutMs?: number }): Promise<unknown>;
	cancel(): Promise<void>;
	setVisibility(visibility: "private" | "workspace"): Promise<void>;
	setMultiplayer(options: { ttlSeconds: number } | null): Promise<void>;
	messages(options?: Record<string, unknown>): Promise<unknown[]>;
	append(messages: { type: "user-message"; content: string }[]): Promise<void>;
	appendUserMessage(message: string, options?: { steer?: boolean }): Promise<void>;
}
