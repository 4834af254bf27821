import type { Subscription } from "../../runtime/disposable.ts";
import { failure } from "../../runtime/errors.ts";
import type { OwnedStatusItem, StatusItems } from "../providers/status.ts";
import { keyPrefix } from "../registry.ts";
import type { CallOptions, CommandResult, Dispatch } from "./dispatch.ts";

/** What it means that a person chose a status item: a command that ran, a URL for the host to open, or nothing. */
export type ActivatedStatusItem =
	| { type: "command"; id: string; result: CommandResult }
	| { type: "url"; url: string }
	| { type: "none" };

export interface HostStatusItems {
	list(): OwnedStatusItem[];
	/** Hears all items after each change of one. */
	onChange(listener: (items: OwnedStatusItem[]) => void): Subscription;
	/**
	 * A person chose an item. One with `command:ID` runs that command of its plugin; any other URL is handed back as the
	 * plugin gave it, so look at it before it is opened.
	 *
	 * @throws BroodError `usage` where the plugin shows no such item, and what `commands.run` throws
	 */
	activate(plugin: string, id: number, options?: CallOptions): Promise<ActivatedStatusItem>;
}

export function createHostStatusItems(items: StatusItems, dispatch: Dispatch): HostStatusItems {
	return {
		list: items.list,
		onChange: items.onChange,
		async activate(plugin, id, options) {
			const item = items.list().find((shown) => shown.plugin === plugin && shown.id === id);
			if (item === undefined) throw failure("usage", { reason: `Plugin "${plugin}" shows no status item ${id}` });
			const { url } = item;
			if (url === undefined || url === "") return { type: "none" };
			if (!url.startsWith(commandScheme)) return { type: "url", url };
			const command = url.slice(commandScheme.length);
			return { type: "command", id: command, result: await dispatch.runCommand(keyPrefix(plugin) + command, options) };
		},
	};
}

const commandScheme = "command:";
