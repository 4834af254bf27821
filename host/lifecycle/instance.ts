import type { Items, Kind } from "../../runtime/records.ts";
import {
	type Backend,
	type BackendEvents,
	type BackendLog,
	type Capabilities,
	type LoadFact,
	noCapabilities,
} from "../contracts/backend.ts";

/** One launch of a plugin: its backend and what is known of it. */
export interface Instance {
	readonly backend: Backend;
	/** Aborts a start under way. */
	readonly abort: AbortController;
	/** Milliseconds since the spawn at which each fact of the load was reached. */
	readonly facts: Partial<Record<LoadFact, number>>;
	/** When it was made, in milliseconds since 1970. */
	readonly launchedAt: number;
	capabilities: Capabilities;
	/** Whether its load succeeded. */
	loaded: boolean;
	/** Whether its process answers; one that does not cannot run dispose callbacks. */
	responsive: boolean;
	/** Calls under way. */
	calls: number;
	/** Hears when the last call under way has ended. */
	idle: (() => void) | undefined;
	/** Settles with its end, once that is under way. */
	ending: Promise<unknown> | undefined;
	/** Notes that its capabilities are visible now. */
	published(): void;
}

export interface InstanceListener {
	fact(name: LoadFact, ms: number): void;
	changed<K extends Kind>(instance: Instance, kind: K, items: Items[K][]): void;
	loadedMore(instance: Instance): void;
	log(entry: BackendLog): void;
	responsive(instance: Instance, isResponsive: boolean): void;
}

/** Makes an instance; nothing runs before its backend is started. */
export function createInstance(
	createBackend: (events: BackendEvents) => Backend,
	listener: InstanceListener,
	now: () => number,
): Instance {
	let spawnedAt = now();
	const facts: Instance["facts"] = {};
	const note = (name: LoadFact, sinceSpawn: number) => {
		const isFound = name === "found";
		if (isFound) spawnedAt = now() - sinceSpawn;
		// One that was spawned before its plugin was known has no time before that.
		const ms = isFound ? 0 : sinceSpawn;
		const first = facts[name] === undefined;
		// A later word on the same fact is the more exact one.
		facts[name] = ms;
		if (first) listener.fact(name, ms);
	};
	const backend = createBackend({
		fact: note,
		changed(kind, items) {
			Object.assign(instance.capabilities, { [kind]: items });
			listener.changed(instance, kind, items);
		},
		loadedMore: () => listener.loadedMore(instance),
		log: listener.log,
		responsive(isResponsive) {
			instance.responsive = isResponsive;
			listener.responsive(instance, isResponsive);
		},
	});
	const instance: Instance = {
		backend,
		abort: new AbortController(),
		facts,
		launchedAt: Date.now(),
		capabilities: noCapabilities(),
		loaded: false,
		responsive: true,
		calls: 0,
		idle: undefined,
		ending: undefined,
		published: () => note("published", now() - spawnedAt),
	};
	return instance;
}
