import { existsSync } from "node:fs";
import { type BroodError, failure } from "../../../runtime/errors.ts";
import { nearest } from "../../../runtime/near.ts";
import type { PluginSpec, PluginSystem } from "../../spec.ts";
import type { GlobalOptions } from "../context.ts";
import { discoverPlugins, placesOf } from "../places.ts";

/** What a person named: a plugin of any system, or of the one before the slash, as in `amp/hello`. */
export interface PluginWord {
	name: string;
	system: PluginSystem | undefined;
}

export function readPluginWord(word: string): PluginWord {
	const system = systems.find((known) => word.startsWith(`${known}/`));
	return { name: system === undefined ? word : word.slice(system.length + 1), system };
}

/** The plugin that has this name; those that it hides are not found. Undefined when there is none. */
export function findPlugin(plugins: readonly PluginSpec[], { name, system }: PluginWord): PluginSpec | undefined {
	return plugins.find((plugin) => plugin.name === name && (system === undefined || plugin.system === system));
}

/** What has a slash cannot be the name of a plugin, apart from that of its system; what ends as code does is no name. */
export function isPath(word: string): boolean {
	const { name, system } = readPluginWord(word);
	return existsSync(word) || (system === undefined && word.includes("/")) || /\.[cm]?[jt]sx?$/.test(name);
}

/**
 * The paths that words stand for: a path for itself, even where a plugin has that name too, and a name for its plugin.
 *
 * @throws BroodError `plugin_not_found` for what is neither; `usage` when a path of `-p` is no plugin
 */
export async function pathsOf(words: readonly string[], options: GlobalOptions): Promise<string[]> {
	if (words.every(isPath)) return [...words];
	const { plugins } = await discoverPlugins(await placesOf(options), options);
	return words.map((word) => {
		if (isPath(word)) return word;
		const named = findPlugin(plugins, readPluginWord(word));
		if (named === undefined) throw noSuchPlugin(word, plugins);
		return named.kind === "directory" ? named.root : named.path;
	});
}

/**
 * Makes sure that options name plugins that there are, before anything of them is run: another name would have no effect
 * that anybody sees.
 *
 * @throws BroodError `plugin_not_found`, and `usage` when a path of `-p` is no plugin
 */
export async function requirePlugins(options: GlobalOptions, names: readonly string[]): Promise<void> {
	if (names.length === 0) return;
	const { plugins } = await discoverPlugins(await placesOf(options), options);
	const unknown = names.find((name) => plugins.every((plugin) => plugin.name !== name));
	if (unknown !== undefined) throw noSuchPlugin(unknown, plugins);
}

/** Says that nobody has the name, and which one may be meant. @param more what else there is to know */
export function noSuchPlugin(word: string, plugins: readonly PluginSpec[], more = ""): BroodError {
	const names = [...new Set(plugins.map(({ name }) => name))];
	const near = nearest(readPluginWord(word).name, names);
	const known = names.length === 0 ? "None was found." : `Known: ${names.slice(0, namesMax).join(", ")}.`;
	return failure("plugin_not_found", { plugin: word, hint: (near === undefined ? known : `Is it "${near}"?`) + more });
}

const systems: readonly PluginSystem[] = ["amp", "external", "package"];

// More of them would hide the one that is meant.
const namesMax = 12;
