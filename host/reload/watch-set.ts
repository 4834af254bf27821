import { join } from "node:path";
import { realPathOf } from "../base/paths.ts";
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
