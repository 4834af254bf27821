/** Tells times of a load in milliseconds since the spawn, those on the child's own clock included. */
export interface ChildClock {
	/** The process is spawned now, or was at that time of `performance.now`. */
	start(atMs?: number): void;
	now(): number;
	/** The spawn is done; nothing of the child is told from before that. @returns now */
	spawned(): number;
	/** A moment of the child's clock. A host that was busy hears late, so the least distance of the two clocks wins. */
	sinceSpawn(ms: number): number;
}

export function createChildClock(): ChildClock {
	let spawnedAt = 0;
	let earliest = 0;
	/** Milliseconds between the spawn and the zero of the child's clock: the least that a message has shown. */
	let childZero = Number.POSITIVE_INFINITY;
	const now = () => performance.now() - spawnedAt;
	return {
		start(atMs = performance.now()) {
			spawnedAt = atMs;
		},
		spawned() {
			earliest = now();
			return earliest;
		},
		now,
		sinceSpawn(ms) {
			childZero = Math.min(childZero, now() - ms);
			// A clock that tells nonsense moves no time of the load out of the time that the load took.
			return Math.min(now(), Math.max(earliest, ms + childZero));
		},
	};
}
