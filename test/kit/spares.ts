import { type Ahead, aheadOf } from "../../host/backends/ahead.ts";
import { currentSurroundings, type LaunchSurroundings, planSpare } from "../../host/backends/launch.ts";
import { systemClock } from "../../host/base/clock.ts";
import { environmentIn, newHome } from "./home.ts";

/** A home for a plugin, and what a host needs to start it there. */
export interface Claim {
	home: string;
	surroundings: LaunchSurroundings;
	/** A process that waits for it, where there is one. */
	ahead?: Ahead;
}

let surroundings: Promise<LaunchSurroundings> | undefined;
let waiting: Claim | undefined;
let isDue = false;

/**
 * Takes the process that was started for the next plugin of this program, if there is one. To start the first one here,
 * while its host is still to be made, gains nothing: that host is made no sooner, and takes as long as the process.
 *
 * @param ownVariables of a plugin, for which no other process fits than one that is started with them
 */
export async function claimProcess(ownVariables: object | undefined): Promise<Claim> {
	const claim = ownVariables === undefined ? waiting : undefined;
	if (claim !== undefined) waiting = undefined;
	return claim ?? { home: newHome(), surroundings: await known() };
}

/** Starts a process for the next plugin once this one has had its first turns. It holds nothing up, and ends with this program. */
export function startSpareSoon(): void {
	if (isDue || waiting !== undefined) return;
	isDue = true;
	systemClock.after(quietMs, async () => {
		try {
			const [home, current] = [newHome(), await known()];
			const launch = planSpare({ env: environmentIn(home) }, current);
			if (launch !== undefined) waiting ??= { home, surroundings: current, ahead: aheadOf(launch, current, false) };
		} catch {
			// Plugins are started without; what is wrong is told by their start.
		}
		isDue = false;
	});
}

function known(): Promise<LaunchSurroundings> {
	surroundings ??= currentSurroundings();
	return surroundings;
}

/** A test calls its plugin as soon as it is there. */
const quietMs = 5;
