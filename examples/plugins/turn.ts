// Both ends of a turn: `agent.start` adds a message for the agent, and `agent.end` lets it go on when it changed
// sources and no test.
// Run it: brood -p examples/plugins/turn.ts emit agent.start --data '{"message":"Fix the parser"}'
import type { PluginAPI } from "@ampcode/plugin";

export const description = "Asks for a test with each change";

export default function (amp: PluginAPI) {
	const { toolCallsInMessages, filesModifiedByToolCall, filePathFromURI } = amp.helpers;

	amp.on("agent.start", () => ({
		message: { content: "Change or add a test with each change of behaviour.", display: false },
	}));

	amp.on("agent.end", ({ status, messages }) => {
		if (status !== "done") return;
		const files = toolCallsInMessages(messages)
			.filter(({ result }) => result.status === "done")
			.flatMap(({ call }) => filesModifiedByToolCall(call) ?? [])
			.map(filePathFromURI);
		const sources = files.filter((file) => /\.[cm]?[jt]sx?$/.test(file));
		const [first] = sources;
		if (first === undefined || sources.some((file) => /\.(?:test|spec)\./.test(file))) return;
		// Twice at most, so that a turn ends even when there is nothing to test.
		return { action: "continue", userMessage: `${first} changed without a test. Add one.`, maxContinuations: 2 };
	});
}
