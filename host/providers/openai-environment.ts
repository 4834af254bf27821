import { failure } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { AIProvider } from "../contracts/ai.ts";
import type { AskContext } from "../contracts/ask-context.ts";

/** The AI provider that BROOD_AI_URL, BROOD_AI_MODEL and BROOD_AI_KEY describe, made when it is first asked. */
export function openAIFromEnvironment(
	{ BROOD_AI_URL: url = "", BROOD_AI_MODEL: model, BROOD_AI_KEY: key }: Record<string, string | undefined>,
	limits: Limits["ai"],
): AIProvider | undefined {
	if (url === "") return undefined;
	let made: Promise<AIProvider> | undefined;

	async function provider(subject: string, { plugin }: AskContext): Promise<AIProvider> {
		made ??= import("./openai.ts").then(({ openAI }) => openAI({ url, model, key, limits }));
		try {
			return await made;
		} catch {
			const reason = "BROOD_AI_URL is no http or https URL";
			throw failure("provider_failed", { provider: "ai", plugin, subject, reason });
		}
	}

	return {
		ask: async (request, context) => (await provider("ai.ask", context)).ask(request, context),
		generate: async (request, context) => (await provider("ai.generate", context)).generate(request, context),
	};
}
