import type { AgentDefinition } from "./types/threads.ts";
import type { ToolDefinition } from "./types/tools.ts";

/** Gives back its argument, with its type inferred. */
export function defineAgent<Definition extends AgentDefinition>(definition: Definition): Definition {
	return definition;
}

/** Gives back its argument, with its type inferred. */
export function defineTool<Input = Record<string, unknown>>(tool: ToolDefinition<Input>): ToolDefinition<Input> {
	return tool;
}
