import type { Agent, AgentDefinition } from "../types/threads.ts";

/** Modes that every host has; the older names stand for the newer ones. */
export const builtinModes: ReadonlyMap<string, string> = new Map([
	["low", "low"],
	["medium", "medium"],
	["high", "high"],
	["ultra", "ultra"],
	["smart", "medium"],
	["deep", "medium"],
	["rush", "low"],
]);

/** An agent's definition, from an agent or a definition. */
export function definitionOf(agent: Agent | AgentDefinition): AgentDefinition {
	return "definition" in agent ? agent.definition : agent;
}

/** A label of an agent or mode has at most this many characters, as in Amp. */
export const labelCharsMax = 24;

/** Three, four, six or eight hexadecimal digits. */
export const colorPattern = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
