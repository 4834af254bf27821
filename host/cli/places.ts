import { join } from "node:path";
import { failure } from "../../runtime/errors.ts";
import { stat } from "../base/files.ts";
import { findConfigHome, findPlaces, type Places, pluginPlaces } from "../base/paths.ts";
import { describeFileError } from "../base/text-file.ts";
import { discoverAmp } from "../sources/amp.ts";
import type { Discovery } from "../spec.ts";
import type { GlobalOptions } from "./context.ts";

/** Where a command works. @throws BroodError `usage` when `--cwd` is no directory */
export async function placesOf({ cwd }: Pick<GlobalOptions, "cwd">): Promise<Places> {
	if (cwd !== undefined) await requireDirectory(cwd);
	return findPlaces(cwd);
}

/** The plugins that a host would find; nothing of them is run. @throws BroodError `usage` when a path of `-p` is no plugin */
export function discoverPlugins(places: Places, { plugin = [], places: isWanted }: GlobalOptions): Promise<Discovery> {
	return discoverAmp({ ...places, explicit: plugin, places: isWanted });
}

/** Whether a folder is one that plugins are looked for in, of any project or of the user. */
export function isPlace(path: string): boolean {
	const project = join(path, "../..");
	return pluginPlaces(project, findConfigHome().path).some((place) => place.path === path);
}

/** @throws BroodError `usage` when it is none */
export async function requireDirectory(path: string): Promise<void> {
	const facts = await stat(path).catch((error: unknown) => {
		throw failure("usage", { reason: `--cwd ${path} cannot be used: ${describeFileError(error)}` });
	});
	if (!facts.isDirectory()) throw failure("usage", { reason: `--cwd ${path} cannot be used: it is no directory` });
}
