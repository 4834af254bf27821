import type { FoundLink } from "../../calls/links.ts";
import type { CommandContext } from "../context.ts";
import { forScreen, shownName } from "../screen-text.ts";
import { type Session, withHost } from "../session.ts";
import { alignColumns } from "../style.ts";
import { failedPlugins, warnOfFailed } from "./failed.ts";

/**
 * `brood links`: what the link patterns of all plugins make of a text.
 *
 * @param text `-` stands for stdin
 * @throws BroodError of exit code 4 when the plugin that was named did not load
 */
export async function links(context: CommandContext, text: string): Promise<number> {
	const { output, stdin } = context;
	const given = text === "-" ? await stdin.read("the text") : text;
	const task = async ({ host, signal }: Session) => {
		const absent = failedPlugins(host.plugins.list()).find(({ scope }) => scope === "explicit");
		if (absent !== undefined) throw absent.error;
		const found = await host.links.resolve(given, { signal });
		if (output.json) output.result(JSON.stringify({ links: found }));
		else if (found.length === 0) output.note(describeNone(host.links.list().length));
		else output.result(alignColumns(found.map(describeLink)).join("\n"));
		warnOfFailed(host, context);
		return 0;
	};
	return withHost(context, task);
}

function describeLink({ text, href, plugin, id, start }: FoundLink): string[] {
	return [forScreen(text.replaceAll(/\s+/g, " "), 1), href, `${shownName(plugin)}:${id}`, `at ${start}`];
}

function describeNone(patterns: number): string {
	return patterns === 0 ? "No plugin has registered a link pattern." : "No link pattern finds anything in the text.";
}
