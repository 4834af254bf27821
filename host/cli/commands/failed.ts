import { BroodError, isBroodError } from "../../../runtime/errors.ts";
import type { Host } from "../../host.ts";
import type { PluginSnapshot } from "../../plugin.ts";
import type { CommandContext } from "../context.ts";
import { reportWarning } from "../failure.ts";

/** A plugin that could not be loaded, and why. */
export type FailedPlugin = PluginSnapshot & { error: BroodError };

export function failedPlugins(plugins: readonly PluginSnapshot[]): FailedPlugin[] {
	return plugins.filter((plugin): plugin is FailedPlugin => {
		// Disabled with an error is what could not be found out to be on.
		const { state } = plugin;
		return (state === "failed" || state === "incompatible" || state === "disabled") && plugin.error !== undefined;
	});
}

/** Why plugins could not be loaded; what several have in common once. */
export function failuresOf(plugins: readonly PluginSnapshot[]): Set<BroodError> {
	return new Set(failedPlugins(plugins).map(({ error }) => error));
}

/** The failure that the exit code is about: "incompatible" only when nothing else failed. */
export function decisiveFailure(failed: readonly FailedPlugin[]): FailedPlugin | undefined {
	return failed.find(({ state }) => state === "failed") ?? failed[0];
}

/** Tells in a line each which plugins are missing, for whoever expected more than there is. */
export function warnOfFailed(host: Host, { output }: CommandContext): void {
	for (const error of failuresOf(host.plugins.list())) reportWarning(error, output);
}

/**
 * Does a task; when it misses something, what failed to load may be the reason.
 *
 * @throws BroodError why the plugin that was named by -p did not load, or "not found" with the plugins that failed
 */
export async function explainMissing<Result>(host: Host, task: () => Promise<Result> | Result): Promise<Result> {
	try {
		return await task();
	} catch (error) {
		if (!isBroodError(error) || !notFound.includes(error.code)) throw error;
		const failed = failedPlugins(host.plugins.list());
		const explicit = failed.find(({ scope }) => scope === "explicit");
		if (explicit !== undefined) throw explicit.error;
		if (failed.length === 0) throw error;
		const names = failed.map(({ name }) => `"${name}"`).join(", ");
		const hint = `It may belong to what failed to load: ${names}; see brood list.`;
		throw new BroodError(error.code, `${error.message} ${hint}`, { hint, cause: error });
	}
}

const notFound: string[] = ["tool_not_found", "command_not_found", "plugin_not_found"];
