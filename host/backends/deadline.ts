import { longestTimerMs } from "../../runtime/limits.ts";

/** A time limit that stands still while it is paused. */
export interface Deadline {
	/** Aborts with the given reason when the time is over. */
	readonly signal: AbortSignal;
	/** Stops the clock; each pause needs its own resume. */
	pause(): void;
	resume(): void;
	/** Ends the clock without aborting. */
	clear(): void;
}

/** Starts a time limit of `ms` milliseconds; `reason` makes the error that the signal aborts with. */
export function startDeadline(ms: number, reason: () => Error, outer?: AbortSignal): Deadline {
	const controller = new AbortController();
	let remaining = ms;
	let started = performance.now();
	let pauses = 0;
	let cleared = false;
	let timer = startTimer(expire, remaining);
	const followOuter = () => controller.abort(outer?.reason);
	if (outer?.aborted) followOuter();
	outer?.addEventListener("abort", followOuter, { once: true });

	function expire(): void {
		controller.abort(reason());
	}

	return {
		signal: controller.signal,
		pause() {
			pauses += 1;
			if (pauses > 1 || cleared) return;
			clearTimeout(timer);
			remaining -= performance.now() - started;
		},
		resume() {
			pauses -= 1;
			if (pauses > 0 || cleared) return;
			started = performance.now();
			timer = startTimer(expire, Math.max(0, remaining));
		},
		clear() {
			cleared = true;
			clearTimeout(timer);
			outer?.removeEventListener("abort", followOuter);
		},
	};
}

/** A timer as long as asked; past what the platform can count, and for what is no time at all, there is none. */
export function startTimer(action: () => void, ms: number): ReturnType<typeof setTimeout> | undefined {
	return ms <= longestTimerMs ? setTimeout(action, ms) : undefined;
}
