import { failure } from "../../runtime/errors.ts";
import type { JsonObject } from "../../runtime/records.ts";
import { type Ask, apiRejection } from "../ask.ts";
import type { Agent, AgentDefinition, Threads } from "../types/threads.ts";
import { builtinModes } from "./agent-rules.ts";

/** Agents are definitions; running one needs an agent provider. */
export function createAgents(ask: Ask, threads: () => Threads) {
	return {
		createAgent(definition: AgentDefinition): Agent {
			return agentOf(ask, threads, definitions().checkedDefinition(definition));
		},
		getBuiltinAgent(mode: string, options?: { reasoningEffort?: string } | null): Agent {
			const reasoningEffort = options?.reasoningEffort;
			const known = builtinModes.get(mode);
			if (known === undefined) {
				const names = [...builtinModes.keys()].join(", ");
				throw refused("getBuiltinAgent", `there is no mode "${String(mode)}"; there are ${names}`);
			}
			const base = { extends: known, name: known };
			if (reasoningEffort === undefined) return agentOf(ask, threads, base);
			if (typeof reasoningEffort === "string") return agentOf(ask, threads, { ...base, reasoningEffort });
			throw refused("getBuiltinAgent", `reasoningEffort is a text such as "high", not ${String(reasoningEffort)}`);
		},
	};
}

/** What answers in a thread: a definition, or the key of a mode. */
export function agentOfThread(ask: Ask, threads: Threads, agent: AgentDefinition | string): Agent {
	if (typeof agent !== "string") return agentOf(ask, () => threads, agent);
	const mode = builtinModes.get(agent) ?? agent;
	return agentOf(ask, () => threads, { extends: mode, name: mode });
}

function agentOf(ask: Ask, threads: () => Threads, definition: AgentDefinition): Agent {
	const params = (name: AgentCall, options: object | undefined) => ({
		definition: definitions().definitionParams(definition),
		...(options === undefined ? {} : { options: carried(name, options) }),
	});
	return {
		definition: definitions().describedDefinition(definition),
		async createThread(options) {
			const { value } = await ask("agent.createThread", params("agent.createThread", options));
			return threads().get(value.id);
		},
		async run(message, options) {
			return (await ask("agent.run", { ...params("agent.run", options), message })).value;
		},
	};
}

/** A copy that JSON can carry; a value that it cannot carry throws here, in the plugin's own call. */
function carried(name: AgentCall, value: object): JsonObject {
	try {
		return JSON.parse(JSON.stringify(value));
	} catch (error) {
		throw apiRejection(error, name);
	}
}

type AgentCall = "agent.run" | "agent.createThread";

function definitions() {
	return require("./agent-definition.ts") as typeof import("./agent-definition.ts");
}

function refused(subject: string, reason: string): Error {
	return failure("invalid_registration", { subject, reason });
}
