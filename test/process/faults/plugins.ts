import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The one whose child is harmed; it registers something of every kind and asks for something while it loads. */
const subject = `
const schema = { type: "object" };
const seen = [];
export default async function (amp) {
	const tool = (name, execute) => amp.registerTool({ name, description: "", inputSchema: schema, execute });
	const command = (id, run) => amp.registerCommand(id, { title: id }, run);
	amp.createStatusItem({ text: "subject" });
	await amp.ui.notify("loading");
	await amp.registerSkill({ path: "tidy" });
	tool("subject_plain", (input) => "plain " + input.n);
	tool("subject_wait", () => new Promise(() => {}));
	tool("subject_seen", () => seen.join(" "));
	tool("subject_ask", async (input, { ui }) => {
		await ui.notify("asking");
		const name = await ui.input({ title: "Name" });
		const sure = await ui.confirm({ title: "Sure" });
		const colour = await ui.select({ title: "Colour", options: ["red", "blue"] });
		return [name, sure, colour].join(" ");
	});
	tool("subject_hook", () => amp.createWebhook({ key: "subject", handler: () => void seen.push("hook") }));
	tool("subject_grow", () => {
		tool("subject_grown", () => "grown");
		command("grown", () => {});
		return "has grown";
	});
	command("run", () => void seen.push("run"));
	amp.on("tool.call", ({ tool }) => (tool === "sibling_gated" ? { action: "allow" } : undefined));
	amp.on("tool.result", () => {});
	amp.registerAgentMode({ key: "subject", label: "Subject", agent: { model: "maker/m", instructions: "i" } });
	amp.registerLinkPattern({ id: "issue", pattern: "S-[0-9]+", href: "https://example.com/{{match}}" });
	amp.onDispose(() => amp.logger.log("disposing"));
}
`;

/** The one that must not notice anything. */
const sibling = `
export default (amp) => {
	const tool = (name) => amp.registerTool({ name, description: "", inputSchema: { type: "object" }, execute: () => name });
	tool("sibling_plain");
	tool("sibling_gated");
	amp.registerCommand("run", { title: "Run" }, () => {});
	amp.on("agent.start", () => {});
	amp.registerAgentMode({ key: "sibling", label: "Sibling", agent: { model: "maker/m", instructions: "i" } });
	amp.registerLinkPattern({ id: "issue", pattern: "N-[0-9]+", href: "https://example.com/{{match}}" });
	amp.createStatusItem({ text: "sibling" });
};
`;

/** Writes both plugins; gives the folder of plugins. */
export function writePlugins(folder: string): string {
	const plugins = join(folder, "plugins");
	write(join(plugins, "sibling.ts"), sibling);
	write(join(plugins, "subject/index.ts"), subject);
	write(join(plugins, "subject/tidy/SKILL.md"), "---\nname: tidy\ndescription: Tidies.\n---\n");
	return plugins;
}

function write(path: string, text: string): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}
