import { longestTimerMs } from "../../runtime/limits.ts";

/** Lets a limited number of tasks run at once; the others wait in order. */
export interface Gate {
	/**
	 * Runs a task when there is a place for it; one that takes long gives its place to the next.
	 *
	 * @param waits whether the task only waits at the moment; one that does so for a while needs no place either
	 */
	run<Result>(task: () => Promise<Result>, waits?: () => boolean): Promise<Result>;
	/** Whether every place is free. */
	isIdle(): boolean;
	/** Resolves when every place is free; at once when it is so. */
	idle(): Promise<void>;
}

/**
 * Makes a gate for `limit` tasks at once (at least 1), each of which keeps its place for `placeMs` at most. While some that
 * worked for longer still run, each that ends in time makes two places more, up to two for each of them: what is light gets
 * past what is heavy, and what is heavy is not crowded by more of its kind.
 *
 * @param begin runs what begins one that has waited; at once when absent
 */
export function createGate(limit: number, placeMs: number, begin = (next: () => void) => next()): Gate {
	let placed = 0;
	let slow = 0;
	let extra = 0;
	const waiting: (() => void)[] = [];
	const idlers: (() => void)[] = [];
	const hasPlace = () => placed < limit + extra;

	function leave(): void {
		placed -= 1;
		while (hasPlace()) {
			const next = waiting.shift();
			if (next === undefined) break;
			placed += 1;
			begin(next);
		}
		if (placed === 0) for (const idle of idlers.splice(0)) idle();
	}

	return {
		isIdle: () => placed === 0,
		async idle() {
			if (placed > 0) await new Promise<void>((resolve) => idlers.push(resolve));
		},
		async run(task, waits) {
			if (hasPlace()) placed += 1;
			else await new Promise<void>((resolve) => waiting.push(resolve));
			const turn = { hasPlace: true, isSlow: false };
			const giveUpPlace = () => {
				clearInterval(looks);
				turn.hasPlace = false;
				leave();
			};
			const tooLong = () => {
				if (!turn.hasPlace) return;
				turn.isSlow = true;
				slow += 1;
				giveUpPlace();
			};
			const timer = placeMs > longestTimerMs ? undefined : setTimeout(tooLong, placeMs).unref();
			const looks = waits === undefined ? undefined : lookWhether(waits, giveUpPlace);
			try {
				return await task();
			} finally {
				clearTimeout(timer);
				clearInterval(looks);
				if (turn.isSlow) slow -= 1;
				extra = Math.min(turn.hasPlace ? extra + extraPlaces : extra, slow * extraPlaces);
				if (turn.hasPlace) giveUpPlace();
			}
		},
	};
}

// With more, a few that are heavy get on more slowly; with one, what is light still waits longer than it has to.
const extraPlaces = 2;
// Most tasks have ended before the second look, which one that waits for an answer of this program does not meet twice.
const lookEveryMs = 5;
const waitingLooks = 2;

/** Looks from time to time, and acts after so many looks in a row at which it waits. */
function lookWhether(waits: () => boolean, act: () => void) {
	let waited = 0;
	const looks = setInterval(() => {
		waited = waits() ? waited + 1 : 0;
		if (waited < waitingLooks) return;
		clearInterval(looks);
		act();
	}, lookEveryMs);
	return looks.unref();
}
