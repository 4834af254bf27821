import { isBroodError } from "../../runtime/errors.ts";
import { layerPaths, readLayer, type SettingsPlaces } from "../base/settings.ts";
import { count, type Finding, finding } from "./finding.ts";
import { isThere } from "./look.ts";

/** Whether each settings file can be used; the one that wins comes last. */
export async function checkSettings(places: SettingsPlaces): Promise<Finding[]> {
	const files = await Promise.all(layerPaths(places).map(checkFile));
	const broken = files.filter((file) => "status" in file);
	if (broken.length > 0) return broken;
	const present = files.filter((file) => !("status" in file) && file.exists);
	const message =
		present.length === 0 ? "There is no settings file." : `${count(present.length, "settings file")} can be used.`;
	const details = files.flatMap((file) => {
		if ("status" in file) return [];
		const { path, exists, keys } = file;
		return [{ text: `${path}: ${exists ? count(keys, "setting") : "does not exist"}`, path, exists, settings: keys }];
	});
	return [finding("settings", "ok", message, { details })];
}

async function checkFile(path: string): Promise<Finding | { path: string; exists: boolean; keys: number }> {
	try {
		const settings = await readLayer(path);
		return { path, exists: await isThere(path), keys: Object.keys(settings).length };
	} catch (error) {
		if (!isBroodError(error)) throw error;
		const [position] = error.positions ?? [];
		const place = position === undefined ? {} : { line: position.line, column: position.column };
		return finding("settings", "problem", error.message, {
			hint: "Mend it; until then plugins that ask for settings get this error.",
			details: [
				{ text: position === undefined ? path : `${path}:${position.line}:${position.column}`, path, ...place },
			],
		});
	}
}
