import type { PluginAPI } from "@ampcode/plugin";

export default function (amp: PluginAPI) {
	const { experimental } = amp;
	const agent = experimental.createAgent({ extends: experimental.getBuiltinAgent("smart").definition });
	experimental.registerAgentMode({ key: "old", label: "Old", agent: agent.definition });
	experimental.createStatusItem({ text: experimental.activeThread.current?.id ?? "none" });
	amp.registerCommand("old", { title: "Old" }, async () => {
		amp.logger.log(await experimental.threads.get("T-1").title.get());
	});
}
