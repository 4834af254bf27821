import type { ModuleList } from "../runtime/protocol.ts";
import { ownFiles } from "./own-files.ts";

/** The files of the plugin that this process has loaded, for a host that watches them. */
export interface Modules {
	list(): ModuleList;
	/** Tells of those that came since they were listed; of none to a host that never asked. */
	announce(): void;
}

/** @param changed hears how many there are now */
export function createModules(changed: (revision: number) => void): Modules {
	let told: number | undefined;

	function announce(): void {
		const { length } = loaded();
		if (told === undefined || told === length) return;
		told = length;
		changed(length);
	}

	return {
		list() {
			// A plugin loads also while nobody calls it.
			if (told === undefined) every(announce, lookEveryMs).unref();
			const modules = loaded();
			told = modules.length;
			return { revision: told, modules };
		},
		announce,
	};
}

const loaded = () => keys(cache).filter(isPlugins);

/** What lies in packages is reloaded with the plugin, and not because of itself. */
function isPlugins(path: string): boolean {
	return path.startsWith("/") && !path.includes("/node_modules/") && !ownFiles.some((own) => path.startsWith(own));
}

const lookEveryMs = 1_000;

// Kept, since a plugin may replace them.
const { keys } = Object;
const { setInterval: every } = globalThis;
const { cache } = require;
