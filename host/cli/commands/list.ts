import type { PluginSnapshot } from "../../plugin.ts";
import type { SkippedCandidate } from "../../spec.ts";
import { cleanLine } from "../../ui/clean.ts";
import type { CommandContext } from "../context.ts";
import { describeForPeople, exitCodeOf, reportFailure } from "../failure.ts";
import { formatMs, type Output } from "../output.ts";
import { withHost } from "../session.ts";
import { alignColumns, type Paint } from "../style.ts";
import { decisiveFailure, failedPlugins } from "./failed.ts";
import { describeState, pluginRecord } from "./record.ts";

export interface ListOptions {
	/** Whether what is no plugin is shown too. */
	all?: boolean;
	/** Whether a plugin that failed to load does not matter to the exit code. */
	allowFailed?: boolean;
}

/** `brood list`: every plugin. @returns 4 when one failed to load, 7 when each that failed is incompatible */
export function list(context: CommandContext, { all = false, allowFailed = false }: ListOptions): Promise<number> {
	const { output } = context;
	return withHost(context, async ({ host }) => {
		const plugins = host.plugins.list();
		const failed = failedPlugins(plugins);
		if (output.json) output.result(JSON.stringify({ plugins: plugins.map(pluginRecord), skipped: host.skipped }));
		else printTable(plugins, all ? host.skipped : [], output);
		const decisive = decisiveFailure(failed);
		if (!output.json) for (const { error } of failed) output.note(describeForPeople(error, output));
		if (decisive === undefined || allowFailed) return 0;
		return output.json ? reportFailure(decisive.error, output) : exitCodeOf(decisive.error);
	});
}

function printTable(plugins: PluginSnapshot[], skipped: readonly SkippedCandidate[], output: Output): void {
	const paint = output.paint.result;
	if (plugins.length === 0) output.note("No plugin was found. Name one with -p, or put it into .brood/plugins.");
	else output.result(alignColumns([heading(paint), ...plugins.map((plugin) => row(plugin, paint))]).join("\n"));
	if (skipped.length === 0) return;
	const rows = skipped.map(({ path, reason }) => [`  ${oneLine(path)}`, oneLine(reason)]);
	output.result([paint("bold", "skipped"), ...alignColumns(rows)].join("\n"));
}

function heading(paint: Paint): string[] {
	return ["name", "state", "ready", "tools", "commands", "events", "path"].map((title) => paint("bold", title));
}

function row({ name, state, facts, tools, commands, events, path }: PluginSnapshot, paint: Paint): string[] {
	const ready = facts.ready === null ? "-" : formatMs(facts.ready);
	const counts = [tools, commands, events].map((items) => String(items.length));
	return [oneLine(name), describeState(state, paint), ready, ...counts, paint("dim", oneLine(path))];
}

/** Names of files may hold anything, and a path is not cut. */
function oneLine(text: string): string {
	return cleanLine(text, 4_096);
}
