import { longestTimerMs } from "../../runtime/limits.ts";
import { type Clock, systemClock } from "./clock.ts";

/** A time limit that is running down. */
export interface Countdown {
	/** Stops it; each pause needs its own resume. */
	pause(): void;
	resume(): void;
	/** Ends it; `action` is not run any more. @returns the milliseconds that were counted */
	clear(): number;
}

/**
 * Runs `action` when `ms` milliseconds of this program's own time are over. Time in which the program stood still
 * (Ctrl-Z, a debugger, a machine that slept) is not counted, and after it what has arrived meanwhile is read first.
 * A limit longer than a timer can count, or that is no number, never ends.
 */
export function startCountdown(ms: number, action: () => void, clock: Clock = systemClock): Countdown {
	const endless = !(ms <= longestTimerMs);
	let left = ms;
	let pauses = 0;
	let over = false;
	let begun = 0;
	let planned = 0;
	let wasForgiven = false;
	let cancel = () => {};

	function run(): void {
		if (endless || over) return;
		begun = clock.now();
		planned = Math.max(0, Math.min(left, sliceMs));
		cancel = clock.after(planned, turn);
	}

	function turn(): void {
		const stoodStill = clock.now() - begun - planned > lateMs;
		// Not twice in a row, so that a program that is always late does not wait for ever.
		wasForgiven = stoodStill && !wasForgiven;
		left = wasForgiven ? Math.max(left, wakeMs) : left - planned;
		if (left > 0) return run();
		over = true;
		action();
	}

	function halt(): void {
		cancel();
		left -= Math.min(clock.now() - begun, planned);
	}

	run();
	return {
		pause() {
			pauses += 1;
			if (pauses === 1) halt();
		},
		resume() {
			pauses -= 1;
			if (pauses === 0) run();
		},
		clear() {
			if (!over && pauses === 0) halt();
			over = true;
			return endless ? 0 : ms - Math.max(0, left);
		},
	};
}

// Nobody is told of a standstill; it shows in a timer that is late. In short slices little is lost or won by one.
const sliceMs = 1_000;
/** A timer later than this was not held up by work alone. */
const lateMs = 500;
/** What is left at least after a standstill: an answer that came meanwhile is read in it. */
const wakeMs = 1_000;
