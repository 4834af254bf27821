import { limits } from "../../runtime/limits.ts";
import type { Launch } from "../contracts/services.ts";
import { currentSurroundings, type LaunchSurroundings, planSpare } from "./launch.ts";
import { type Spare, startSpare } from "./spare.ts";
import type { Watchdog } from "./watchdog.ts";

/** A child that was started before there is a host, for the first plugin of that host. */
export interface Ahead {
	readonly surroundings: LaunchSurroundings;
	/** Gives it to a host; the caller's from then on. @returns undefined when it was given before */
	adopt(watchdog?: Watchdog): Spare | undefined;
}

/** For the next host. */
let untaken: Ahead | undefined;
/** The same until it is dropped: a host that has taken it may come to nothing. */
let started: Ahead | undefined;

/**
 * Starts a child while the rest of the program is still to begin, which takes as long; the next host of this program gets
 * it. Nothing of a plugin runs in it before that, and it ends with this program by itself, so no watchdog is needed until
 * then. Where none can wait for a plugin nothing is started; what is wrong is told by the start of the plugin.
 */
export async function startAhead(): Promise<void> {
	try {
		const surroundings = await currentSurroundings();
		const launch = planSpare({}, surroundings);
		if (launch !== undefined) untaken = started = aheadOf(launch, surroundings);
	} catch {
		// As above.
	}
}

/** Takes what was started for the next host; a later one makes its own surroundings. */
export function takeAhead(): Ahead | undefined {
	const taken = untaken;
	untaken = undefined;
	return taken;
}

/** Ends what no host has used; resolves when it has ended. */
export async function dropAhead(): Promise<void> {
	const spare = started?.adopt();
	untaken = started = undefined;
	if (spare === undefined) return;
	spare.child.hold();
	spare.child.kill("SIGKILL");
	await spare.child.exited;
}

/**
 * Starts a child for the first plugin of a host that is still to be made.
 *
 * @param countsWait whether the times of its load begin with its start also where it was ready to be given before
 * @throws BroodError `launch_failed`
 */
export function aheadOf(launch: Launch, surroundings: LaunchSurroundings, countsWait = true): Ahead {
	const sinceMs = performance.now();
	const groups = createHandedOver();
	const spare = startSpare(launch, { limits, watchdog: groups });
	let isWarm = false;
	void spare.greeted.then((isThere) => {
		isWarm = isThere && !countsWait;
	});
	let isGiven = false;
	return {
		surroundings,
		adopt(watchdog) {
			if (isGiven) return undefined;
			isGiven = true;
			if (watchdog !== undefined) groups.handTo(watchdog);
			return isWarm ? spare : { ...spare, sinceMs };
		},
	};
}

/** Keeps the group of a child until there is a watchdog for it. */
function createHandedOver(): Watchdog & { handTo(watchdog: Watchdog): void } {
	const groups = new Set<number>();
	let target: Watchdog | undefined;
	return {
		start() {},
		watch(group) {
			groups.add(group);
			target?.watch(group);
		},
		forget(group) {
			groups.delete(group);
			target?.forget(group);
		},
		close() {},
		handTo(watchdog) {
			target = watchdog;
			for (const group of groups) watchdog.watch(group);
		},
	};
}
