import { failure } from "../../runtime/errors.ts";
import type { AgentRunResult } from "../../runtime/protocol-providers.ts";
import type { ThreadReference } from "../../runtime/threads.ts";
import type { AgentsProvider } from "../contracts/agents.ts";
import type { AskContext } from "../contracts/ask-context.ts";
import { askProvider, refuseAnswer } from "./ask-provider.ts";
import { parseParams } from "./door.ts";

export interface AskAgentsParts {
	provider: AgentsProvider | undefined;
	problem(message: string): void;
}

/** Answers `agent.run` and `agent.createThread`; an agent may take as long as its plugin waits. */
export function createAskAgents({ provider, problem }: AskAgentsParts) {
	const present = (subject: string, { plugin }: AskContext): AgentsProvider => {
		if (provider !== undefined) return provider;
		throw failure("provider_missing", { plugin, subject, hint: "The host can pass providers.agents to createHost." });
	};
	const questionOf = (subject: string, context: AskContext) =>
		({ provider: "agents", subject, context, ms: Number.POSITIVE_INFINITY, problem }) as const;

	return {
		async run(params: unknown, context: AskContext): Promise<{ value: AgentRunResult }> {
			const { definition, message, options = {} } = await parseParams("agent.run", params);
			const from = present("agent.run", context);
			const question = questionOf("agent.run", context);
			const given: unknown = await askProvider(question, (within) =>
				from.run({ definition, message, options }, within),
			);
			const { threadID, text } = membersOf(given);
			if (typeof threadID === "string" && typeof text === "string") return { value: { threadID, text } };
			throw refuseAnswer(question, "it is { threadID, text }, both texts");
		},
		async createThread(params: unknown, context: AskContext): Promise<{ value: ThreadReference }> {
			const { definition, options = {} } = await parseParams("agent.createThread", params);
			const from = present("agent.createThread", context);
			const question = questionOf("agent.createThread", context);
			const given: unknown = await askProvider(question, (within) =>
				from.createThread({ definition, options }, within),
			);
			const { id } = membersOf(given);
			if (typeof id === "string" && id !== "") return { value: { id } };
			throw refuseAnswer(question, "it has the id of a thread");
		},
	};
}

function membersOf(value: unknown): Record<string, unknown> {
	return typeof value === "object" && value !== null ? { ...value } : {};
}
