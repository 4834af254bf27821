import type { PluginAPI } from "@ampcode/plugin";

export default function (amp: PluginAPI) {
	amp.on("agent.end", async (event, { ai }) => {
		const { result, probability, reason } = await ai.ask("Is it finished?", {
			threadID: event.thread.id,
			maxTokens: 50,
		});
		if (result !== "yes" && probability < 0.5) return { action: "continue", userMessage: reason };
	});
	amp.registerCommand("name", { title: "Name" }, async ({ ui }) => {
		const text: string = await amp.ai.generate({ prompt: "A name", system: "Be brief.", model: "openai/some-model" });
		const made = await amp.ai.generate({ prompt: "A name", schema: { name: "named", fields: { name: "string" } } });
		await ui.notify(`${text} ${made.name}`);
	});
}
