import type { PluginThread } from "./threads.ts";

/** How an agent is made: a model and instructions, or another agent that it extends. */
export interface AgentDefinition {
	name?: string;
	/** Another agent, or the key of a built-in mode. */
	extends?: string | Agent | AgentDefinition;
	/** `provider/model` */
	model?: string;
	instructions?: string;
	/** All when absent, and nothing is extended. */
	tools?: ToolSelection;
	reasoningEffort?: string;
	oracle?: unknown;
	subagents?: unknown;
	/** A positive integer. */
	compactionThresholdTokens?: number;
	features?: unknown;
	/** Label of at most 24 characters, hexadecimal colour. */
	display?: { label?: string; color?: string };
}

/**
 * Tools by name or by a pattern with `*` and `?`: exactly these, all, or those of `include` (when absent, of what is
 * extended, else all), then those of `add`, without those of `exclude`.
 */
export type ToolSelection = string[] | "all" | { include?: string[]; add?: string[]; exclude?: string[] };

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
