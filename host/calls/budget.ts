import { failure, isBroodError } from "../../runtime/errors.ts";
import type { BackendCallOptions } from "../contracts/backend.ts";

/** The time limit of one call, spent by all that runs in it: gates, the tool, those who see its result. */
export interface Budget {
	/** Limits one part of the call to what is left, or to less. */
	part(signal: AbortSignal | undefined, msMax?: number): BackendCallOptions;
	/** Why the call is given up, once its caller has gone or nothing is left. */
	over(signal: AbortSignal | undefined): Error | undefined;
}

/**
 * Makes the budget of a call; without a limit only its parts have theirs.
 *
 * @throws BroodError `usage` for what is no time
 */
export function createBudget(limitMs: number | undefined, facts: CallFacts): Budget {
	checkTimeout(limitMs);
	return new CallBudget(limitMs, facts);
}

interface CallFacts {
	plugin: string;
	subject: string;
}

class CallBudget implements Budget {
	readonly #limitMs: number | undefined;
	readonly #facts: CallFacts;
	#left: number;

	constructor(limitMs: number | undefined, facts: CallFacts) {
		this.#limitMs = limitMs;
		this.#facts = facts;
		this.#left = limitMs ?? Number.POSITIVE_INFINITY;
	}

	part(signal: AbortSignal | undefined, msMax = Number.POSITIVE_INFINITY): BackendCallOptions {
		const timeoutMs = Math.min(this.#left, msMax);
		if (timeoutMs === Number.POSITIVE_INFINITY) return { signal };
		const spent = (ms: number) => {
			this.#left -= ms;
		};
		return { signal, timeoutMs, limitMs: msMax < this.#left ? msMax : this.#limitMs, spent };
	}

	over(signal: AbortSignal | undefined): Error | undefined {
		if (signal?.aborted) return cancelled(signal, this.#facts);
		const limitMs = this.#limitMs;
		return limitMs !== undefined && this.#left <= 0 ? failure("timeout", { ...this.#facts, ms: limitMs }) : undefined;
	}
}

/** The error of a call whose caller gave it up; a BroodError as the reason of the abort is that error. */
export function cancelled({ reason }: AbortSignal, facts: { plugin?: string; subject: string }): Error {
	return isBroodError(reason) ? reason : failure("cancelled", { ...facts, cause: reason });
}

/** Refuses what is no time limit; one that no timer can count is none. @throws BroodError `usage` */
export function checkTimeout(timeoutMs: number | undefined): void {
	if (timeoutMs === undefined || (typeof timeoutMs === "number" && timeoutMs > 0)) return;
	throw failure("usage", { reason: `timeoutMs is a number of milliseconds above 0, not ${String(timeoutMs)}` });
}
