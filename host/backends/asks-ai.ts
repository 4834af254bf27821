import { failure, messageOf } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { AIGenerateParams } from "../../runtime/protocol-providers.ts";
import type { Json, JsonObject } from "../../runtime/records.ts";
import { readAIAnswer } from "../base/ai-answer.ts";
import { wrongAnswer } from "../base/provider-failure.ts";
import { compileSchema, isLargeSchema, type SchemaCheck } from "../base/schema-check.ts";
import type { AIAnswer, AIProvider } from "../contracts/ai.ts";
import type { AskContext } from "../contracts/ask-context.ts";
import { askProvider, type Paced, refuseAnswer } from "./ask-provider.ts";
import { parseParams } from "./door.ts";

export interface AskAIParts {
	provider: AIProvider | undefined;
	limits: Limits["ai"];
	paced: Paced;
	problem(message: string): void;
}

/** Answers `ai.ask` and `ai.generate`: what the plugin passes is parsed here, and so is what the provider answers. */
export function createAskAI({ provider, limits: { answerMs: ms }, paced, problem }: AskAIParts) {
	const present = (subject: string, { plugin }: AskContext): AIProvider => {
		if (provider !== undefined) return provider;
		throw failure("provider_missing", { plugin, subject, hint });
	};
	const questionOf = (subject: string, context: AskContext) =>
		({ provider: "ai", subject, context, ms, problem }) as const;

	async function generateObject(
		request: AIGenerateParams,
		schema: NonNullable<AIGenerateParams["schema"]>,
		context: AskContext,
	): Promise<JsonObject> {
		const subject = "ai.generate";
		const from = present(subject, context);
		const check = await paced(context.signal, () => checkOf(schema.jsonSchema));
		const fit = (answer: Json, { signal }: AskContext) => paced(signal, () => fitting(answer, check));
		const question = questionOf(subject, context);
		return askProvider(question, async (within) => {
			const first = await fit(await from.generate(request, within), within);
			if ("object" in first) return first.object;
			within.signal.throwIfAborted();
			const second = await fit(await from.generate({ ...request, problems: first.problems }, within), within);
			if ("object" in second) return second.object;
			const reason = `twice it does not fit the schema "${schema.name}": ${second.problems.join("; ")}`;
			throw wrongAnswer({ provider: "ai", subject, plugin: context.plugin }, reason);
		});
	}

	return {
		async ask(params: unknown, context: AskContext): Promise<{ value: AIAnswer }> {
			const request = await parseParams("ai.ask", params);
			const from = present("ai.ask", context);
			const question = questionOf("ai.ask", context);
			const answer = readAIAnswer(await askProvider(question, (within) => from.ask(request, within)));
			if (typeof answer === "string") throw refuseAnswer(question, answer);
			return { value: answer };
		},
		async generate(params: unknown, context: AskContext): Promise<{ value: Json }> {
			const request = await parseParams("ai.generate", params);
			if (request.schema !== undefined) return { value: await generateObject(request, request.schema, context) };
			const from = present("ai.generate", context);
			const question = questionOf("ai.generate", context);
			const text = await askProvider(question, (within) => from.generate(request, within));
			if (typeof text !== "string") throw refuseAnswer(question, "without a schema it is a text");
			return { value: text };
		},
	};
}

const hint =
	"Set BROOD_AI_URL to a server that speaks OpenAI's protocol, or let the host pass providers.ai to createHost.";

/** @throws BroodError `invalid_params`; a schema is part of what the plugin passed */
async function checkOf(jsonSchema: JsonObject): Promise<SchemaCheck> {
	const wrong = (reason: string) => failure("invalid_params", { subject: "ai.generate", reason: `schema: ${reason}` });
	if (isLargeSchema(jsonSchema)) throw wrong("it is too large to check an answer by");
	return compileSchema(jsonSchema, wrong);
}

/** An answer as JSON carries it, or why it does not fit. */
function fitting(answer: unknown, check: SchemaCheck): { object: JsonObject } | { problems: string[] } {
	try {
		const copy: Json | undefined = JSON.parse(JSON.stringify(answer) ?? "null");
		if (typeof copy !== "object" || copy === null || Array.isArray(copy)) return { problems: ["it must be object"] };
		const problems = check(copy);
		return problems.length === 0 ? { object: copy } : { problems };
	} catch (error) {
		return { problems: [`it cannot be carried as JSON: ${messageOf(error)}`] };
	}
}
