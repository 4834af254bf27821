import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
	admit,
	afterFailure,
	type Failures,
	isDue,
	watchLease,
} from "../../../../../host/providers/webhooks/decisions.ts";
import { limits } from "../../../../../runtime/limits.ts";
import { propertyMs, propertyRuns } from "../../../../support/effort.ts";

const bounds = limits.webhooks;
const rate = fc.record({
	burstEventsMax: fc.integer({ min: 1, max: 50 }),
	eventsPerMinuteMax: fc.integer({ min: 1, max: 600 }),
});

describe("admit", () => {
	test(
		"lets in no more than the burst and what has been refilled, in any stretch of time",
		() => {
			const gaps = fc.array(fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 60_000 })), { minLength: 20, maxLength: 300 });
			fc.assert(
				fc.property(rate, gaps, (of, waits) => {
					let now = 1_000_000;
					let fullAt = 0;
					const admitted: number[] = [];
					for (const wait of waits) {
						now += wait;
						const room = admit(fullAt, now, of);
						if ("retryAfterSeconds" in room) continue;
						fullAt = room.fullAt;
						admitted.push(now);
					}
					for (const [first, begin] of admitted.entries()) {
						for (const [offset, end] of admitted.slice(first).entries()) {
							const refilled = ((end - begin) * of.eventsPerMinuteMax) / 60_000;
							expect(offset + 1).toBeLessThanOrEqual(of.burstEventsMax + refilled + 0.01);
						}
					}
				}),
				{ ...propertyRuns, numRuns: Math.min(propertyRuns.numRuns, 500) },
			);
		},
		propertyMs,
	);

	test("tells whole seconds after which there is room, and never one too many", () => {
		fc.assert(
			fc.property(rate, fc.nat({ max: 1e12 }), fc.double({ min: 0, max: 1, noNaN: true }), (of, now, used) => {
				const fullAt = now + (used * of.burstEventsMax * 60_000) / of.eventsPerMinuteMax;
				const room = admit(fullAt, now, of);
				if ("fullAt" in room) return;
				const seconds = room.retryAfterSeconds;
				expect(seconds).toBeGreaterThanOrEqual(1);
				expect("fullAt" in admit(fullAt, now + seconds * 1_000, of)).toBe(true);
				expect("fullAt" in admit(fullAt, now + (seconds - 1) * 1_000, of)).toBe(seconds === 0);
			}),
			propertyRuns,
		);
	});

	test("after a clock that was set back there is room as soon as after a burst", () => {
		const room = admit(1e12, 0, bounds);
		expect(room).toEqual({ retryAfterSeconds: 6 });
	});

	test("with no bound everything is let in; with none at all nothing is", () => {
		const { POSITIVE_INFINITY: infinite } = Number;
		for (let now = 0, fullAt = 0; now < 100; now += 1) {
			const room = admit(fullAt, 0, { burstEventsMax: 1, eventsPerMinuteMax: infinite });
			expect(room).toEqual({ fullAt: 0 });
		}
		expect(admit(0, 0, { burstEventsMax: infinite, eventsPerMinuteMax: 1 })).toHaveProperty("fullAt");
		expect(admit(0, 0, { burstEventsMax: 0, eventsPerMinuteMax: 0 })).toEqual({ retryAfterSeconds: 86_400 });
	});
});

describe("afterFailure", () => {
	const before = fc.record<Failures>({
		failures: fc.nat({ max: 2_000 }),
		crashes: fc.nat({ max: 2 }),
		failingSince: fc.option(fc.integer({ min: 1, max: 1e12 })),
	});
	const at = fc.record({
		crashed: fc.boolean(),
		now: fc.integer({ min: 1, max: 2e12 }),
		random: fc.double({ min: 0, max: 1, noNaN: true }),
	});

	test("delivers again within the longest wait, or puts aside with a reason; counts go up by one", () => {
		fc.assert(
			fc.property(before, at, (was, when) => {
				const after = afterFailure(was, when, bounds);
				expect(after.failures).toBe(was.failures + 1);
				expect(after.crashes - was.crashes).toBe(when.crashed ? 1 : 0);
				expect(after.failingSince).toBeLessThanOrEqual(when.now);
				const isOld = when.now - (was.failingSince ?? when.now) >= bounds.failingMs;
				const isPoison = when.crashed && after.crashes >= bounds.crashesMax;
				expect(after.next).toBe(isOld || isPoison ? "aside" : "again");
				if (after.next === "aside") return;
				const wait = after.dueAt - when.now;
				expect(wait).toBeGreaterThanOrEqual(bounds.retryFirstMs * 0.75);
				expect(wait).toBeLessThanOrEqual(bounds.retryLastMs * 1.25);
				expect(isDue(after.dueAt, when.now, bounds)).toBe(false);
				expect(isDue(after.dueAt, after.dueAt, bounds)).toBe(true);
			}),
			propertyRuns,
		);
	});

	test.each([
		[0, 5],
		[1, 10],
		[2, 20],
		[5, 160],
		[6, 300],
		[1_000, 300],
	])("after %d failures before, the wait is around %d s", (failures, seconds) => {
		const was = { failures, crashes: 0, failingSince: 0 };
		const waits = [0, 0.5, 1].map((random) => {
			const after = afterFailure(was, { crashed: false, now: 0, random }, bounds);
			return after.next === "again" ? after.dueAt / 1_000 : 0;
		});
		expect(waits).toEqual([seconds * 0.75, seconds, seconds * 1.25]);
	});
});

test("a hold ends when it stays the same for its time, on the clock of whoever looks on", () => {
	const first = watchLease(undefined, "a:1", 100, 10);
	expect(first.isOver).toBe(false);
	expect(watchLease(first.seen, "a:1", 109, 10).isOver).toBe(false);
	expect(watchLease(first.seen, "a:1", 110, 10).isOver).toBe(true);
	const renewed = watchLease(first.seen, "a:2", 110, 10);
	expect(renewed).toEqual({ isOver: false, seen: { lease: "a:2", since: 110 } });
});
