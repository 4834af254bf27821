// An agent mode: an agent with instructions of its own that a person can pick. The comment announces the mode, so that
// hosts can list it without running the file; it and the call name the same key and label.
// Run it: brood -p examples/plugins/reviewer.ts info reviewer
// @amp-agent-mode {"key":"reviewer","label":"Reviewer"}
import type { PluginAPI } from "@ampcode/plugin";

export const description = "An agent that reads changes and never makes any";

export default function (amp: PluginAPI) {
	const agent = amp.createAgent({
		extends: "medium",
		instructions: "Review the change. Name faults with file and line, the worst first. Change nothing.",
		tools: { include: ["Read", "Grep", "Bash"], exclude: ["edit_*"] },
	});
	amp.registerAgentMode({
		key: "reviewer",
		label: "Reviewer",
		description: "Reads a change and names its faults",
		color: "#2f9e8f",
		agent,
	});
}
