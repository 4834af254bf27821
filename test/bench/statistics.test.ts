import { expect, test } from "bun:test";
import { quantile, ratioOf, summarise } from "./statistics.ts";

test("the median of an even number of samples lies between two of them, and their order does not matter", () => {
	expect(summarise([4, 1, 3, 2])).toEqual({ median: 2.5, p90: expect.closeTo(3.7), min: 1 });
	expect(summarise([7])).toEqual({ median: 7, p90: 7, min: 7 });
	expect(quantile([10, 30, 20], 0.25)).toBe(15);
});

test("no samples are no summary", () => {
	expect(() => summarise([])).toThrow("no samples");
});

test("a ratio is that of the medians; its middle half comes from rounds, so that drift of the machine is no noise", () => {
	const { value, middle } = ratioOf([2, 4, 8], [1, 2, 4]);
	expect(value).toBe(2);
	expect(middle).toEqual([2, 2]);
	expect(ratioOf([2, 6, 4], [2, 2, 2]).middle).toEqual([1.5, 2.5]);
});
