import type { Host } from "../../host.ts";
import type { PluginSnapshot } from "../../plugin.ts";
import type { SkippedCandidate } from "../../spec.ts";
import { cleanLine } from "../../ui/clean.ts";
import type { CommandContext } from "../context.ts";
import { describeForPeople, exitCodeOf } from "../failure.ts";
import { formatMs, type Output } from "../output.ts";
import { withHost } from "../session.ts";
import { alignColumns, type Paint } from "../style.ts";
import { decisiveFailure, failedPlugins, failuresOf } from "./failed.ts";
import { layOutList } from "./list-table.ts";
import { withLosses } from "./lost.ts";
import { describeOff, describeState, pluginRecord } from "./record.ts";
import { describeRegistrations } from "./registers.ts";

export interface ListOptions {
	/** Whether what is no plugin is shown too. */
	all?: boolean;
	/** Whether a plugin that failed to load does not matter to the exit code. */
	allowFailed?: boolean;
}

/** `brood list`: every plugin. @returns 4 when one failed to load, 7 when each that failed is incompatible */
export async function list(
	context: CommandContext,
	{ all = false, allowFailed = false }: ListOptions,
): Promise<number> {
	const { output } = context;
	const failed = await withHost(context, async ({ host }) => {
		const plugins = host.plugins.list();
		if (output.json)
			output.result(
				JSON.stringify({
					plugins: plugins.map((plugin) => withLosses(host, pluginRecord(plugin))),
					skipped: host.skipped,
				}),
			);
		else printTables(host, plugins, all ? host.skipped : [], output);
		return failedPlugins(plugins);
	});
	const decisive = decisiveFailure(failed);
	if (output.json && decisive !== undefined && !allowFailed) throw decisive.error;
	if (!output.json) for (const error of failuresOf(failed)) output.note(describeForPeople(error, output));
	return decisive === undefined || allowFailed ? 0 : exitCodeOf(decisive.error);
}

function printTables(
	host: Host,
	plugins: PluginSnapshot[],
	skipped: readonly SkippedCandidate[],
	output: Output,
): void {
	const { width, paint } = output;
	if (plugins.length === 0)
		output.note(
			"No plugin was found. Name one with -p, or put it into .brood/plugins, as `brood new .brood/plugins/NAME` does.",
		);
	else
		output.result(
			layOutList([heading(paint.result), ...plugins.map((plugin) => row(host, plugin, paint.result))], width).join(
				"\n",
			),
		);
	if (skipped.length === 0) return;
	const rows = skipped.map(({ path, reason }) => [`  ${oneLine(path)}`, oneLine(reason)]);
	output.result([paint.result("bold", "skipped"), ...alignColumns(rows)].join("\n"));
}

function heading(paint: Paint) {
	const title = (text: string) => paint("bold", text);
	return {
		name: title("name"),
		state: title("state"),
		ready: title("ready"),
		registers: title("registers"),
		path: title("path"),
	};
}

function row(host: Host, plugin: PluginSnapshot, paint: Paint) {
	const { name, state, facts, path } = plugin;
	return {
		name: oneLine(name),
		state: describeState(state, paint),
		ready: facts.ready === null ? "-" : formatMs(facts.ready),
		registers: describeOff(plugin, paint) ?? describeRegistrations(host, plugin, paint),
		path: paint("dim", oneLine(path)),
	};
}

/** Names of files may hold anything, and a path is not cut. */
function oneLine(text: string): string {
	return cleanLine(text, 4_096);
}
