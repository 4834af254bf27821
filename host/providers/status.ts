import { emitter, type Subscription } from "../../runtime/disposable.ts";
import type { StatusItem } from "../../runtime/records.ts";
import type { StatusService } from "../contracts/services.ts";

/** A status item and the plugin that shows it. */
export interface OwnedStatusItem extends StatusItem {
	plugin: string;
}

/** Status items of all plugins, in the order in which they were made. */
export interface StatusItems extends StatusService {
	list(): OwnedStatusItem[];
	onChange(listener: (items: OwnedStatusItem[]) => void): Subscription;
}

export function createStatusItems(): StatusItems {
	const items = new Map<string, OwnedStatusItem>();
	const changes = emitter<OwnedStatusItem[]>();
	const list = () => [...items.values()];
	const told = () => changes.emit(list());

	return {
		put(plugin, item) {
			items.set(`${plugin} ${item.id}`, { ...item, plugin });
			told();
		},
		remove(plugin, id) {
			if (items.delete(`${plugin} ${id}`)) told();
		},
		clear(plugin) {
			const own = [...items].filter(([, item]) => item.plugin === plugin);
			for (const [key] of own) items.delete(key);
			if (own.length > 0) told();
		},
		list,
		onChange: changes.listen,
	};
}
