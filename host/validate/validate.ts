import type { ValidateOptions, ValidationReport } from "./types.ts";

/**
 * Examines plugins: reads their sources, loads each in a process of its own without publishing anything, and tells all
 * that is wrong with them at once. Dispose callbacks run, and nothing is left: no process, no file, no setting.
 *
 * @param paths plugin files, directory plugins or folders of plugins; none means the places of the workspace and the user
 * @throws BroodError `unsupported_platform`; `usage` for an option that cannot be used; the reason of `options.signal`
 */
export async function validatePlugins(
	paths: readonly string[] = [],
	options: ValidateOptions = {},
): Promise<ValidationReport> {
	// A host that examines nothing does not load what it takes.
	const { runValidation } = await import("./run.ts");
	return await runValidation(paths, options);
}
