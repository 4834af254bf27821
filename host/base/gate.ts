/** Lets a limited number of tasks run at once; the others wait in order. */
export interface Gate {
	run<Result>(task: () => Promise<Result>): Promise<Result>;
}

/** Makes a gate for `limit` tasks at once (at least 1). */
export function createGate(limit: number): Gate {
	let free = limit;
	const waiting: (() => void)[] = [];

	return {
		async run(task) {
			if (free > 0) free -= 1;
			else await new Promise<void>((resolve) => waiting.push(resolve));
			try {
				return await task();
			} finally {
				const next = waiting.shift();
				if (next === undefined) free += 1;
				else next();
			}
		},
	};
}
