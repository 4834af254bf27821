import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { PluginSpec } from "../spec.ts";

/**
 * The files of a plugin that runs: those that it has loaded, its own file also where it is a link, and what decides how they
 * are read.
 *
 * @param modules as its process tells them
 */
export function watchedFiles(
	{ path, root }: Pick<PluginSpec, "path" | "root">,
	modules: readonly string[],
): Set<string> {
	return new Set([
		path,
		realPathOf(path),
		...modules,
		...["package.json", "tsconfig.json"].map((name) => join(root, name)),
	]);
}

function realPathOf(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}
