import { expect, test } from "bun:test";
import { createSettle } from "../../../../host/reload/settle.ts";
import { fakeClock } from "../lifecycle/support.ts";

function settle() {
	const clock = fakeClock();
	const bursts: [since: number, at: number][] = [];
	const made = createSettle(clock, { settleMs: 10, longestMs: 50 }, (since) => bursts.push([since, clock.now()]));
	return { clock, bursts, ...made };
}

test("what happens in a burst is one change, since its first moment", () => {
	const { clock, bursts, touch } = settle();
	for (let times = 0; times < 4; times += 1) {
		touch();
		clock.advance(5);
	}
	clock.advance(100);
	expect(bursts).toEqual([[0, 25]]);
	touch();
	clock.advance(100);
	expect(bursts.at(-1)).toEqual([120, 130]);
});

test("what goes on without pause is told all the same, again and again", () => {
	const { clock, bursts, touch } = settle();
	for (let times = 0; times < 30; times += 1) {
		touch();
		clock.advance(5);
	}
	expect(bursts.map(([since, at]) => at - since)).toEqual([50, 50, 50]);
});

test("what is cancelled is not told", () => {
	const { clock, bursts, touch, cancel } = settle();
	touch();
	cancel();
	clock.advance(100);
	expect(bursts).toEqual([]);
});
