import type { AgentDefinitionParams, AgentRunResult, ToolSelectionParams } from "../../runtime/protocol-providers.ts";
import type { JsonObject } from "../../runtime/records.ts";
import type { ThreadReference } from "../../runtime/threads.ts";
import type { AskContext } from "./ask-context.ts";

/** An agent as a plugin defined it, checked; `resolveAgent` follows what it extends and picks its tools. */
export type AgentDefinition = AgentDefinitionParams;
export type ToolSelection = ToolSelectionParams;

/** Runs the agents of plugins. What it answers is checked; one that rejects fails that one call of the plugin. */
export interface AgentsProvider {
	/** Gives the agent a message in a thread of its own, and answers when it is done. */
	run(request: AgentRunRequest, context: AskContext): Promise<AgentRunResult>;
	/** Makes a thread that the agent will answer in: one that the threads provider knows. */
	createThread(request: AgentThreadRequest, context: AskContext): Promise<ThreadReference>;
}

export interface AgentThreadRequest {
	definition: AgentDefinition;
	/** What else the plugin passed. */
	options: JsonObject;
}

export interface AgentRunRequest extends AgentThreadRequest {
	message: string;
}
