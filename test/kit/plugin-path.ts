import { basename, dirname, extname } from "node:path";
import { absolutePath } from "../../host/base/paths.ts";
import { inspectDirectory, isCandidate, pluginSuffixes } from "../../host/sources/candidate.ts";

/** Where a plugin lies. */
export interface PluginPath {
	/** What a host is given. */
	plugin: string;
	/** The file of it, as far as that is known. */
	file: string;
}

/**
 * Finds the file of a plugin that is given as a folder, and the folder of one that is given as its index file: it has the
 * name of that in every place of plugins, so that a test should not see another.
 *
 * @throws BroodError `usage` for a relative path when the working directory has been removed
 */
export async function locatePlugin(path: string): Promise<PluginPath> {
	const file = absolutePath(path);
	const suffix = extname(file);
	const isIndex = basename(file, suffix) === "index";
	if (pluginSuffixes.includes(suffix) && !isIndex) return { plugin: path, file };
	const folder = isIndex ? dirname(file) : file;
	const inspected = await inspectDirectory(folder);
	if (!isCandidate(inspected)) return { plugin: path, file };
	// Of several index files a host takes one.
	if (isIndex && inspected.path !== file) return { plugin: path, file };
	return { plugin: isIndex ? folder : path, file: inspected.path };
}
