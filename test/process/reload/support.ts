import type { ReloadReport } from "../../../host/reload/report.ts";
import type { Running } from "../support/host.ts";

/** A plugin whose tool, of the same name, says which version it is. */
export const version = (tool: string, number: number | string) => `export default (amp) => {
	amp.registerTool({ name: "${tool}", description: "", inputSchema: { type: "object" }, execute: () => "${number}" });
};
`;

/** What comes of the next change of a plugin. */
export async function report(running: Running, plugin: string): Promise<ReloadReport> {
	const event = await running.next("reload", ({ report }) => report.plugin === plugin);
	return event.report;
}

/** What the tool of a plugin made by `version` answers. */
export async function says({ host }: Running, tool: string): Promise<string> {
	return (await host.tools.call(tool, {}, { events: false })).text;
}
