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
 * Makes a gate for `limit` tasks at once (at least 1), each of which keeps its place for `placeMs` at most.
 *
 * @param begin runs what begins one that has waited; at once when absent
 */
export function createGate(limit: number, placeMs: number, begin = (next: () => void) => next()): Gate {
	let free = limit;
	const waiting: (() => void)[] = [];
	const idlers: (() => void)[] = [];

	return {
		isIdle: () => free === limit,
		async idle() {
			if (free < limit) await new Promise<void>((resolve) => idlers.push(resolve));
		},
		async run(task, waits) {
			if (free > 0) free -= 1;
			else await new Promise<void>((resolve) => waiting.push(resolve));
			const giveUpPlace = once(() => {
				const next = waiting.shift();
				if (next !== undefined) return begin(next);
				free += 1;
				if (free === limit) for (const idle of idlers.splice(0)) idle();
			});
			const timer = placeMs > longestTimerMs ? undefined : setTimeout(giveUpPlace, placeMs).unref();
			const looks = waits === undefined ? undefined : lookWhether(waits, giveUpPlace);
			try {
				return await task();
			} finally {
				clearTimeout(timer);
				clearInterval(looks);
				giveUpPlace();
			}
		},
	};
}

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

function once(action: () => void): () => void {
	let done = false;
	return () => {
		if (done) return;
		done = true;
		action();
	};
}
