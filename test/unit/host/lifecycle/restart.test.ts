import { expect, test } from "bun:test";
import { restartDelayMs } from "../../../../host/lifecycle/restart.ts";

test("a plugin that keeps crashing is launched four times, after 200, 400 and 800 ms", () => {
	expect([1, 2, 3, 4, 5].map((launches) => restartDelayMs(launches))).toEqual([200, 400, 800, null, null]);
});

test("a longer budget repeats the last wait, a shorter table does too", () => {
	const policy = { retriesMax: 5, delaysMs: [10, 20] };
	expect([1, 2, 3, 4, 5, 6].map((launches) => restartDelayMs(launches, policy))).toEqual([10, 20, 20, 20, 20, null]);
});

test("no budget means no restart, and a budget without a table neither", () => {
	expect(restartDelayMs(1, { retriesMax: 0, delaysMs: [10] })).toBeNull();
	expect(restartDelayMs(1, { retriesMax: 3, delaysMs: [] })).toBeNull();
});
