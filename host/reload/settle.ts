import type { Clock } from "../base/clock.ts";

/** Takes what happens in a burst for one change. */
export interface Settle {
	/** Something happened. */
	touch(): void;
	cancel(): void;
}

export interface SettleTimes {
	/** It is over after so many milliseconds without anything. */
	settleMs: number;
	/** What goes on without pause is taken for over after so many. */
	longestMs: number;
}

/** @param settled hears of each burst once, with when it began on that clock */
export function createSettle(
	clock: Clock,
	{ settleMs, longestMs }: SettleTimes,
	settled: (since: number) => void,
): Settle {
	let since: number | undefined;
	let cancel: () => void = () => {};
	return {
		touch() {
			const now = clock.now();
			since ??= now;
			cancel();
			const began = since;
			cancel = clock.after(Math.max(0, Math.min(settleMs, began + longestMs - now)), () => {
				since = undefined;
				settled(began);
			});
		},
		cancel() {
			cancel();
			since = undefined;
		},
	};
}
