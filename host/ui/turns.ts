/** One job at a time, first come, first served. */
export interface Turns {
	/** Runs a job when all earlier ones have ended; settles as the job does. */
	take<Result>(job: () => Promise<Result>): Promise<Result>;
	/** Whether a job runs or waits. */
	readonly busy: boolean;
}

/** Makes a queue for what only one at a time may use. */
export function createTurns(): Turns {
	let last: Promise<unknown> = Promise.resolve();
	let jobs = 0;
	return {
		get busy() {
			return jobs > 0;
		},
		take(job) {
			jobs += 1;
			const result = last.then(job).finally(() => {
				jobs -= 1;
			});
			// A job that fails must not fail those behind it.
			last = result.catch(() => {});
			return result;
		},
	};
}
