import type { Stats } from "node:fs";
import { join } from "node:path";
import { failure } from "../../runtime/errors.ts";
import { limits } from "../../runtime/limits.ts";
import type { JsonObject } from "../../runtime/records.ts";
import { stat } from "./files.ts";
import { parseJsonFile } from "./json-file.ts";
import { describeFileError, isMissing, readTextFile } from "./text-file.ts";

/** Does the work that this program cannot interrupt. */
type Spend = <Result>(work: () => Result) => Result;

/** Where the settings files lie. */
export interface SettingsPlaces {
	workspaceRoot: string;
	/** `null` when the user has none. */
	configHome: string | null;
}

export interface Settings {
	/**
	 * All files merged; `spend` does the work that is not waiting.
	 * @throws BroodError `invalid_settings` with file, and line and column where it is no JSON
	 */
	get(spend?: Spend): Promise<JsonObject>;
}

/**
 * Serves the settings files of the user and the workspace, as a configuration provider: read anew when they have
 * changed, merged by top-level key. Comments and trailing commas are allowed; a file that does not exist counts as empty.
 */
export function createSettings(places: SettingsPlaces, now: () => number = Date.now): Settings {
	const files = layerPaths(places).map((path) => createLayer(path, now));
	let last: { layers: JsonObject[]; merged: JsonObject } | undefined;
	return {
		async get(spend = (work) => work()) {
			const layers = await Promise.all(files.map((file) => file(spend)));
			if (!layers.every((layer, index) => layer === last?.layers[index])) {
				const merge = () => Object.fromEntries(layers.flatMap((layer) => Object.entries(layer)));
				last = { layers, merged: spend(merge) };
			}
			return last?.merged ?? {};
		},
	};
}

/** The settings files by layer; that of the user is `null` when there is no place for it. */
export function settingsPaths({ workspaceRoot, configHome }: SettingsPlaces) {
	return {
		amp: join(workspaceRoot, ".amp", file),
		global: configHome === null ? null : join(configHome, "brood", file),
		workspace: join(workspaceRoot, ".brood", file),
	};
}

/** The settings files, the one that wins last. */
export function layerPaths(places: SettingsPlaces): string[] {
	const { amp, global, workspace } = settingsPaths(places);
	return [amp, global, workspace].filter((path) => path !== null);
}

/** Reads the text of one settings file. @throws BroodError `invalid_settings` with file, line and column */
export function parseSettings(path: string, text: string): JsonObject {
	const settings = parseJsonFile(path, text, (fault) => failure("invalid_settings", { subject: path, ...fault }));
	if (typeof settings === "object" && settings !== null && !Array.isArray(settings)) return settings;
	const type = settings === null ? "null" : Array.isArray(settings) ? "an array" : `a ${typeof settings}`;
	throw failure("invalid_settings", { subject: path, reason: `it must hold a JSON object, not ${type}` });
}

const file = "settings.json";
const none: JsonObject = {};

// Within this time after a change another one may leave the file's times, and its size, as they are.
const settledMs = 2_000;

/** Makes what reads one file, and parses it once for each change of it: a plugin may ask without end. */
function createLayer(path: string, now: () => number): (spend: Spend) => Promise<JsonObject> {
	let last: { stamp: string; layer: Promise<JsonObject> } | undefined;
	return async (spend) => {
		const facts = await stat(path).catch((error: unknown) => error);
		if (isMissing(facts)) return none;
		const stamp = facts instanceof Error ? undefined : stampOf(facts as Stats, now());
		if (stamp === undefined) return await readLayer(path, spend);
		if (last?.stamp !== stamp) {
			const layer = readLayer(path, spend);
			last = { stamp, layer };
			layer.catch((error: Error) => {
				// What is wrong with its text stays wrong; what kept it from being read may pass.
				if (error.cause !== undefined) last = undefined;
			});
		}
		return await last.layer;
	};
}

/** What tells one state of a file from another; undefined while the next change could look the same. */
function stampOf({ mtimeMs, ctimeMs, size, ino }: Stats, now: number): string | undefined {
	if (now - Math.max(mtimeMs, ctimeMs) < settledMs) return undefined;
	return [mtimeMs, ctimeMs, size, ino].join();
}

/** Reads one settings file; one that does not exist is empty. @throws BroodError `invalid_settings` as for `get` */
export async function readLayer(path: string, spend: Spend = (work) => work()): Promise<JsonObject> {
	const text = await readText(path);
	if (text === undefined) return none;
	return spend(() => parseSettings(path, text));
}

async function readText(path: string): Promise<string | undefined> {
	const file = await readTextFile(path, limits.text.documentBytesMax).catch((error: unknown) => {
		if (isMissing(error)) return undefined;
		throw failure("invalid_settings", { subject: path, reason: describeFileError(error), cause: error });
	});
	if (!file?.cut) return file?.text;
	const reason = `it is larger than ${limits.text.documentBytesMax} bytes`;
	throw failure("invalid_settings", { subject: path, reason });
}
