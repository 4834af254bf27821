import type { ModuleList } from "../runtime/protocol.ts";
import { ownFiles } from "./own-files.ts";

/** The files of the plugin that this process has loaded, for a host that watches them. */
export interface Modules {
	list(): Promise<ModuleList>;
	/** Tells of those that came since they were listed; of none to a host that never asked. */
	announce(): void;
}

/**
 * @param changed hears how many there are now
 * @param findCache gives what the modules of the plugin are cached in, where that is not the cache of this module
 */
export function createModules(changed: (revision: number) => void, findCache?: () => Promise<object>): Modules {
	let told: number | undefined;
	let cache: object = require.cache;
	const loaded = () => keys(cache).filter(isPlugins);

	function announce(): void {
		if (told === undefined) return;
		const { length } = loaded();
		if (told === length) return;
		told = length;
		changed(length);
	}

	return {
		async list() {
			if (findCache !== undefined) cache = await findCache();
			// A plugin loads also while nobody calls it.
			if (told === undefined) every(announce, lookEveryMs).unref();
			const modules = loaded();
			told = modules.length;
			return { revision: told, modules };
		},
		announce,
	};
}

/** What lies in packages is reloaded with the plugin, and not because of itself. */
function isPlugins(path: string): boolean {
	return path.startsWith("/") && !path.includes("/node_modules/") && !ownFiles.some((own) => path.startsWith(own));
}

const lookEveryMs = 1_000;

// Kept, since a plugin may replace them.
const { keys } = Object;
const { setInterval: every } = globalThis;
