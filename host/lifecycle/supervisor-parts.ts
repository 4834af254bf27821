import type { BroodError } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { Items, Kind } from "../../runtime/records.ts";
import type { Clock } from "../base/clock.ts";
import type { Gate } from "../base/gate.ts";
import type { Backend, BackendEvents, BackendLog, Capabilities, LoadFact } from "../contracts/backend.ts";
import type { Machine, PluginState } from "./machine.ts";

/** What a supervisor needs of the world around it. */
export interface SupervisorParts {
	plugin: string;
	initialState: PluginState;
	/** Why it is in that state, when something is wrong. */
	initialError?: BroodError | undefined;
	createBackend(events: BackendEvents): Backend;
	limits: Limits;
	clock: Clock;
	/** Limits how many plugins start at once. */
	gate: Gate;
	/** Aborts when the host kills instead of stopping. */
	hurry: AbortSignal;
	/** Makes these capabilities the plugin's visible ones, in one step. */
	publish(capabilities: Capabilities): void;
	withdraw(): void;
	changed<K extends Kind>(kind: K, items: Items[K][]): void;
	/** To whoever has asked for its modules: the plugin has loaded more. */
	loadedMore(): void;
	state(machine: Machine): void;
	fact(name: LoadFact, ms: number): void;
	log(entry: BackendLog): void;
}
