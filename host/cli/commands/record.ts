import type { BroodError } from "../../../runtime/errors.ts";
import type { PluginSnapshot } from "../../plugin.ts";
import { cleanLine } from "../../ui/clean.ts";
import { roundMs } from "../output.ts";
import type { Paint } from "../style.ts";
import { withAdvice } from "./load-advice.ts";

/** A plugin as programs read it; every item has a `name`, commands an `id` and `title`, events are their name. */
export function pluginRecord({ error, facts, modes, links, statusItems, ...plugin }: PluginSnapshot) {
	return {
		...plugin,
		...(error === undefined ? {} : { error: errorRecord(withAdvice(error, plugin.path)) }),
		...(isSwitchedOff({ state: plugin.state, error }) ? { hint: `${switchOnWords(plugin.name)} switches it on` } : {}),
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

/** How what is switched off comes back; undefined for all else. */
export function describeOff(
	plugin: Pick<PluginSnapshot, "name" | "state" | "error">,
	paint: Paint,
): string | undefined {
	return isSwitchedOff(plugin) ? paint("dim", `off; ${switchOnWords(plugin.name)} brings it back`) : undefined;
}

/** The words to type. */
export function switchOnWords(name: string): string {
	const plain = /^[\w.@+][\w.@+-]*$/.test(name);
	return `brood on ${plain ? name : `-- '${cleanLine(name, nameCharsMax).replaceAll("'", "'\\''")}'`}`;
}

// A file name has at most so many bytes.
const nameCharsMax = 255;

/** Whether somebody wanted it to be off. */
export function isSwitchedOff({
	state,
	error,
}: {
	state: PluginSnapshot["state"];
	error?: BroodError | undefined;
}): boolean {
	return state === "disabled" && error === undefined;
}

/** Why a plugin does not serve, as programs read it. */
export function errorRecord(error: BroodError) {
	const { code, stage, message, hint, positions } = error.toJSON();
	return {
		code,
		stage: stage ?? null,
		message,
		...(hint === undefined ? {} : { hint }),
		...(positions === undefined ? {} : { positions }),
	};
}
