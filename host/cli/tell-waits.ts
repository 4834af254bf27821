import type { LoadFact } from "../contracts/backend.ts";
import type { HostEvent } from "../host.ts";
import type { PluginState } from "../lifecycle/machine.ts";
import { shownName } from "./screen-text.ts";

export interface WaitOptions {
	/** Whether only what matters to a person who wants to go is told. */
	quiet: boolean;
	/** Whether a signal has asked the command to end. */
	isInterrupted(): boolean;
	/** Takes a line. */
	tell(line: string): void;
	/** Milliseconds in which nobody wonders. */
	afterMs?: number;
}

/**
 * Tells a person which plugins a command waits for, once as they start and once as they stop, when that takes longer than
 * a moment. Give `observe` all that happens in the host, and call `end` when it has stopped.
 */
export function tellWaits({ quiet, isInterrupted, tell, afterMs = waitMs }: WaitOptions) {
	const states = new Map<string, PluginState>();
	const reached = new Map<string, LoadFact>();
	const dialogs = new Map<string, number>();
	let starting: Timer | undefined = quiet ? undefined : setTimeout(tellStarting, afterMs);
	let stopping: Timer | undefined;

	const inState = (state: PluginState) => [...states].flatMap(([plugin, own]) => (own === state ? [plugin] : []));

	function tellStarting(): void {
		// Whoever is asked something knows what is waited for, until the answer is given.
		if ([...dialogs.values()].some((open) => open > 0)) {
			starting = setTimeout(tellStarting, afterMs);
			return;
		}
		const waiting = inState("starting").map((plugin) => {
			const stage = stageAfter(reached.get(plugin));
			return stage === undefined ? shownName(plugin) : `${shownName(plugin)}: ${stage}`;
		});
		if (waiting.length > 0) tell(`waiting for ${enumerate(waiting)} …`);
	}

	function tellStopping(): void {
		const waiting = inState("stopping").map(shownName);
		if (waiting.length === 0 || (quiet && !isInterrupted())) return;
		const way = isInterrupted() ? "Ctrl-C again" : "Ctrl-C twice";
		tell(`stopping ${enumerate(waiting)} …; ${way} ends it at once`);
	}

	return {
		observe(event: HostEvent): void {
			if (event.type === "fact") reached.set(event.plugin, event.fact);
			if (event.type === "dialogs") dialogs.set(event.plugin, event.open);
			if (event.type !== "state") return;
			states.set(event.plugin, event.state);
			if (event.state === "starting") reached.delete(event.plugin);
			if (event.state === "stopping") stopping ??= setTimeout(tellStopping, afterMs);
		},
		/** Nothing of the start is waited for any more; what starts later is not told of. */
		started(): void {
			clearTimeout(starting);
		},
		end(): void {
			clearTimeout(starting);
			clearTimeout(stopping);
		},
	};
}

/** What is under way once a load has reached a fact; undefined before its process starts. */
export function stageAfter(fact: LoadFact = "found"): string | undefined {
	return stages[fact];
}

type Timer = ReturnType<typeof setTimeout>;

const waitMs = 1_000;

// What is under way once a fact is reached.
const stages: Partial<Record<LoadFact, string>> = {
	spawned: "start of its process",
	clientInfo: "import",
	imported: "activate",
	activated: "activate",
	registered: "fetch of its registrations",
	ready: "fetch of its registrations",
};

const namesMax = 5;

function enumerate(names: string[]): string {
	const more = names.length - namesMax;
	return names.slice(0, namesMax).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
