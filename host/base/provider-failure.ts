import { type BroodError, failure, isBroodError, messageOf } from "../../runtime/errors.ts";

/** A question of a plugin to a provider of the host, as messages name it. */
export interface ProviderCall {
	/** The member of `providers`, such as `ai`. */
	provider: string;
	/** The member of the API that was called, such as `ai.ask`. */
	subject: string;
	plugin: string;
}

/** What a provider threw, as an error that names provider and call; an error of brood says itself what it is about. */
export function providerFailure(thrown: unknown, { provider, subject, plugin }: ProviderCall): BroodError {
	if (isBroodError(thrown)) return thrown;
	return failure("provider_failed", { provider, subject, plugin, reason: messageOf(thrown), cause: thrown });
}

/** Says that a provider gave what is not allowed, which is no fault of the plugin. @param allowed as a clause */
export function wrongAnswer({ provider, subject, plugin }: ProviderCall, allowed: string): BroodError {
	return failure("invalid_answer", { provider, subject, plugin, reason: allowed });
}
