import { type Places, pluginPlaces } from "../../base/paths.ts";
import { pluginKey, realFolder } from "../../base/plugin-key.ts";
import { alwaysRuns } from "../../providers/enablement.ts";
import { fileEnablement, type SavedEnablement } from "../../providers/enablement-file.ts";
import type { PluginKey, PluginSpec } from "../../spec.ts";
import type { CommandContext } from "../context.ts";
import type { Output } from "../output.ts";
import { discoverPlugins, placesOf } from "../places.ts";
import { shownName } from "../screen-text.ts";
import { findPlugin, noSuchPlugin, readPluginWord } from "./find-plugin.ts";
import { switchOnWords } from "./record.ts";

/**
 * `brood on` and `brood off`: whether later hosts start these plugins. None is run for it, and all are switched or none.
 *
 * @throws BroodError `plugin_not_found`, `usage` for one that `-p` names, `invalid_state` when it cannot be kept
 */
export async function switchPlugins(
	{ options, output }: CommandContext,
	words: readonly string[],
	enabled: boolean,
): Promise<number> {
	const places = await placesOf(options);
	const { plugins } = await discoverPlugins(places, options);
	const store = fileEnablement(places.stateHome);
	const gone = enabled ? await goneFrom(places, await store.list()) : [];
	const chosen = await Promise.all([...new Set(words)].map((word) => choose(word, plugins, gone)));
	const keys = chosen.map(({ key }) => key);
	const before = await store.read(keys);
	await store.write(keys, enabled);
	const switched = chosen.map((one, index) => ({ ...one, enabled, changed: (before[index] ?? true) !== enabled }));
	if (output.json) output.result(JSON.stringify({ plugins: switched.map(recordOf), file: store.path }));
	else for (const one of switched) tell(one, output);
	return 0;
}

interface Chosen {
	key: PluginKey;
	/** `null` for one that is not on disk any more. */
	path: string | null;
	/** Others of its name, which do not run while its file is there, on or off. */
	hides: string[];
}

interface Switched extends Chosen {
	enabled: boolean;
	changed: boolean;
}

async function choose(word: string, plugins: readonly PluginSpec[], gone: readonly SavedEnablement[]): Promise<Chosen> {
	const asked = readPluginWord(word);
	const plugin = findPlugin(plugins, asked);
	if (plugin?.scope === "explicit") throw alwaysRuns(plugin.name);
	if (plugin !== undefined) {
		const hidden = plugins.filter((other) => other !== plugin && other.name === plugin.name);
		return { key: await pluginKey(plugin), path: plugin.path, hides: hidden.map(({ path }) => path) };
	}
	const key = gone.find(({ name, system }) => name === asked.name && (asked.system ?? system) === system);
	if (key === undefined) throw noSuchPlugin(word, plugins);
	return { key, path: null, hides: [] };
}

/** What was switched off in the places that this command looks at; its file may be gone. */
async function goneFrom({ workspaceRoot, configHome }: Places, saved: SavedEnablement[]): Promise<SavedEnablement[]> {
	const places = await Promise.all(
		pluginPlaces(workspaceRoot, configHome).map(async ({ path, scope }) => ({
			scope,
			directory: await realFolder(path),
		})),
	);
	return saved.filter((entry) =>
		places.some(({ scope, directory }) => scope === entry.scope && directory === entry.directory),
	);
}

function recordOf({ key: { name, system, scope }, path, enabled, changed, hides }: Switched) {
	return { name, system, scope, path, enabled, changed, hides };
}

function tell({ key: { name, scope }, path, enabled, changed, hides }: Switched, output: Output): void {
	const where = `for you in ${scope === "user" ? "every" : "this"} workspace`;
	const back = enabled ? "" : `; ${switchOnWords(name)} brings it back`;
	output.result(`${shownName(name)} ${changed ? "is" : "was already"} ${enabled ? "on" : "off"} ${where}${back}`);
	if (path === null) output.note(`${shownName(name)} is not on disk now; it starts when it is there again.`);
	if (!enabled && hides.length > 0) output.note(`It still hides what has the same name: ${hides.join(", ")}`);
}
