/** What many samples of one thing come to. */
export interface Summary {
	median: number;
	p90: number;
	min: number;
}

/** @throws Error when there is no sample */
export function summarise(samples: readonly number[]): Summary {
	return { median: quantile(samples, 0.5), p90: quantile(samples, 0.9), min: quantile(samples, 0) };
}

/** The value below which this share of the samples lies, between two samples in proportion. @throws Error without samples */
export function quantile(samples: readonly number[], share: number): number {
	const sorted = samples.toSorted((one, other) => one - other);
	const place = (sorted.length - 1) * share;
	const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
	if (low === undefined || high === undefined) throw new Error("there are no samples");
	return low + (high - low) * (place - Math.floor(place));
}

/** The ratio of two medians, and the middle half of the ratios of single rounds: the same machine, moments apart. */
export function ratioOf(samples: readonly number[], against: readonly number[]): { value: number; middle: Range } {
	const rounds = samples.flatMap((sample, at) => {
		const other = against[at];
		return other === undefined ? [] : [sample / other];
	});
	const value = quantile(samples, 0.5) / quantile(against, 0.5);
	return { value, middle: [quantile(rounds, 0.25), quantile(rounds, 0.75)] };
}

/** From the lower to the upper quartile. */
export type Range = [low: number, high: number];
