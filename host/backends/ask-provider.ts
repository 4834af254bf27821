import { failure, isBroodError, messageOf } from "../../runtime/errors.ts";
import type { AskContext } from "../contracts/ask-context.ts";
import { startDeadline } from "./deadline.ts";

/** One question to a provider of the host. */
export interface ProviderQuestion {
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
	{ subject, context, ms, problem }: ProviderQuestion,
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
		const told = signal.aborted || isBroodError(error) ? error : failed(subject, plugin, error);
		problem(messageOf(told));
		throw told;
	} finally {
		signal.removeEventListener("abort", giveUp);
		deadline.clear();
	}
}

/** Its stack is the host's own, which helps no author of a plugin. */
function failed(subject: string, plugin: string, error: unknown): Error {
	return failure("provider_failed", { plugin, subject, reason: messageOf(error) });
}
