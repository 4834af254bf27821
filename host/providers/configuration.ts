import { createSettings, type SettingsPlaces } from "../base/settings.ts";
import type { ConfigurationListener, ConfigurationTarget } from "../contracts/configuration.ts";
import type { ConfigurationService, Spend } from "../contracts/services.ts";
import type { Edit } from "./settings-change.ts";
import type { SettingsWatch } from "./settings-watch.ts";

/**
 * Settings files as a configuration provider. What changes and watches them loads when it is first asked for, and
 * nothing is watched while nobody subscribes.
 */
export function createConfiguration(places: SettingsPlaces, lockMs?: number): ConfigurationService {
	const settings = createSettings(places);
	const listeners = new Set<ConfigurationListener>();
	let watch: Promise<SettingsWatch> | undefined;

	async function openWatch(): Promise<SettingsWatch> {
		const { watchSettings } = await import("./settings-watch.ts");
		return watchSettings(places, {
			read: () => settings.get(),
			next: (value) => listeners.forEach((listener) => void listener.next(value)),
			error: (reason) => listeners.forEach((listener) => void listener.error(reason)),
		});
	}

	async function change(target: ConfigurationTarget, edit: Edit, spend: Spend): Promise<void> {
		const { changeSettings } = await import("./settings-change.ts");
		await changeSettings(places, target, edit, spend, lockMs);
		// Those who subscribed hear of it now, and not only when the file system tells.
		await (await watch)?.refresh();
	}

	return {
		get: (_, spend) => settings.get(spend),
		update: (partial, target, _, spend) => change(target, { set: partial }, spend),
		delete: (key, target, _, spend) => change(target, { remove: key }, spend),
		subscribe(listener) {
			const own: ConfigurationListener = { next: listener.next, error: listener.error };
			listeners.add(own);
			watch ??= openWatch();
			watch.catch(listener.error);
			return {
				unsubscribe() {
					if (!listeners.delete(own) || listeners.size > 0) return;
					const unneeded = watch;
					watch = undefined;
					void unneeded?.then(({ close }) => close()).catch(() => {});
				},
			};
		},
	};
}
