import { failure } from "../../runtime/errors.ts";
import type { Supervisor } from "../lifecycle/supervisor.ts";

/**
 * Reloads one plugin: a new instance loads beside the old one, takes its place in one step, and the old one ends
 * when its calls are done. A plugin that does not run is started. Reloads of one plugin follow one another.
 */
export interface Swap {
	/** @throws BroodError when the new instance does not load; an old one that ran serves on */
	reload(): Promise<void>;
}

export function createSwap(supervisor: Supervisor, plugin: string): Swap {
	let last: Promise<void> = Promise.resolve();

	async function once(stops: number): Promise<void> {
		const { state } = supervisor.machine;
		if (supervisor.stops !== stops) throw stopped();
		if (state !== "ready" && state !== "unresponsive") {
			await supervisor.start();
			const { error } = supervisor.machine;
			if (supervisor.machine.state !== "ready") {
				throw error ?? failure("plugin_not_ready", { plugin, reason: `its state is ${supervisor.machine.state}` });
			}
			return;
		}
		const instance = await supervisor.prepare().catch((error: unknown) => {
			throw supervisor.stops === stops ? error : stopped();
		});
		if (!supervisor.adopt(instance)) throw stopped();
	}

	function stopped() {
		return failure("plugin_not_ready", { plugin, reason: "it was stopped while it was being reloaded" });
	}

	return {
		reload() {
			const { stops } = supervisor;
			const mine = last.then(() => once(stops));
			last = mine.catch(() => {});
			return mine;
		},
	};
}
