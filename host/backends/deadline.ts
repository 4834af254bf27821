import { startCountdown } from "../base/countdown.ts";

/** A time limit that stands still while it is paused. */
export interface Deadline {
	/** Aborts with the given reason when the time is over. */
	readonly signal: AbortSignal;
	/** Stops the clock; each pause needs its own resume. */
	pause(): void;
	resume(): void;
	/** Ends the clock without aborting. @returns the milliseconds that were counted */
	clear(): number;
}

/**
 * Starts a time limit of `ms` milliseconds in which this program runs; `reason` makes the error that the signal aborts
 * with.
 */
export function startDeadline(ms: number, reason: () => Error, outer?: AbortSignal): Deadline {
	const controller = new AbortController();
	const { pause, resume, clear } = startCountdown(ms, () => controller.abort(reason()));
	const followOuter = () => controller.abort(outer?.reason);
	if (outer?.aborted) followOuter();
	outer?.addEventListener("abort", followOuter, { once: true });

	return {
		signal: controller.signal,
		pause,
		resume,
		clear() {
			outer?.removeEventListener("abort", followOuter);
			return clear();
		},
	};
}
