import type { Agent, PluginAPI } from "@ampcode/plugin";

export default function (amp: PluginAPI) {
	const medium: Agent = amp.getBuiltinAgent("medium");
	const own = amp.createAgent({
		extends: medium.definition,
		tools: { include: ["mcp__*"], add: ["add"], exclude: ["Bash"] },
		reasoningEffort: "high",
		compactionThresholdTokens: 100_000,
	});
	amp.registerCommand("delegate", { title: "Delegate" }, async ({ ui }) => {
		const { threadID, text } = await own.run("Say hello.");
		const thread = await own.createThread();
		await ui.notify(`${threadID}: ${text} (${thread.id})`);
	});
}
