import type { AIAnswerResult } from "../../runtime/protocol-providers.ts";

/** The three members of an answer to a question, or what is wrong with it. */
export function readAIAnswer(answer: unknown): AIAnswerResult | string {
	if (typeof answer !== "object" || answer === null) return "it is an object with result, probability and reason";
	const { result, probability, reason } = answer as Partial<Record<keyof AIAnswerResult, unknown>>;
	if (result !== "yes" && result !== "no" && result !== "uncertain") return "result is yes, no or uncertain";
	if (typeof probability !== "number" || !(probability >= 0 && probability <= 1)) {
		return "probability is a number from 0 to 1";
	}
	if (typeof reason !== "string") return "reason is a text";
	return { result, probability, reason };
}
