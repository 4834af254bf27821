import type {
	ConfigurationListener,
	ConfigurationProvider,
	ConfigurationTarget,
} from "../../host/contracts/configuration.ts";
import type { JsonObject } from "../../runtime/records.ts";

/** The settings that a plugin under test sees. */
export interface TestSettings {
	/** As the plugin reads them. */
	all(): JsonObject;
	/** Changes some of the user's, as the user would; the plugin is told. */
	update(partial: JsonObject): void;
	/** Takes one of the user's away. */
	delete(key: string): void;
}

/** Settings in memory, in the layers of a host: what stands in the workspace's hides the user's of the same key. */
export function memorySettings(user: JsonObject): { settings: TestSettings; provider: ConfigurationProvider } {
	const layers: Record<ConfigurationTarget, JsonObject> = { global: structuredClone(user), workspace: {} };
	const listeners = new Set<ConfigurationListener>();
	const all = () => structuredClone({ ...layers.global, ...layers.workspace });

	function change(target: ConfigurationTarget, edit: (layer: JsonObject) => void): void {
		edit(layers[target]);
		for (const listener of listeners) listener.next(all());
	}
	const update = (target: ConfigurationTarget, partial: JsonObject) =>
		change(target, (layer) => Object.assign(layer, structuredClone(partial)));
	const remove = (target: ConfigurationTarget, key: string) => change(target, (layer) => delete layer[key]);

	return {
		settings: { all, update: (partial) => update("global", partial), delete: (key) => remove("global", key) },
		provider: {
			get: async () => all(),
			update: async (partial, target) => update(target, partial),
			delete: async (key, target) => remove(target, key),
			subscribe(listener) {
				const own = { ...listener };
				listeners.add(own);
				return { unsubscribe: () => void listeners.delete(own) };
			},
		},
	};
}
