/**
 * Whether reading has filled its share of this turn of the event loop, all channels and outputs together; then
 * everything else comes first. A stream that always has more never leaves the microtasks by itself.
 */
export function isTurnFull(): boolean {
	const now = performance.now();
	if (turnBegan === undefined) {
		turnBegan = now;
		later(() => {
			turnBegan = undefined;
		});
	}
	return now - turnBegan > turnMsMax;
}

/** Resolves once everything else has had its turn. */
export function nextTurn(): Promise<void> {
	return new Promise((resolve) => later(resolve));
}

// A quiet round trip takes about as long.
const turnMsMax = 0.25;

let turnBegan: number | undefined;

// Kept, since a plugin may replace the global functions.
const later = setImmediate;

/** Runs something right after what runs now, and before anything else has its turn. */
export const inThisTurn = queueMicrotask;
