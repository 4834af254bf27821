import { longestTimerMs } from "../../runtime/limits.ts";

/** Time as the host sees it; tests put another in its place. */
export interface Clock {
	/** Milliseconds on a clock that only goes forward. */
	now(): number;
	/**
	 * Runs `action` after `ms` milliseconds unless cancelled first, and never when a timer cannot count so far; does not
	 * keep the program alive.
	 */
	after(ms: number, action: () => void): () => void;
}

export const systemClock: Clock = {
	now: () => performance.now(),
	after(ms, action) {
		// The platform would take such a time for one millisecond.
		if (!(ms <= longestTimerMs)) return () => {};
		const timer = setTimeout(action, ms);
		timer.unref();
		return () => clearTimeout(timer);
	},
};
