import type { Clock } from "../base/clock.ts";

/** Waits that another change ends. */
export interface Waking {
	/** Resolves at that time of the clock, or with the next `wake`. */
	sleepUntil(time: number): Promise<void>;
	wake(): void;
}

export function createWaking(clock: Clock): Waking {
	let wake: () => void = () => {};
	return {
		async sleepUntil(time) {
			const { promise, resolve } = Promise.withResolvers<void>();
			const cancel = clock.after(Math.max(0, time - clock.now()), resolve);
			wake = resolve;
			await promise;
			cancel();
		},
		wake: () => wake(),
	};
}
