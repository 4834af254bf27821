/** Time that may be spent on somebody in each second; what costs more waits for the next one. */
export interface Allowance {
	/** Does work at once and counts how long it takes. */
	spend<Result>(work: () => Result): Result;
	/** Does the same where the work may wait in between, which counts as well. */
	spendAwaiting<Result>(work: () => Result | Promise<Result>): Promise<Result>;
	/** Nothing while time is left; else a promise for when it is. Those that wait come in order, one in a turn. */
	left(): Promise<void> | undefined;
}

/** Makes an allowance of so many milliseconds in each second. */
export function createAllowance(msPerSecondMax: number): Allowance {
	let second = performance.now();
	let spentMs = 0;
	const stopwatch = createStopwatch();
	const waiting: (() => void)[] = [];
	let isServing = false;

	function renew(): void {
		spentMs += stopwatch.take();
		const seconds = Math.floor((performance.now() - second) / 1_000);
		if (seconds < 1) return;
		second += seconds * 1_000;
		// What was spent at once beyond it, as when many answers leave together, is missing later, but not for long.
		spentMs = Math.min(debtSecondsMax * msPerSecondMax, Math.max(0, spentMs - seconds * msPerSecondMax));
	}

	function isSpent(): boolean {
		renew();
		return spentMs >= msPerSecondMax;
	}

	async function serve(): Promise<void> {
		isServing = true;
		while (waiting.length > 0) {
			if (isSpent()) await until(second + 1_000);
			else {
				waiting.shift()?.();
				// What it does now counts before the next one comes.
				await new Promise((resolve) => setImmediate(resolve));
			}
		}
		isServing = false;
	}

	return {
		spend(work) {
			renew();
			stopwatch.begin();
			try {
				return work();
			} finally {
				stopwatch.end();
			}
		},
		async spendAwaiting(work) {
			renew();
			stopwatch.begin();
			try {
				return await work();
			} finally {
				stopwatch.end();
			}
		},
		left() {
			if (!isServing && !isSpent()) return undefined;
			const wait = new Promise<void>((resolve) => waiting.push(resolve));
			if (!isServing) void serve();
			return wait;
		},
	};
}

const debtSecondsMax = 4;

/** Runs while any work is under way, so that what runs at the same time counts once. */
function createStopwatch() {
	let active = 0;
	let ms = 0;
	let countedUntil = 0;

	function count(): void {
		const now = performance.now();
		if (active > 0) ms += now - countedUntil;
		countedUntil = now;
	}

	return {
		begin() {
			count();
			active += 1;
		},
		end() {
			count();
			active -= 1;
		},
		/** The milliseconds since this was last asked for. */
		take(): number {
			count();
			const taken = ms;
			ms = 0;
			return taken;
		},
	};
}

function until(ms: number): Promise<void> {
	return new Promise((resolve) => {
		setTimeout(resolve, Math.max(0, ms - performance.now())).unref();
	});
}
