import { type BroodError, isBroodError } from "../../../runtime/errors.ts";
import { readLayer, type SettingsPlaces, settingsPaths } from "../../base/settings.ts";
import type { ConfigurationTarget } from "../../contracts/configuration.ts";
import { cleanLine } from "../../ui/clean.ts";
import { reportWarning } from "../failure.ts";
import type { Output } from "../output.ts";
import { findSetting, readLayers, type SettingsLayer } from "./settings-layers.ts";
import { maskSecrets } from "./settings-mask.ts";
import type { SettingsRequest } from "./settings-words.ts";

type Change = Extract<SettingsRequest, { kind: "set" | "unset" }>;

/** Changes one settings file, and says where another one has more to say. @throws BroodError `invalid_settings` */
export async function changeLayer(
	{ workspaceRoot, configHome }: SettingsPlaces,
	layer: ConfigurationTarget,
	change: Change,
	output: Output,
): Promise<void> {
	const places = { workspaceRoot, configHome };
	const file = settingsPaths(places)[layer] ?? "";
	const { changeSettings } = await import("../../providers/settings-change.ts");
	const atOnce = <Result>(work: () => Result) => work();
	if (change.kind === "set") {
		await changeSettings(places, layer, { set: change.values }, atOnce);
		const set = Object.keys(change.values);
		if (output.json) output.result(JSON.stringify({ layer, file, set, unset: [] }));
		else for (const key of set) output.result(line(`${key} = ${shown(key, change.values[key] ?? null)}  in ${file}`));
		await tellOthers(places, file, set, (key, other) => `${other.file} sets ${key} too, and wins`, output);
		return;
	}
	const before = await readLayer(file);
	for (const remove of change.keys) await changeSettings(places, layer, { remove }, atOnce);
	const unset = change.keys.filter((key) => Object.hasOwn(before, key));
	if (output.json) output.result(JSON.stringify({ layer, file, set: [], unset }));
	else {
		for (const key of change.keys)
			output.result(line(`${key} ${unset.includes(key) ? "is no longer" : "was not"} set in ${file}`));
	}
	const still = (key: string, other: Other) =>
		`${other.file} still sets ${key}${other.layer === "amp" ? "; brood only reads that file" : ""}`;
	await tellOthers(places, file, change.keys, still, output);
}

type Other = { layer: SettingsLayer["layer"]; file: string };

/** Warns of each key that plugins still read from another file. */
async function tellOthers(
	places: SettingsPlaces,
	file: string,
	keys: readonly string[],
	describe: (key: string, other: Other) => string,
	output: Output,
): Promise<void> {
	const layers = await readLayers(places).catch((error: unknown): BroodError => {
		if (isBroodError(error)) return error;
		throw error;
	});
	// The change was made; that another file is broken is what plugins are going to hear.
	if (!Array.isArray(layers)) return reportWarning(layers, output);
	for (const key of keys) {
		const found = findSetting(layers, key);
		if (found !== undefined && found.file !== file) reportWarning({ message: describe(key, found) }, output);
	}
}

function shown(key: string, value: Parameters<typeof maskSecrets>[1]): string {
	return JSON.stringify(maskSecrets(key, value));
}

function line(text: string): string {
	return cleanLine(text, 4_096);
}
