// @amp-agent-mode {"key":"sample-review","label":"Review"}
import { defineAgent, type PluginAPI } from "@ampcode/plugin";

const reviewer = defineAgent({
	name: "reviewer",
	model: "anthropic/some-model",
	instructions: "Review what changed.",
	tools: ["Read", "Grep"],
	display: { label: "Review", color: "#00aa88" },
});

export default function (amp: PluginAPI) {
	amp.registerAgentMode({
		key: "sample-review",
		label: "Review",
		description: "Reads and remarks",
		color: "#00aa88",
		agent: amp.createAgent(reviewer),
	});
}
