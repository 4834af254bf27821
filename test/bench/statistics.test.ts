import { expect, test } from "bun:test";
import { ratioOf } from "./statistics.ts";

test("a ratio is that of the medians; its middle half comes from rounds, so that drift of the machine is no noise", () => {
	const { value, middle } = ratioOf([2, 4, 8], [1, 2, 4]);
	expect(value).toBe(2);
	expect(middle).toEqual([2, 2]);
	expect(ratioOf([2, 6, 4], [2, 2, 2]).middle).toEqual([1.5, 2.5]);
});

test("no samples are no ratio", () => {
	expect(() => ratioOf([], [1])).toThrow("there are no times");
});
