import { BroodError, isBroodError, withoutHint } from "../../../runtime/errors.ts";
import type { Host } from "../../host.ts";
import type { PluginSnapshot } from "../../plugin.ts";
import type { CommandContext } from "../context.ts";
import { reportWarning } from "../failure.ts";
import { withAdvice } from "./load-advice.ts";
import { isSwitchedOff, switchOnWords } from "./record.ts";

/** A plugin that could not be loaded, and why. */
export type FailedPlugin = PluginSnapshot & { error: BroodError };

export function failedPlugins(plugins: readonly PluginSnapshot[]): FailedPlugin[] {
	return plugins.flatMap((plugin) => {
		// Disabled with an error is what could not be found out to be on.
		const { state, error, path } = plugin;
		const isFailed = state === "failed" || state === "incompatible" || state === "disabled";
		return isFailed && error !== undefined ? [{ ...plugin, error: withAdvice(error, path) }] : [];
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
		if (!isBroodError(error)) throw error;
		const plugins = host.plugins.list();
		if (error.code === "plugin_not_ready") throw withSwitch(error, plugins);
		if (!notFound.includes(error.code)) throw error;
		const failed = failedPlugins(plugins);
		const explicit = failed.find(({ scope }) => scope === "explicit");
		if (explicit !== undefined) throw explicit.error;
		if (failed.length === 0) throw withSwitch(error, plugins);
		const names = failed.map(({ name }) => `"${name}"`).join(", ");
		const hint = `It may belong to what failed to load: ${names}; see brood list.`;
		throw new BroodError(error.code, `${error.message} ${hint}`, { hint, cause: error });
	}
}

/** Says how to switch on the plugin that has what was called, or those that may have it. */
function withSwitch(error: BroodError, plugins: readonly PluginSnapshot[]): BroodError {
	const { code, plugin, cause } = error;
	const off = plugins.filter((one) => isSwitchedOff(one) && (plugin ?? one.name) === one.name);
	if (off.length === 0) return error;
	const words = off
		.slice(0, switchesMax)
		.map(({ name }) => switchOnWords(name))
		.join(", or ");
	const near = error.hint?.startsWith("Is it ") ? `${error.hint} ` : "";
	const hint =
		plugin === undefined ? `${near}It may belong to what is switched off: ${words}` : `Switch it on: ${words}`;
	return new BroodError(code, `${withoutHint(error)} ${hint}`, { plugin, hint, cause });
}

// More commands than anybody would try.
const switchesMax = 3;

const notFound: string[] = ["tool_not_found", "command_not_found", "webhook_not_found", "plugin_not_found"];
