import { existsSync } from "node:fs";
import { failure } from "../../../runtime/errors.ts";
import type { Places } from "../../base/paths.ts";
import { createEnablement } from "../../providers/enablement.ts";
import { fileEnablement } from "../../providers/enablement-file.ts";
import type { PluginSpec } from "../../spec.ts";
import type { GlobalOptions } from "../context.ts";
import { discoverPlugins } from "../places.ts";
import { findPlugin, noSuchPlugin, readPluginWord } from "./find-plugin.ts";
import { switchOnWords } from "./record.ts";

/** The plugins that a command is about. */
export interface ChosenPlugins {
	plugins: PluginSpec[];
	/** Names of those that were found, not named, and are off. */
	off: string[];
}

/**
 * Finds plugins by their names, as in `hello` and `amp/hello`, and by paths; without words all those that a host starts.
 *
 * @throws BroodError `plugin_not_found`; `usage` for a path that is no plugin; `plugin_not_ready` for one that is named
 * and off; `invalid_state` when it cannot be found out what is off
 */
export async function choosePlugins(
	places: Places,
	options: GlobalOptions,
	words: readonly string[],
): Promise<ChosenPlugins> {
	const { plugins: all } = await discoverPlugins(places, options);
	// Of two with one name the first counts.
	const found = all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index);
	const disabled = await createEnablement(fileEnablement(places.stateHome)).disabled(found);
	for (const error of disabled.values()) if (error !== undefined) throw error;
	if (words.length === 0) {
		const off = found.filter((plugin) => disabled.has(plugin));
		return { plugins: found.filter((plugin) => !disabled.has(plugin)), off: off.map(({ name }) => name) };
	}
	const chosen: PluginSpec[] = [];
	for (const word of words) {
		const named = findPlugin(found, readPluginWord(word));
		if (named !== undefined && disabled.has(named)) throw isOff(named.name);
		if (named !== undefined) chosen.push(named);
		else if (isPath(word)) chosen.push(...(await pluginsAt(word, places, options)));
		else throw noSuchPlugin(word, found);
	}
	return {
		plugins: chosen.filter(({ path }, index) => chosen.findIndex((one) => one.path === path) === index),
		off: [],
	};
}

async function pluginsAt(path: string, places: Places, options: GlobalOptions): Promise<PluginSpec[]> {
	const { plugins } = await discoverPlugins(places, { ...options, plugin: [path], places: false });
	return plugins;
}

/** A word with a slash cannot be the name of a plugin. */
function isPath(word: string): boolean {
	return word.includes("/") || existsSync(word);
}

function isOff(name: string) {
	return failure("plugin_not_ready", {
		plugin: name,
		reason: "it is switched off",
		hint: `Switch it on: ${switchOnWords(name)}.`,
	});
}
