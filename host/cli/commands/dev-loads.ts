import type { LoadFact } from "../../contracts/backend.ts";
import type { HostEvent } from "../../host.ts";
import type { PluginState } from "../../lifecycle/machine.ts";
import { stageAfter } from "../tell-waits.ts";

/** Knows which loads are under way, and tells once of each that takes longer than a moment. */
export interface LoadWatch {
	observe(event: HostEvent): void;
	/** Something came of the load of a plugin. */
	ended(plugin: string): void;
	/** Tells nothing any more. */
	end(): void;
}

export interface LoadWatchParts {
	/** Hears of a load that goes on; the stage is in words. */
	tell(plugin: string, stage: string): void;
	/** Milliseconds in which nobody wonders. */
	afterMs?: number;
}

export function watchLoads({ tell, afterMs = 1_000 }: LoadWatchParts): LoadWatch {
	const loads = new Map<string, Load>();

	function ended(plugin: string): void {
		clearTimeout(loads.get(plugin)?.timer);
		loads.delete(plugin);
	}

	function begin(plugin: string): void {
		ended(plugin);
		const load: Load = {
			reached: "found",
			timer: setTimeout(() => tell(plugin, stageAfter(load.reached) ?? "start of its process"), afterMs),
		};
		loads.set(plugin, load);
	}

	function reach(plugin: string, fact: LoadFact): void {
		if (fact === "found") return begin(plugin);
		if (fact === "published") return ended(plugin);
		const load = loads.get(plugin);
		if (load !== undefined) load.reached = fact;
	}

	return {
		observe(event) {
			if (event.type === "fact") reach(event.plugin, event.fact);
			if (event.type === "state" && !mayLoad.has(event.state)) ended(event.plugin);
		},
		ended,
		end() {
			for (const plugin of [...loads.keys()]) ended(plugin);
		},
	};
}

interface Load {
	reached: LoadFact;
	timer: ReturnType<typeof setTimeout>;
}

// Beside one that serves the next version loads.
const mayLoad: ReadonlySet<PluginState> = new Set<PluginState>(["starting", "ready", "unresponsive"]);
