/** What a set of measured times comes to, in the unit of the times. */
export interface Summary {
	count: number;
	min: number;
	/** The lower quartile: a quarter of the times is shorter. */
	q1: number;
	median: number;
	/** The upper quartile. */
	q3: number;
	/** Nine of ten are shorter. */
	p90: number;
	max: number;
}

/** Times of two things that were measured side by side: those of one index belong to one round. */
export interface Pairs {
	times: readonly number[];
	floor: readonly number[];
}

/** A number with the range in which a repetition is expected, at 95 %. */
export interface Estimate {
	value: number;
	low: number;
	high: number;
}

/** Fewer rounds have no range that would mean anything. */
export const rangeRoundsMin = 5;

/** How sure the ranges of all estimates are. */
const confidence = 0.95;

/** @throws RangeError when there are no times */
export function summarize(times: readonly number[]): Summary {
	const sorted = Float64Array.from(times).sort();
	return {
		count: sorted.length,
		min: quantile(sorted, 0),
		q1: quantile(sorted, 0.25),
		median: quantile(sorted, 0.5),
		q3: quantile(sorted, 0.75),
		p90: quantile(sorted, 0.9),
		max: quantile(sorted, 1),
	};
}

/** The ratio of both medians, with the range that it has in repeated runs. @throws RangeError when there are no times */
export function ratioOf(pairs: Pairs): Estimate {
	return estimate(ratioOfMedians(pairs), resampledRatios(pairs, seededRandom(seed)));
}

/**
 * How much larger the ratio of the second run is than that of the first, as a part of one: 0.1 is ten per cent more. Only
 * ratios are compared, so that a machine that is faster or slower as a whole makes no difference.
 *
 * @throws RangeError when there are no times
 */
export function changeOf(before: Pairs, after: Pairs): Estimate {
	const random = seededRandom(seed);
	const [first, second] = [resampledRatios(before, random), resampledRatios(after, random)];
	const changes = first.map((ratio, index) => (second[index] ?? ratio) / ratio - 1);
	return estimate(ratioOfMedians(after) / ratioOfMedians(before) - 1, changes);
}

/** What an estimated change of times means: a difference only where the whole range lies on one side of none. */
export function verdictOn({ low, high }: Estimate): "faster" | "slower" | "same" {
	return high < 0 ? "faster" : low > 0 ? "slower" : "same";
}

/**
 * How much larger the ratio of a part is in the second run, as a part of the ratio of the whole in the first: the changes
 * of all parts come to about the change of the whole.
 *
 * @throws RangeError when there are no times
 */
export function partChangeOf(before: Pairs, after: Pairs, whole: Pairs): Estimate {
	const random = seededRandom(seed);
	const [first, second] = [resampledRatios(before, random), resampledRatios(after, random)];
	const ofWhole = ratioOfMedians(whole);
	const changes = first.map((ratio, index) => ((second[index] ?? ratio) - ratio) / ofWhole);
	return estimate((ratioOfMedians(after) - ratioOfMedians(before)) / ofWhole, changes);
}

/** Numbers from 0 to below 1, the same ones for the same seed. */
export function seededRandom(start: number): () => number {
	let state = start;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

// The same times have the same ranges, in every run of every program.
const seed = 1;
const resamples = 1_000;

function ratioOfMedians({ times, floor }: Pairs): number {
	return summarize(times).median / summarize(floor).median;
}

/** Ratios of runs that this one could have been: rounds drawn from its own, the two times of a round together. */
function resampledRatios({ times, floor }: Pairs, random: () => number): Float64Array {
	const rounds = Math.min(times.length, floor.length);
	const drawn = new Uint32Array(rounds);
	const medians = [times, floor].map((all) => createDrawnMedian(all.slice(0, rounds), drawn));
	return new Float64Array(resamples).map(() => {
		drawn.fill(0);
		for (let draw = 0; draw < rounds; draw += 1) {
			const round = Math.floor(random() * rounds);
			drawn[round] = (drawn[round] ?? 0) + 1;
		}
		const [ofTimes = Number.NaN, ofFloor = Number.NaN] = medians.map((median) => median());
		return (ofTimes / ofFloor) * Math.exp(runToRun * normal(random));
	});
}

/** The median of times of which each was drawn so often; sorted once, however often something else is drawn. */
function createDrawnMedian(times: readonly number[], drawn: Uint32Array): () => number {
	const sorted = times.map((ms, round) => ({ ms, round })).sort((a, b) => a.ms - b.ms);
	const below = Math.floor((times.length - 1) / 2);
	const above = Math.ceil((times.length - 1) / 2);
	return () => {
		let passed = 0;
		let lower: number | undefined;
		for (const { ms, round } of sorted) {
			passed += drawn[round] ?? 0;
			if (passed > below) lower ??= ms;
			if (lower !== undefined && passed > above) return (lower + ms) / 2;
		}
		return Number.NaN;
	};
}

// Rounds of one run have in common what the next run has not, such as where in memory things lie: of forty runs of one
// plugin a quarter had ratios about nine per cent below those of the others. With this, 20 of their
// 780 pairs differ.
const runToRun = 0.037;

/** What two runs of the same plugin differ by anyway, at 95 %, as a part of one: a smaller change no rounds can show. */
export const differenceAnyway = 1.96 * Math.SQRT2 * runToRun;

/** A number from the standard normal distribution. */
function normal(random: () => number): number {
	return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function estimate(value: number, resampled: Float64Array): Estimate {
	const sorted = resampled.sort();
	const outside = (1 - confidence) / 2;
	return { value, low: quantile(sorted, outside), high: quantile(sorted, 1 - outside) };
}

/** Between two times their mean, by how near it is to each. @throws RangeError when there are no times */
export function quantile(sorted: Float64Array, part: number): number {
	const position = (sorted.length - 1) * part;
	const below = sorted[Math.floor(position)];
	const above = sorted[Math.ceil(position)];
	if (below === undefined || above === undefined) throw new RangeError("there are no times");
	return below + (above - below) * (position - Math.floor(position));
}
