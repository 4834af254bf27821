import type { Limits } from "../../runtime/limits.ts";
import type { BackendEvents } from "../contracts/backend.ts";

/**
 * Lets only so many log lines of a plugin through in a second, whether it prints them or sends them; what is dropped
 * is counted and told in one line. What the host says itself always passes.
 *
 * @param exited settles at the end of its process, after which nothing waits to be told
 */
export function withinLogRate(events: BackendEvents, limits: Limits["text"], exited: Promise<unknown>): BackendEvents {
	const linesMax = limits.logLinesPerSecondMax;
	let began = Number.NEGATIVE_INFINITY;
	let lines = 0;
	let dropped = 0;
	let timer: ReturnType<typeof setTimeout> | undefined;

	function tell(): void {
		clearTimeout(timer);
		if (dropped === 0) return;
		const message = `more than ${linesMax} log lines came in a second; ${dropped} of them were dropped`;
		dropped = 0;
		events.log({ source: "host", level: "warn", message });
	}

	function isDropped(): boolean {
		const now = performance.now();
		if (now - began >= secondMs) {
			tell();
			began = now;
			lines = 0;
		}
		lines += 1;
		if (lines <= linesMax) return false;
		dropped += 1;
		if (dropped > 1) return true;
		// Just after the second, so that no line of it comes later than this.
		timer = setTimeout(tell, began + secondMs - now + 1);
		timer.unref();
		return true;
	}

	void exited.then(tell);
	return {
		...events,
		log(entry) {
			if (entry.source === "host" || !isDropped()) events.log(entry);
		},
	};
}

const secondMs = 1_000;
