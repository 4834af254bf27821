import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** What this process holds of the system, so that it can be seen whether a watch has let go of all of it. */
export function held(): Held {
	if (process.platform !== "linux") return { descriptors: 0, watches: 0 };
	const descriptors = readdirSync("/proc/self/fd");
	return { descriptors: descriptors.length, watches: descriptors.map(watchesOf).reduce((sum, some) => sum + some, 0) };
}

/** What it holds as soon as that is no more than before; an instance that was replaced takes a moment to end. */
export async function heldInTheEnd(before: Held): Promise<Held> {
	const until = Date.now() + patienceMs;
	while (held().descriptors > before.descriptors && Date.now() < until) await pause(5);
	return held();
}

const patienceMs = 3_000;

interface Held {
	descriptors: number;
	watches: number;
}

function watchesOf(descriptor: string): number {
	try {
		return readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8").split("\ninotify ").length - 1;
	} catch {
		// It was the one that listed them.
		return 0;
	}
}
