import type { Limits } from "../../runtime/limits.ts";
import type { BackendEvents, BackendLog } from "../contracts/backend.ts";

/**
 * Lets only so many log lines of a plugin through in a second, whether it prints them or sends them. Of those past it the
 * last ones wait for the end of the second, since the end of a flood tells most; the others are dropped and told in
 * one line. What the host says itself always passes.
 *
 * @param exited settles at the end of its process, after which nothing waits to be told
 */
export function withinLogRate(events: BackendEvents, limits: Limits["text"], exited: Promise<unknown>): BackendEvents {
	const linesMax = limits.logLinesPerSecondMax;
	const held: BackendLog[] = [];
	let began = Number.NEGATIVE_INFINITY;
	let lines = 0;
	let dropped = 0;
	let timer: ReturnType<typeof setTimeout> | undefined;

	function tell(): void {
		clearTimeout(timer);
		timer = undefined;
		if (dropped > 0) {
			const message = `more than ${linesMax} log lines came in a second; ${dropped} of them were dropped`;
			dropped = 0;
			events.log({ source: "host", level: "warn", message });
		}
		for (const entry of held.splice(0)) events.log(entry);
	}

	function hold(entry: BackendLog, now: number): void {
		held.push(entry);
		if (held.length > heldMax) {
			held.shift();
			dropped += 1;
		}
		if (timer !== undefined) return;
		// Just after the second, so that no line of it comes later than this.
		timer = setTimeout(tell, began + secondMs - now + 1);
		timer.unref();
	}

	function pass(entry: BackendLog): void {
		const now = performance.now();
		if (now - began >= secondMs) {
			tell();
			began = now;
			lines = 0;
		}
		lines += 1;
		if (lines <= linesMax) events.log(entry);
		else hold(entry, now);
	}

	void exited.then(tell);
	return {
		...events,
		log(entry) {
			if (entry.source === "host") events.log(entry);
			else pass(entry);
		},
	};
}

const secondMs = 1_000;
/** So many lines show how a flood ended. */
const heldMax = 100;
