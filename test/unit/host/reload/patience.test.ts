import { expect, test } from "bun:test";
import { newPatience, patienceMs } from "../../../../host/reload/patience.ts";

test("a load is waited for a second, or three times as long as the last one took", () => {
	expect(patienceMs(newPatience)).toBe(1_000);
	expect(patienceMs({ usualMs: 80, givenUp: 0 })).toBe(1_000);
	expect(patienceMs({ usualMs: 3_000, givenUp: 0 })).toBe(9_000);
});

test("a load after some that were given up is waited for longer, so that a plugin which has become slow is loaded", () => {
	expect([0, 1, 2, 3].map((givenUp) => patienceMs({ usualMs: 80, givenUp }))).toEqual([1_000, 2_000, 4_000, 8_000]);
});
