import { type BroodError, failure, messageOf } from "../../runtime/errors.ts";
import { providerFailure, wrongAnswer } from "../base/provider-failure.ts";
import type { AskContext, Providers } from "../contracts/providers.ts";
import { startDeadline } from "./deadline.ts";

/** One question to a provider of the host. */
export interface ProviderQuestion {
	/** The member of `providers` that is asked. */
	provider: keyof Providers;
	/** The member of the API that was called, such as `ai.ask`. */
	subject: string;
	context: AskContext;
	/** Milliseconds that the provider has. */
	ms: number;
	/** Hears why it failed; a host maker looks in the log first. */
	problem(message: string): void;
}

/**
 * Does work that the host cannot interrupt, such as compiling a schema, one after the other and within the time that a
 * plugin may take of the host in each second.
 */
export type Paced = <Result>(signal: AbortSignal, work: () => Result | Promise<Result>) => Promise<Result>;

/**
 * Asks a provider and waits no longer than it has time, even for one that does not listen to its signal.
 *
 * @throws BroodError `timeout`, the reason of the signal, what the provider itself made with brood's codes, or
 * `provider_failed`
 */
export async function askProvider<Answer>(
	{ provider, subject, context, ms, problem }: ProviderQuestion,
	ask: (context: AskContext) => Answer | Promise<Answer>,
): Promise<Answer> {
	const { plugin } = context;
	const deadline = startDeadline(ms, () => failure("timeout", { plugin, subject, ms }), context.signal);
	const { signal } = deadline;
	const givenUp = Promise.withResolvers<never>();
	const giveUp = () => givenUp.reject(signal.reason);
	signal.addEventListener("abort", giveUp, { once: true });
	try {
		signal.throwIfAborted();
		return await Promise.race([givenUp.promise, ask({ plugin, signal })]);
	} catch (error) {
		// Nobody hears an answer that was given up by its asker.
		if (context.signal.aborted) throw context.signal.reason;
		const told = signal.aborted ? error : providerFailure(error, { provider, subject, plugin });
		problem(messageOf(told));
		throw told;
	} finally {
		signal.removeEventListener("abort", giveUp);
		deadline.clear();
	}
}

/** Says that what a provider answered is not allowed, to the plugin and in its log. @param allowed as a clause */
export function refuseAnswer(
	{ provider, subject, context: { plugin }, problem }: Omit<ProviderQuestion, "ms">,
	allowed: string,
): BroodError {
	const error = wrongAnswer({ provider, subject, plugin }, allowed);
	problem(error.message);
	return error;
}
