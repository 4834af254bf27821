import type { Limits } from "../../../runtime/limits.ts";

/** What is decided about webhooks, apart from doing it. Times are milliseconds of the wall clock unless said otherwise. */

type Bounds = Limits["webhooks"];

/**
 * Lets an event in at a steady rate with a burst. All that is kept is when the bucket is full again; a clock that was
 * set back costs one burst at most.
 *
 * @returns the moment to keep, or the whole seconds after which there is room
 */
export function admit(
	fullAt: number,
	now: number,
	{ burstEventsMax, eventsPerMinuteMax }: Pick<Bounds, "burstEventsMax" | "eventsPerMinuteMax">,
): { fullAt: number } | { retryAfterSeconds: number } {
	const each = eventsPerMinuteMax === 0 ? longestMs : 60_000 / eventsPerMinuteMax;
	const emptyMs = each * burstEventsMax;
	const next = Math.min(Math.max(fullAt, now), now + emptyMs) + each;
	const waitMs = next - now - emptyMs;
	// Less is what is lost where large numbers are added.
	if (!(waitMs > 0.5)) return { fullAt: next };
	return { retryAfterSeconds: Math.ceil(Math.min(waitMs, longestMs) / 1_000) };
}

/** What is kept of an event that has failed. */
export interface Failures {
	/** Deliveries that have failed. */
	failures: number;
	/** Those of them during which the process of the plugin ended. */
	crashes: number;
	/** When the first one failed; null before that. */
	failingSince: number | null;
}

export type AfterFailure = Failures & ({ next: "again"; dueAt: number } | { next: "aside"; reason: string });

/** What becomes of an event whose delivery has failed. `random` is from 0 to 1. */
export function afterFailure(
	before: Failures,
	{ crashed, now, random }: { crashed: boolean; now: number; random: number },
	bounds: Pick<Bounds, "retryFirstMs" | "retryLastMs" | "failingMs" | "crashesMax">,
): AfterFailure {
	const after = {
		failures: before.failures + 1,
		crashes: before.crashes + (crashed ? 1 : 0),
		failingSince: Math.min(before.failingSince ?? now, now),
	};
	if (crashed && after.crashes >= bounds.crashesMax) {
		return { ...after, next: "aside", reason: `the plugin ended ${after.crashes} times while it handled it` };
	}
	if (now - after.failingSince >= bounds.failingMs) {
		return {
			...after,
			next: "aside",
			reason: `it has failed ${after.failures} times since ${told(after.failingSince)}`,
		};
	}
	return { ...after, next: "again", dueAt: now + retryMs(after.failures, random, bounds) };
}

/** Doubles with each failure up to the longest wait; a quarter less or more, so that many do not come at once. */
function retryMs(
	failures: number,
	random: number,
	{ retryFirstMs, retryLastMs }: Pick<Bounds, "retryFirstMs" | "retryLastMs">,
): number {
	const doubled = Math.min(retryFirstMs * 2 ** Math.min(failures - 1, 60), retryLastMs);
	return Math.round(doubled * (0.75 + random / 2));
}

/** Whether an event is to be delivered now. One that is due later than any wait is so by a clock that was set back. */
export function isDue(dueAt: number, now: number, bounds: Bounds): boolean {
	return dueAt <= now || dueAt > lastDueAt(now, bounds);
}

/** When the last event is due at the latest, by a clock that was not set back. */
export function lastDueAt(now: number, { retryFirstMs, retryLastMs }: Bounds): number {
	return now + 2 * Math.max(retryFirstMs, retryLastMs);
}

/** The hold of another host on an event, as this host saw it first, on a clock of its own that only goes forward. */
export interface LeaseSeen {
	lease: string;
	since: number;
}

/** Whether the hold has ended: it was not renewed while this host, which was awake, looked on for so long. */
export function watchLease(
	seen: LeaseSeen | undefined,
	lease: string,
	now: number,
	leaseMs: number,
): { isOver: boolean; seen: LeaseSeen } {
	const current = seen?.lease === lease ? seen : { lease, since: now };
	return { isOver: now - current.since >= leaseMs, seen: current };
}

function told(time: number): string {
	return new Date(time).toISOString();
}

// A bound of no events at all has no better wait to tell than a day.
const longestMs = 24 * 60 * 60_000;
