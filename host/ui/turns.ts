/** One job at a time. Those of one owner run in the order of asking; several owners take turns. */
export interface Turns {
	/** Runs a job when its turn comes; settles as the job does. */
	take<Result>(owner: string, job: () => Promise<Result>): Promise<Result>;
	/** Jobs of an owner that wait for their turn. */
	waiting(owner: string): number;
	/** Whether a job runs or waits. */
	readonly busy: boolean;
}

/** Makes a queue for what only one at a time may use. */
export function createTurns(): Turns {
	// In the order of their next turns; one that had its turn goes to the end.
	const queues = new Map<string, (() => Promise<void>)[]>();
	let jobs = 0;

	let isRunning = false;

	async function run(): Promise<void> {
		isRunning = true;
		// Who asks in the same moment is part of the round.
		await Promise.resolve();
		for (let next = shift(); next !== undefined; next = shift()) await next();
		isRunning = false;
	}

	function shift(): (() => Promise<void>) | undefined {
		for (const [owner, queue] of queues) {
			const job = queue.shift();
			queues.delete(owner);
			if (queue.length > 0) queues.set(owner, queue);
			return job;
		}
		return undefined;
	}

	return {
		get busy() {
			return jobs > 0;
		},
		waiting: (owner) => queues.get(owner)?.length ?? 0,
		take<Result>(owner: string, job: () => Promise<Result>) {
			const { promise, resolve, reject } = Promise.withResolvers<Result>();
			const ended = () => {
				jobs -= 1;
			};
			const queue = queues.get(owner) ?? [];
			// A job that fails must not fail those behind it.
			queue.push(() => job().finally(ended).then(resolve, reject));
			queues.set(owner, queue);
			jobs += 1;
			if (!isRunning) void run();
			return promise;
		},
	};
}
