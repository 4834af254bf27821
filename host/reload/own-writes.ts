/** Slows the reloads down which a plugin brings about itself, by writing what it is made of; none is left out for good. */
export interface OwnWrites {
	/** A load has ended, ready or not. */
	loaded(now: number): void;
	/**
	 * How many milliseconds a reload because of a change of these files should still wait; to be asked once for each change.
	 *
	 * @param since when the change was first heard of
	 */
	waitOf(files: readonly string[], since: number, now: number): number;
}

/** @param told hears of a file whose reloads become slow */
export function createOwnWrites(told: (file: string, message: string) => void): OwnWrites {
	/** How often in a row each file has changed while the plugin loaded, or soon after that. */
	const soonAfter = new Map<string, number>();
	let loadedAt = Number.NEGATIVE_INFINITY;

	function waitOf(file: string, since: number, now: number): number {
		const times = since < loadedAt + soonMs ? (soonAfter.get(file) ?? 0) + 1 : 0;
		soonAfter.set(file, times);
		const ms = times === 0 ? 0 : (waitsMs[Math.min(times, waitsMs.length) - 1] ?? 0);
		if (times === toldTimes) {
			told(
				file,
				"it changes whenever the plugin loads, as if the plugin wrote it: reloads because of it are slowed down",
			);
		}
		return Math.max(0, loadedAt + ms - now);
	}

	return {
		loaded(now) {
			loadedAt = now;
		},
		waitOf: (files, since, now) => Math.max(0, ...files.map((file) => waitOf(file, since, now))),
	};
}

/** Nobody saves again and again so soon after each load. */
const soonMs = 500;
/** An editor may save twice, and what writes many times in a burst is over after some hundred milliseconds. */
const waitsMs = [50, 200, 1_000, 2_000, 4_000, 8_000, 10_000];
const toldTimes = 4;
