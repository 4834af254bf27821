/** Time as the host sees it; tests put another in its place. */
export interface Clock {
	/** Milliseconds on a clock that only goes forward. */
	now(): number;
	/** Runs `action` after `ms` milliseconds unless cancelled first; does not keep the program alive. */
	after(ms: number, action: () => void): () => void;
}

export const systemClock: Clock = {
	now: () => performance.now(),
	after(ms, action) {
		const timer = setTimeout(action, ms);
		timer.unref();
		return () => clearTimeout(timer);
	},
};
