import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Host } from "../../../host/host.ts";
import type { JsonObject } from "../../../runtime/records.ts";

/** A plugin with the tool `act`, which does with the settings what it is told and answers with them. */
export const acts = `export default (amp) => amp.registerTool({ name: "act", description: "", inputSchema: { type: "object" },
	async execute(input) {
		if ("update" in input) await amp.configuration.update(input.update, input.target);
		if ("delete" in input) await amp.configuration.delete(input.delete, input.target);
		return JSON.stringify(input.get ? await amp.configuration.get() : null);
	} });`;

/** Logs what it hears of the settings, as JSON. */
export const hears = `export default (amp) => {
	let subscription;
	const begin = () => { subscription = amp.configuration.subscribe({
		next: (settings) => amp.logger.log("heard " + JSON.stringify(settings)),
		error: (error) => amp.logger.log("failed " + error.code) }); };
	amp.registerCommand("begin", { title: "" }, begin);
	amp.registerCommand("end", { title: "" }, () => subscription.unsubscribe());
	begin();
};`;

/** All that a plugin has heard, in order. */
export const heard = (host: Host, plugin: string): string[] =>
	host.plugins
		.log(plugin)
		.map(({ message }) => message)
		.filter((message) => /^(?:heard|failed)/.test(message));

/** Lets a plugin act, and gives what it answers, be it an error. */
export async function act(host: Host, input: JsonObject, tool = "act"): Promise<string> {
	return (await host.tools.call(tool, input, { events: false })).text;
}

/** The settings files of the running test's bench. */
export function folders() {
	const config = process.env.XDG_CONFIG_HOME ?? "";
	const root = dirname(config);
	return {
		root,
		workspace: join(root, ".brood/settings.json"),
		amp: join(root, ".amp/settings.json"),
		global: join(config, "brood/settings.json"),
	};
}

export function put(path: string, text: string): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}
