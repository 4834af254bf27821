import { longestTimerMs } from "../../runtime/limits.ts";

/** Lets a limited number of tasks run at once; the others wait in order. */
export interface Gate {
	/** Runs a task when there is a place for it; one that takes long gives its place to the next. */
	run<Result>(task: () => Promise<Result>): Promise<Result>;
}

/** Makes a gate for `limit` tasks at once (at least 1), each of which keeps its place for `placeMs` at most. */
export function createGate(limit: number, placeMs: number): Gate {
	let free = limit;
	const waiting: (() => void)[] = [];

	return {
		async run(task) {
			if (free > 0) free -= 1;
			else await new Promise<void>((resolve) => waiting.push(resolve));
			const giveUpPlace = once(() => {
				const next = waiting.shift();
				if (next === undefined) free += 1;
				else next();
			});
			const timer = setTimeout(giveUpPlace, Math.min(placeMs, longestTimerMs)).unref();
			try {
				return await task();
			} finally {
				clearTimeout(timer);
				giveUpPlace();
			}
		},
	};
}

function once(action: () => void): () => void {
	let done = false;
	return () => {
		if (done) return;
		done = true;
		action();
	};
}
