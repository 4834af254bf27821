import { childEntry } from "../../host/backends/child-origin.ts";
import { createGraphClock, type GraphClock } from "./clock.ts";
import { startGraph } from "./graph-child.ts";
import { newHome } from "./home.ts";
import type { TestPluginOptions } from "./options.ts";
import type { Claim } from "./spares.ts";

/** What a host needs to start a plugin in a module graph of this program. */
export function claimGraph(clock: GraphClock | undefined): Claim {
	return {
		home: newHome(),
		surroundings: {
			...{ execPath: process.execPath, compiled: false, switchInstalled: false, childEntry, environment: process.env },
			spawn: (spawned) => startGraph(spawned, clock),
		},
	};
}

/** The clock that a test gives the graph, if it does. */
export function clockOf({ clock: start }: Pick<TestPluginOptions, "clock">): GraphClock | undefined {
	return start === undefined ? undefined : createGraphClock(Number(start === true ? Date.now() : start));
}
