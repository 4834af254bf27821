import { summarize } from "../../host/devtools/statistics.ts";

/** From the lower to the upper quartile. */
export type Range = [low: number, high: number];

/**
 * The ratio of two medians, and the middle half of the ratios of single rounds: the same machine, moments apart.
 *
 * @throws RangeError when there are no samples
 */
export function ratioOf(samples: readonly number[], against: readonly number[]): { value: number; middle: Range } {
	const rounds = samples.flatMap((sample, at) => {
		const other = against[at];
		return other === undefined ? [] : [sample / other];
	});
	const { q1, q3 } = summarize(rounds);
	return { value: summarize(samples).median / summarize(against).median, middle: [q1, q3] };
}
