import { type BroodError, failure, isBroodError, messageOf } from "../../runtime/errors.ts";
import { pluginKey } from "../base/plugin-key.ts";
import type { EnablementStore } from "../contracts/enablement.ts";
import type { PluginSpec } from "../spec.ts";

/** What a host does with the store of what was switched on and off. */
export interface Enablement {
	/** The plugins that are off, each with the reason where it is not that somebody wanted it. */
	disabled(plugins: readonly PluginSpec[]): Promise<Map<PluginSpec, BroodError | undefined>>;
	/** Keeps it for later hosts. @throws BroodError `usage` where nothing can be kept, or what the store throws */
	save(plugin: PluginSpec, enabled: boolean): Promise<void>;
}

/** @param store `false` where nothing is kept */
export function createEnablement(store: EnablementStore | false): Enablement {
	return {
		async disabled(plugins) {
			const asked = store === false ? [] : plugins.filter(({ scope }) => scope !== "explicit");
			if (store === false || asked.length === 0) return new Map();
			try {
				const saved = await store.read(await Promise.all(asked.map(pluginKey)));
				return new Map(asked.flatMap((plugin, index) => (saved[index] === false ? [[plugin, undefined]] : [])));
			} catch (error) {
				// Nobody runs what a person may have switched off.
				const reason = asBroodError(error);
				return new Map(asked.map((plugin) => [plugin, reason]));
			}
		},
		async save(plugin, enabled) {
			if (store === false)
				throw failure("usage", { reason: "This host keeps no plugin on or off (enablement: false)" });
			if (plugin.scope === "explicit") throw alwaysRuns(plugin.name);
			await store.write([await pluginKey(plugin)], enabled);
		},
	};
}

/** Says that a plugin that was named by its path is on in every host that names it. */
export function alwaysRuns(plugin: string): BroodError {
	const reason = `Plugin "${plugin}" was named by its path, and what is named always runs`;
	return failure("usage", { plugin, reason, hint: "To switch off what lies in a plugin place, leave that path out." });
}

function asBroodError(error: unknown): BroodError {
	if (isBroodError(error)) return error;
	return failure("provider_failed", {
		provider: "enablement",
		subject: "read",
		reason: messageOf(error),
		cause: error,
	});
}
