import { join } from "node:path";
import { failure } from "../../runtime/errors.ts";
import { limits } from "../../runtime/limits.ts";
import type { JsonObject } from "../../runtime/records.ts";
import { renderFrame } from "./frame.ts";
import { JsoncError, parseJsonc } from "./jsonc.ts";
import { describeFileError, isMissing, readTextFile } from "./text-file.ts";

/** Where the settings files lie. */
export interface SettingsPlaces {
	workspaceRoot: string;
	/** `null` when the user has none. */
	configHome: string | null;
}

export interface Settings {
	/** All files merged. @throws BroodError `invalid_settings` with file, and line and column where it is no JSON */
	get(): Promise<JsonObject>;
}

/**
 * Serves the settings files of the user and the workspace, as a configuration provider: read anew at each `get`,
 * merged by top-level key. Comments and trailing commas are allowed; a file that does not exist counts as empty.
 */
export function createSettings(places: SettingsPlaces): Settings {
	const paths = settingsPaths(places);
	return {
		async get() {
			const layers = await Promise.all(paths.map(readLayer));
			return Object.fromEntries(layers.flatMap((layer) => Object.entries(layer)));
		},
	};
}

/** The settings files, the one that wins last. */
function settingsPaths({ workspaceRoot, configHome }: SettingsPlaces): string[] {
	const folders = [
		join(workspaceRoot, ".amp"),
		...(configHome === null ? [] : [join(configHome, "brood")]),
		join(workspaceRoot, ".brood"),
	];
	return folders.map((folder) => join(folder, "settings.json"));
}

async function readLayer(path: string): Promise<JsonObject> {
	const text = await readText(path);
	if (text === undefined) return {};
	const settings = parse(path, text);
	if (typeof settings !== "object" || settings === null || Array.isArray(settings)) {
		const type = settings === null ? "null" : Array.isArray(settings) ? "an array" : `a ${typeof settings}`;
		throw failure("invalid_settings", { subject: path, reason: `it must hold a JSON object, not ${type}` });
	}
	return settings;
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

function parse(path: string, text: string) {
	try {
		return parseJsonc(text);
	} catch (error) {
		if (!(error instanceof JsoncError)) throw error;
		const { line, column, message } = error;
		const position = { file: path, line, column, message };
		throw failure("invalid_settings", {
			subject: path,
			reason: `line ${line}, column ${column}: ${message}`,
			positions: [position],
			frame: renderFrame(position, text),
		});
	}
}
