import type { BroodError } from "../../runtime/errors.ts";
import { type Limits, limits } from "../../runtime/limits.ts";
import { launchesThatCount, restartDelayMs } from "./restart.ts";
import { explainGivenUp } from "./story.ts";

/** Every state that a plugin of any system can be in. */
export type PluginState =
	| "discovered"
	| "shadowed"
	| "disabled"
	| "idle"
	| "starting"
	| "ready"
	| "unresponsive"
	| "restarting"
	| "stopping"
	| "stopped"
	| "failed"
	| "incompatible"
	| "rejected";

/** What the machine knows of one plugin. */
export interface Machine {
	readonly state: PluginState;
	/** Launches since the last deliberate start; health takes none away, unless the policy says after how long. */
	readonly launches: number;
	/** Why it is not ready, when something went wrong. */
	readonly error: BroodError | undefined;
	/** The state that a stop under way leads to. */
	readonly target: RestState;
}

/** Where a plugin rests after a stop. */
export type RestState = "stopped" | "disabled";

export type MachineEvent =
	/** Somebody wants it to run: at the host's start, by enable or reload. */
	| { type: "start" }
	/** The same, and what is being loaded may be old. */
	| { type: "start_anew" }
	| { type: "loaded" }
	| { type: "load_failed"; error: BroodError }
	/** The process of a loaded plugin ended, and nobody had asked it to; it had served for so many milliseconds. */
	| { type: "crashed"; error: BroodError; servedMs?: number }
	| { type: "backoff_over" }
	/** A reload has a new instance ready beside the old one. */
	| { type: "swapped" }
	| { type: "silent" }
	| { type: "answered" }
	| { type: "stop"; target: RestState }
	/** The process that a stop was about has ended. */
	| { type: "ended" };

type Crash = Extract<MachineEvent, { type: "crashed" }>;

export type MachineEffect =
	| { type: "launch" }
	| { type: "publish" }
	| { type: "withdraw" }
	| { type: "arm_backoff"; ms: number }
	| { type: "cancel_backoff" }
	/** Ends the process; only a graceful end runs dispose callbacks. */
	| { type: "terminate"; graceful: boolean };

export interface Decision {
	machine: Machine;
	effects: MachineEffect[];
}

/** A plugin that was found and has not run. */
export function newMachine(state: PluginState = "discovered", error?: BroodError): Machine {
	return { state, launches: 0, error, target: "stopped" };
}

/** Decides what an event means in a state. Pure: the supervisor performs the effects. */
export function decide(machine: Machine, event: MachineEvent, policy: Limits["restart"] = limits.restart): Decision {
	switch (event.type) {
		case "start":
			return start(machine);
		case "start_anew":
			return startAnew(machine);
		case "loaded":
			if (machine.state !== "starting") return nothing(machine);
			return to(machine, { state: "ready", error: undefined }, [{ type: "publish" }]);
		case "load_failed":
			return loadFailed(machine, event.error);
		case "crashed":
			return crashed(machine, event, policy);
		case "backoff_over":
			if (machine.state !== "restarting") return nothing(machine);
			return to(machine, { state: "starting", launches: machine.launches + 1 }, [{ type: "launch" }]);
		case "swapped":
			return swapped(machine);
		case "silent":
			return machine.state === "ready" ? to(machine, { state: "unresponsive" }, []) : nothing(machine);
		case "answered":
			return machine.state === "unresponsive" ? to(machine, { state: "ready" }, []) : nothing(machine);
		case "stop":
			return stop(machine, event.target);
		case "ended":
			return machine.state === "stopping" ? to(machine, { state: machine.target }, []) : nothing(machine);
	}
}

function start(machine: Machine): Decision {
	const fresh = { state: "starting", launches: 1, error: undefined } as const;
	switch (machine.state) {
		case "discovered":
		case "idle":
		case "stopped":
		case "disabled":
		case "failed":
		case "incompatible":
			return to(machine, fresh, [{ type: "launch" }]);
		case "restarting":
			return to(machine, fresh, [{ type: "cancel_backoff" }, { type: "launch" }]);
		case "starting":
		case "ready":
		case "unresponsive":
			// It runs on, and its crashes are forgiven.
			return machine.launches === 1 ? nothing(machine) : to(machine, { launches: 1, error: undefined }, []);
		default:
			return nothing(machine);
	}
}

function startAnew(machine: Machine): Decision {
	if (machine.state !== "starting") return start(machine);
	const effects: MachineEffect[] = [{ type: "terminate", graceful: false }, { type: "launch" }];
	return to(machine, { launches: 1, error: undefined }, effects);
}

function loadFailed(machine: Machine, error: BroodError): Decision {
	if (machine.state !== "starting") return nothing(machine);
	const state = error.code === "incompatible_protocol" ? "incompatible" : "failed";
	// No retry: what failed to load fails again.
	return to(machine, { state, error }, [{ type: "terminate", graceful: false }]);
}

function crashed(machine: Machine, { error, servedMs = 0 }: Crash, policy: Limits["restart"]): Decision {
	if (machine.state !== "ready" && machine.state !== "unresponsive") return nothing(machine);
	const launches = launchesThatCount(machine.launches, servedMs, policy);
	const ms = restartDelayMs(launches, policy);
	if (ms === null) {
		return to(machine, { state: "failed", launches, error: explainGivenUp(error, launches) }, [{ type: "withdraw" }]);
	}
	return to(machine, { state: "restarting", launches, error }, [{ type: "withdraw" }, { type: "arm_backoff", ms }]);
}

function swapped(machine: Machine): Decision {
	const live = { state: "ready", launches: 1, error: undefined } as const;
	switch (machine.state) {
		case "ready":
		case "unresponsive":
		// The old one crashed meanwhile and is being started again, or was given up.
		case "starting":
		case "failed":
			return to(machine, live, [{ type: "publish" }]);
		case "restarting":
			return to(machine, live, [{ type: "cancel_backoff" }, { type: "publish" }]);
		default:
			return nothing(machine);
	}
}

function stop(machine: Machine, target: RestState): Decision {
	switch (machine.state) {
		case "ready":
		case "unresponsive":
			return to(machine, { state: "stopping", target }, [
				{ type: "withdraw" },
				{ type: "terminate", graceful: machine.state === "ready" },
			]);
		case "starting":
			return to(machine, { state: "stopping", target }, [{ type: "terminate", graceful: false }]);
		case "restarting":
			return to(machine, { state: target, error: undefined }, [{ type: "cancel_backoff" }]);
		case "stopping":
			return to(machine, { target }, []);
		case "shadowed":
		case "rejected":
			return nothing(machine);
		default:
			return to(machine, { state: target }, []);
	}
}

function to(machine: Machine, change: Partial<Machine>, effects: MachineEffect[]): Decision {
	return { machine: { ...machine, ...change }, effects };
}

function nothing(machine: Machine): Decision {
	return { machine, effects: [] };
}
