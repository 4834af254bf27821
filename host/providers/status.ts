import { emitter, type Subscription } from "../../runtime/disposable.ts";
import { failure } from "../../runtime/errors.ts";
import { type Limits, limits } from "../../runtime/limits.ts";
import type { StatusItem } from "../../runtime/records.ts";
import type { StatusService } from "../contracts/services.ts";

/** A status item and the plugin that shows it. */
export interface OwnedStatusItem extends StatusItem {
	plugin: string;
}

/** Status items of all plugins. */
export interface StatusItems extends StatusService {
	/** What is shown, plugin by plugin, in the order in which the items of each were made. */
	list(): OwnedStatusItem[];
	/** Shows nothing of a plugin any more until a process of it shows its own. */
	clear(plugin: string): void;
	onChange(listener: (items: OwnedStatusItem[]) => void): Subscription;
}

/** Makes the status items of a host; those of one plugin are bounded in number and size. */
export function createStatusItems(bounds: Limits["text"] = limits.text): StatusItems {
	// One process of a plugin shows its items at a time: a reload has two of them for a while.
	const shown = new Map<string, Map<number, OwnedStatusItem>>();
	const changes = emitter<OwnedStatusItem[]>();
	const list = () => [...shown.values()].flatMap((items) => [...items.values()]);
	const told = () => changes.emit(list());

	function clear(plugin: string): void {
		const items = shown.get(plugin);
		shown.delete(plugin);
		if (items !== undefined && items.size > 0) told();
	}

	return {
		open(plugin) {
			const items = new Map<number, OwnedStatusItem>();
			const toldIfShown = () => shown.get(plugin) === items && told();
			const put = (item: StatusItem) => {
				const wrong = faultOf(item, bounds, items);
				if (wrong !== undefined) throw failure("invalid_params", { plugin, subject: "a status item", reason: wrong });
				items.set(item.id, { ...item, text: item.text.slice(0, bounds.uiTextCharsMax), plugin });
				toldIfShown();
			};
			return {
				put,
				update(item) {
					if (items.has(item.id)) put(item);
				},
				remove(id) {
					if (items.delete(id)) toldIfShown();
				},
				show() {
					const before = shown.get(plugin);
					shown.set(plugin, items);
					if (items.size > 0 || (before !== undefined && before.size > 0)) told();
				},
				close() {
					if (shown.get(plugin) === items) clear(plugin);
				},
			};
		},
		list,
		clear,
		onChange: changes.listen,
	};
}

/** Why a plugin may not show an item beside those that it shows. */
function faultOf({ id, url = "" }: StatusItem, bounds: Limits["text"], shown: ReadonlyMap<number, unknown>) {
	if (url.length > bounds.uiTextCharsMax) return `its url has over ${bounds.uiTextCharsMax} characters`;
	if (shown.has(id) || shown.size < bounds.statusItemsMax) return undefined;
	return `a plugin shows at most ${bounds.statusItemsMax} of them`;
}
