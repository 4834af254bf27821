/** From milliseconds to pixels, with where the axis has a line. */
export interface Scale {
	max: number;
	ticks: number[];
	/** Digits after the point that the ticks need. */
	digits: number;
	at(ms: number): number;
}

/** A scale from 0 to a round number that is not less than `max`. */
export function createScale(max: number, left: number, right: number): Scale {
	const step = roundStep(max / ticksWanted);
	const count = Math.max(1, Math.ceil(max / step - 1e-9));
	const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
	const end = count * step;
	return {
		max: end,
		ticks: Array.from({ length: count + 1 }, (_, index) => Number((index * step).toFixed(digits))),
		digits,
		at: (ms) => left + ((right - left) * Math.min(ms, end)) / end,
	};
}

const ticksWanted = 8;

/** 1, 2 or 5 times a power of ten, and not less. */
export function roundStep(step: number): number {
	const power = 10 ** Math.floor(Math.log10(step));
	const first = [1, 2, 5, 10].find((factor) => factor * power >= step - 1e-12) ?? 10;
	return first * power;
}
