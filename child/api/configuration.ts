import type { Ask } from "../ask.ts";
import type { Configuration } from "../types/plugin-api.ts";
import { createObservable } from "./observable.ts";

/** The settings of workspace and user, asked from the host each time. */
export function createConfiguration(ask: Ask): Configuration {
	const values = createObservable<Record<string, unknown>>((observer) => {
		ask("configuration.subscribe", {}).catch((error: unknown) => {
			// Without a listener for errors the rejection stays visible in the plugin's log.
			if (observer.error === undefined) throw error;
			observer.error(error);
		});
		return () => {};
	});
	return {
		...values,
		get: <Settings>() => ask("configuration.get", {}) as Promise<Settings>,
		async update(partial, target = "workspace") {
			await ask("configuration.update", { partial: jsonObject(partial), target });
		},
		async delete(key, target = "workspace") {
			await ask("configuration.delete", { key, target });
		},
	};
}

function jsonObject(value: Record<string, unknown>) {
	return JSON.parse(JSON.stringify(value));
}
