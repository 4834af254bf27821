import { beforeEach, expect, test } from "bun:test";
import type { Clock } from "../../../../host/base/clock.ts";
import { type Countdown, startCountdown } from "../../../../host/base/countdown.ts";

/** A clock that goes when the test says so. */
let now: number;
let timer: { at: number; action: () => void } | undefined;
let ended: number[];
let countdown: Countdown;

const clock: Clock = {
	now: () => now,
	after(ms, action) {
		timer = { at: now + ms, action };
		return () => {
			timer = undefined;
		};
	},
};

const begin = (ms: number) => {
	countdown = startCountdown(ms, () => ended.push(now), clock);
};

beforeEach(() => {
	now = 0;
	timer = undefined;
	ended = [];
});

/** Time in which the program runs: each timer fires when it is due. */
function runs(ms: number): void {
	const end = now + ms;
	while (timer !== undefined && timer.at <= end) {
		const { at, action } = timer;
		timer = undefined;
		now = at;
		action();
	}
	now = end;
}

/** Time in which the program stands still: what was due fires once after it. */
function standsStill(ms: number): void {
	now += ms;
	if (timer !== undefined && timer.at <= now) {
		const { action } = timer;
		timer = undefined;
		action();
	}
}

test("ends after its time, once", () => {
	begin(5_300);
	runs(5_299);
	expect(ended).toEqual([]);
	runs(10_000);
	expect(ended).toEqual([5_300]);
});

test("a standstill is not counted, however long, but for the second in which it began", () => {
	begin(30_000);
	runs(10_500);
	standsStill(8 * 3_600_000);
	runs(19_000);
	expect(ended).toEqual([]);
	runs(1_000);
	expect(ended).toHaveLength(1);
});

test("after a standstill at its very end there is a second to read what arrived meanwhile", () => {
	begin(300);
	runs(290);
	standsStill(60_000);
	const woken = now;
	expect(ended).toEqual([]);
	runs(10_000);
	expect(ended).toEqual([woken + 1_000]);
});

test("each of several standstills is left out", () => {
	begin(5_000);
	for (let round = 0; round < 4; round += 1) {
		standsStill(60_000);
		runs(1_000);
	}
	expect(ended).toEqual([]);
});

test("a program that is late every time comes to the end all the same", () => {
	begin(5_000);
	for (let round = 0; round < 20; round += 1) standsStill(3_000);
	expect(ended).toHaveLength(1);
});

test("a program that is a little late is not forgiven", () => {
	begin(1_000);
	standsStill(1_400);
	expect(ended).toEqual([1_400]);
});

test("stands still while it is paused, and a standstill meanwhile takes a second at most", () => {
	begin(3_000);
	runs(500);
	now += 60_000;
	countdown.pause();
	runs(60_000);
	countdown.resume();
	runs(1_999);
	expect(ended).toEqual([]);
	runs(1);
	expect(ended).toHaveLength(1);
});

test("is over once cleared, also by a pause that ends later", () => {
	begin(100);
	countdown.pause();
	countdown.clear();
	countdown.resume();
	runs(1_000);
	expect(ended).toEqual([]);
});

test.each([Number.POSITIVE_INFINITY, Number.NaN, 2 ** 31])("a time of %p ms never ends", (ms) => {
	begin(ms);
	expect(timer).toBeUndefined();
});
