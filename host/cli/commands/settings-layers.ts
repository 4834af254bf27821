import type { Json, JsonObject } from "../../../runtime/records.ts";
import { readLayer, type SettingsPlaces, settingsPaths } from "../../base/settings.ts";

/** One file of settings; of a key that several have, `workspace` wins, then `global`, then `amp`. */
export interface SettingsLayer {
	layer: "workspace" | "global" | "amp";
	file: string;
	values: JsonObject;
}

/** A setting as plugins read it, and what it hides. */
export interface Setting {
	key: string;
	value: Json;
	layer: SettingsLayer["layer"];
	file: string;
	/** The same key in files that win less, the next one first. */
	over: { value: Json; layer: SettingsLayer["layer"]; file: string }[];
}

/** Reads the files, or those of these layers, the one that wins first. @throws BroodError `invalid_settings` */
export async function readLayers(
	places: SettingsPlaces,
	layers: readonly SettingsLayer["layer"][] = ["workspace", "global", "amp"],
): Promise<SettingsLayer[]> {
	const paths = settingsPaths(places);
	const read = await Promise.all(
		layers.map(async (layer): Promise<SettingsLayer[]> => {
			const file = paths[layer];
			return file === null ? [] : [{ layer, file, values: await readLayer(file) }];
		}),
	);
	return read.flat();
}

/** All settings by key, in the order of their code units. */
export function mergeLayers(layers: readonly SettingsLayer[]): Setting[] {
	const keys = [...new Set(layers.flatMap(({ values }) => Object.keys(values)))].sort();
	return keys.flatMap((key) => findSetting(layers, key) ?? []);
}

/** The setting of a key; undefined where no file has it. */
export function findSetting(layers: readonly SettingsLayer[], key: string): Setting | undefined {
	const [first, ...over] = layers.flatMap(({ layer, file, values }) => {
		const value = Object.hasOwn(values, key) ? values[key] : undefined;
		return value === undefined ? [] : [{ value, layer, file }];
	});
	return first === undefined ? undefined : { key, ...first, over };
}
