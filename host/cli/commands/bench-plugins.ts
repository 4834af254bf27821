import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { failure } from "../../../runtime/errors.ts";
import { nearest } from "../../../runtime/near.ts";
import type { Places } from "../../base/paths.ts";
import { createEnablement } from "../../providers/enablement.ts";
import { fileEnablement } from "../../providers/enablement-file.ts";
import type { PluginSpec } from "../../spec.ts";
import type { GlobalOptions } from "../context.ts";
import { discoverPlugins } from "../places.ts";
import { findPlugin, isPath, noSuchPlugin, readPluginWord } from "./find-plugin.ts";
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

/** Those whose name another one has too get their path behind it, for people. */
export function withDistinctNames<Record extends { plugins: readonly { name: string; path: string }[] }>(
	record: Record,
	cwd: string = process.cwd(),
): Record {
	const count = (wanted: string) => record.plugins.filter(({ name }) => name === wanted).length;
	const place = (path: string) => (path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path);
	const plugins = record.plugins.map((plugin) =>
		count(plugin.name) === 1 ? plugin : { ...plugin, name: `${plugin.name} (${place(plugin.path)})` },
	);
	return { ...record, plugins };
}

async function pluginsAt(path: string, places: Places, options: GlobalOptions): Promise<PluginSpec[]> {
	if (!existsSync(path)) throw await noSuchFile(path);
	const { plugins } = await discoverPlugins(places, { ...options, plugin: [path], places: false });
	return plugins;
}

/** Says of a path that leads nowhere what lies there that may be meant. */
async function noSuchFile(path: string) {
	const folder = dirname(path);
	const names = await readdir(folder).catch(() => undefined);
	const near = names === undefined ? undefined : nearest(basename(path), names);
	const missing = names === undefined ? `its folder ${folder} cannot be read, or does not exist` : "it does not exist";
	const hint =
		near === undefined ? "Give the path of a plugin, or a name that brood list shows." : `Is it ${join(folder, near)}?`;
	return failure("usage", { reason: `${resolve(path)} is no plugin: ${missing}`, stage: "discover", hint });
}

function isOff(name: string) {
	return failure("plugin_not_ready", {
		plugin: name,
		reason: "it is switched off",
		hint: `Switch it on: ${switchOnWords(name)}.`,
	});
}
