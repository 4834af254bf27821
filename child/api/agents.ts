import { failure } from "../../runtime/errors.ts";
import type { JsonObject } from "../../runtime/records.ts";
import type { Ask } from "../ask.ts";
import type { Agent, AgentDefinition, PluginThread } from "../types/agents.ts";

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

/** Agents are definitions; running one needs an agent provider. */
export function createAgents(ask: Ask) {
	return {
		createAgent(definition: AgentDefinition): Agent {
			checkDefinition(definition);
			return agentOf(ask, definition);
		},
		getBuiltinAgent(mode: string): Agent {
			const known = builtinModes.get(mode);
			if (known === undefined) {
				const names = [...builtinModes.keys()].join(", ");
				throw refused("getBuiltinAgent", `there is no mode "${String(mode)}"; there are ${names}`);
			}
			return agentOf(ask, { extends: known, name: known });
		},
	};
}

/** An agent's definition, from an agent or a definition. */
export function definitionOf(agent: Agent | AgentDefinition): AgentDefinition {
	return "definition" in agent ? agent.definition : agent;
}

/** A label of an agent or mode has at most this many characters, as in Amp. */
export const labelCharsMax = 24;

/** Three, four, six or eight hexadecimal digits. */
export const colorPattern = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

function agentOf(ask: Ask, definition: AgentDefinition): Agent {
	const wire = (more: object): JsonObject => JSON.parse(JSON.stringify({ definition, ...more }));
	return {
		definition,
		async createThread(options) {
			const { value } = await ask("agent.createThread", wire({ options }));
			const { createThread } = require("./members.ts") as typeof import("./members.ts");
			return createThread(ask, threadID(value)) satisfies PluginThread;
		},
		run: async (message, options) => (await ask("agent.run", wire({ message, options }))).value as never,
	};
}

function threadID(value: unknown): string {
	if (typeof value === "object" && value !== null && "id" in value && typeof value.id === "string") return value.id;
	throw failure("invalid_answer", { subject: "agent.createThread", reason: "the host named no thread" });
}

function checkDefinition(definition: AgentDefinition): void {
	if (typeof definition !== "object" || definition === null) throw refused("createAgent", "it takes an object");
	const { model, instructions, compactionThresholdTokens: threshold, display } = definition;
	if (definition.extends === undefined) {
		if (typeof model !== "string") throw refused("createAgent", "model is required unless extends is given");
		if (typeof instructions !== "string") {
			throw refused("createAgent", "instructions are required unless extends is given");
		}
	}
	if (model !== undefined && !/^[^/\s]+\/\S+$/.test(String(model))) {
		throw refused("createAgent", `model is "provider/model", not "${String(model)}"`);
	}
	if (threshold !== undefined && !(Number.isSafeInteger(threshold) && threshold > 0)) {
		throw refused("createAgent", "compactionThresholdTokens is a positive integer");
	}
	if (display?.label !== undefined && !(typeof display.label === "string" && display.label.length <= labelCharsMax)) {
		throw refused("createAgent", `display.label is a text of at most ${labelCharsMax} characters`);
	}
	if (display?.color !== undefined && !colorPattern.test(display.color)) {
		throw refused("createAgent", `display.color is a hexadecimal colour such as "#3af", not "${display.color}"`);
	}
}

function refused(subject: string, reason: string): Error {
	return failure("invalid_registration", { subject, reason });
}
