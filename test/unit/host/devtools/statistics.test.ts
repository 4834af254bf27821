import { expect, test } from "bun:test";
import { ratioOf, seededRandom, summarize } from "../../../../host/devtools/statistics.ts";

test("a summary has the median, the quartiles, nine of ten, and both ends, in whatever order the times came", () => {
	const times = Array.from({ length: 11 }, (_, index) => ((index * 7) % 11) * 10);
	expect(summarize(times)).toEqual({ count: 11, min: 0, q1: 25, median: 50, q3: 75, p90: 90, max: 100 });
	expect(summarize([1, 2])).toMatchObject({ median: 1.5 });
	expect(times[1]).toBe(70);
});

test("no times have no summary", () => {
	expect(() => summarize([])).toThrow(new RangeError("there are no times"));
});

test("a ratio is that of the medians, and a single slow round does not move it", () => {
	const { value, low, high } = ratioOf({ times: [20, 20, 20, 20, 900], floor: [10, 10, 10, 10, 10] });
	expect(value).toBe(2);
	expect([low < 2, high > 2]).toEqual([true, true]);
});

test("the range of a ratio becomes narrower with more rounds, and never as narrow as if runs were alike", () => {
	const random = seededRandom(7);
	const run = (rounds: number) => {
		const draw = () => Array.from({ length: rounds }, () => 10 + 4 * random());
		const { low, high } = ratioOf({ times: draw(), floor: draw() });
		return high - low;
	};
	expect(1.5 * run(500)).toBeLessThan(run(12));
	// Two runs differ by some ten per cent anyway, so that each has its share of it on both sides.
	expect(run(500)).toBeGreaterThan(0.13);
});

test("a seed gives the same numbers each time, spread from 0 to 1", () => {
	const draw = (seed: number) => {
		const random = seededRandom(seed);
		return Array.from({ length: 1_000 }, random);
	};
	expect(draw(3)).toEqual(draw(3));
	expect(draw(3)).not.toEqual(draw(4));
	expect(draw(3).every((number) => number >= 0 && number < 1)).toBe(true);
	expect(draw(3).reduce((sum, number) => sum + number) / 1_000).toBeCloseTo(0.5, 1);
});
