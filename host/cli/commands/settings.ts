import { failure } from "../../../runtime/errors.ts";
import { nearest } from "../../../runtime/near.ts";
import type { Places } from "../../base/paths.ts";
import { settingsPaths } from "../../base/settings.ts";
import type { CommandContext } from "../context.ts";
import type { Output } from "../output.ts";
import { discoverPlugins, placesOf } from "../places.ts";
import { forScreen, shownName } from "../screen-text.ts";
import { findPlugin, noSuchPlugin, readPluginWord } from "./find-plugin.ts";
import { changeLayer } from "./settings-change.ts";
import { findSetting, mergeLayers, readLayers, type Setting, type SettingsLayer } from "./settings-layers.ts";
import { maskSecrets } from "./settings-mask.ts";
import { layOutSettings } from "./settings-table.ts";
import { readAssignments, readRequest, type SettingsRequest, splitPlugin } from "./settings-words.ts";

export interface SettingsOptions {
	/** Whether it is about the settings of the user alone. */
	global?: boolean;
	/** Whether the table shows secrets too. */
	reveal?: boolean;
	/** Keys to take out. */
	unset?: string[];
}

/** `brood settings`: what plugins read by `amp.configuration`. No plugin is run. @throws BroodError of exit code 2 or 3 */
export async function settings(
	context: CommandContext,
	words: readonly string[],
	own: SettingsOptions,
): Promise<number> {
	const { unset = [] } = own;
	const { plugin, rest } = splitPlugin(words, unset);
	const request = readRequest(rest, unset);
	const places = await placesOf(context.options);
	const rule = ' A word without "=" before others is the name of a plugin.';
	if (plugin !== undefined) await requirePlugin(context, places, plugin, rule);
	return await answer(context, places, request, own, plugin);
}

/** `brood get plugin settings`: like `brood settings`, of a plugin that must be there. */
export async function getPluginSettings(
	context: CommandContext,
	plugin: string,
	key: string | undefined,
	own: SettingsOptions,
): Promise<number> {
	const places = await placesOf(context.options);
	await requirePlugin(context, places, plugin);
	return await answer(context, places, key === undefined ? { kind: "table" } : { kind: "value", key }, own, plugin);
}

/** `brood set plugin settings`: like `brood settings KEY=VALUE`, of a plugin that must be there. */
export async function setPluginSettings(
	context: CommandContext,
	plugin: string,
	words: readonly string[],
	own: SettingsOptions,
): Promise<number> {
	const request = readAssignments(words);
	const places = await placesOf(context.options);
	await requirePlugin(context, places, plugin);
	return await answer(context, places, request, own, plugin);
}

/** @throws BroodError `plugin_not_found`, with what else there is to know in its hint */
async function requirePlugin({ options }: CommandContext, places: Places, word: string, more = ""): Promise<void> {
	const { plugins } = await discoverPlugins(places, options);
	if (findPlugin(plugins, readPluginWord(word)) === undefined) throw noSuchPlugin(word, plugins, more);
}

async function answer(
	context: CommandContext,
	places: Places,
	request: SettingsRequest,
	{ global = false, reveal = false }: SettingsOptions,
	plugin: string | undefined,
): Promise<number> {
	const { output, options } = context;
	const target = global ? "global" : "workspace";
	if (global && places.configHome === null) {
		throw failure("usage", { reason: `--global cannot be used: ${places.configHomeReason}` });
	}
	if (request.kind === "set" || request.kind === "unset") {
		await changeLayer(places, target, request, output);
		if (plugin === undefined || output.json || options.quiet === true) return 0;
		output.note(`Amp plugins share their settings: ${shownName(plugin)} is not the only one that reads this.`);
		return 0;
	}
	const layers = await readLayers(places, global ? ["global"] : undefined);
	if (request.kind === "table") showTable(layers, reveal, output);
	else showValue(await find(context, places, layers, request.key), output);
	return 0;
}

function showTable(layers: readonly SettingsLayer[], reveal: boolean, output: Output): void {
	const rows = mergeLayers(layers).map((row) => (reveal ? row : masked(row)));
	if (output.json) {
		const files = layers.map(({ layer, file }) => ({ layer, file, writable: layer !== "amp" }));
		output.result(JSON.stringify({ settings: rows, files }));
	} else if (rows.length === 0) {
		output.note("No setting is set; brood settings KEY=VALUE sets one.");
	} else output.result(layOutSettings(rows, output).join("\n"));
}

/** With `masked` where something is not shown, so that nobody takes the mark for the value. */
function masked(row: Setting): Setting & { masked?: true } {
	const value = maskSecrets(row.key, row.value);
	const over = row.over.map((one) => ({ ...one, value: maskSecrets(row.key, one.value) }));
	const shown = { ...row, value, over };
	return Bun.deepEquals(shown, row) ? row : { ...shown, masked: true };
}

/** The setting that a person asked for by its name, secret or not. */
function showValue(row: Setting, output: Output): void {
	if (output.json) return output.result(JSON.stringify(row));
	output.result(forScreen(typeof row.value === "string" ? row.value : JSON.stringify(row.value, null, 2), 1));
}

async function find(
	{ options }: CommandContext,
	places: Places,
	layers: readonly SettingsLayer[],
	key: string,
): Promise<Setting> {
	const row = findSetting(layers, key);
	if (row !== undefined) return row;
	const { plugins } = await discoverPlugins(places, options);
	const near = nearest(
		key,
		mergeLayers(layers).map((other) => other.key),
	);
	const hint =
		findPlugin(plugins, readPluginWord(key)) !== undefined
			? `A plugin has that name: see brood get plugin settings ${key}.`
			: near !== undefined
				? `Is it "${near}"?`
				: `Set it in ${settingsPaths(places).workspace}: brood settings KEY=VALUE.`;
	throw failure("setting_not_found", { subject: key, hint });
}
