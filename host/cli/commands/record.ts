import type { BroodError } from "../../../runtime/errors.ts";
import type { PluginSnapshot } from "../../plugin.ts";
import { roundMs } from "../output.ts";
import type { Paint } from "../style.ts";

/** A plugin as programs read it; every item has a `name`, commands an `id` and `title`, events are their name. */
export function pluginRecord({ error, facts, modes, links, statusItems, ...plugin }: PluginSnapshot) {
	return {
		...plugin,
		...(error === undefined ? {} : { error: errorRecord(error) }),
		facts: Object.fromEntries(Object.entries(facts).map(([name, ms]) => [name, ms === null ? null : roundMs(ms)])),
		modes: modes.map((mode) => ({ name: mode.key, ...mode })),
		links: links.map((link) => ({ name: link.id, ...link })),
		statusItems: statusItems.map((item) => ({ name: item.text, ...item })),
	};
}

/** A state in the colour of its meaning. */
export function describeState(state: PluginSnapshot["state"], paint: Paint): string {
	const bad = state === "failed" || state === "incompatible" || state === "rejected";
	return paint(state === "ready" ? "green" : bad ? "red" : "yellow", state);
}

function errorRecord(error: BroodError) {
	const { code, stage, message, hint, positions } = error.toJSON();
	return {
		code,
		stage: stage ?? null,
		message,
		...(hint === undefined ? {} : { hint }),
		...(positions === undefined ? {} : { positions }),
	};
}
