/** How long a load may take before a newer one need not wait for it. */
export interface Patience {
	/** Milliseconds that the last load which went well has taken; nothing when none has. */
	readonly usualMs: number | undefined;
	/** How many loads in a row were given up. */
	readonly givenUp: number;
}

export const newPatience: Patience = { usualMs: undefined, givenUp: 0 };

/** A hang is known by taking far longer than usual; whoever saves without pause waits longer each time, until one loads. */
export function patienceMs({ usualMs = 0, givenUp }: Patience): number {
	return Math.max(leastMs, timesUsual * usualMs) * 2 ** givenUp;
}

/** Nobody loses patience before. */
const leastMs = 1_000;
const timesUsual = 3;
