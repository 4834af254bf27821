import type { Limits } from "../../runtime/limits.ts";
import type { Frame } from "../../runtime/peer.ts";
import type { Clock } from "../base/clock.ts";
import type { Backend, BackendEvents } from "../contracts/backend.ts";
import type { HostServices, Launch } from "../contracts/services.ts";
import type { PluginSpec } from "../spec.ts";
import type { spawnChild } from "./process.ts";
import type { Spares } from "./spares.ts";
import type { Watchdog } from "./watchdog.ts";

/** Runs one Amp plugin, in a process that may have waited for it. */
export interface AmpBackend extends Backend {
	/** Whether it was given such a process, warm or not. */
	readonly tookSpare: boolean;
}

/** What it takes to run one Amp plugin. */
export interface AmpBackendParts {
	spec: PluginSpec;
	/** How to start the child. @throws BroodError `launch_failed` */
	launch(): Launch;
	/** Starts it in another way than as a process. */
	spawn?: typeof spawnChild | undefined;
	/** Processes that wait for a plugin; none when absent. */
	spares?: Spares | undefined;
	services: HostServices;
	events: BackendEvents;
	limits: Limits;
	clock: Clock;
	watchdog: Watchdog;
	/** Sees every message on the wire. */
	observe?: ((frame: Frame) => void) | undefined;
	/** Hears each `validation.found` of a plugin that is only examined, unparsed. */
	examined?: ((finding: unknown) => void) | undefined;
}
