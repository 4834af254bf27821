import type { PluginAPI } from "@ampcode/plugin";

export default function (amp: PluginAPI) {
	const { helpers } = amp;
	amp.on("tool.call", async (event, ctx) => {
		const shell = helpers.shellCommandFromToolCall(event);
		if (shell !== null && /\brm -rf\b/.test(shell.command)) {
			const where: string = shell.dir ?? "the workspace";
			try {
				if (await ctx.ui.confirm({ title: `Delete in ${where}?`, message: shell.command })) return { action: "allow" };
			} catch (error) {
				if (!helpers.isPluginUINotAvailableError(error)) throw error;
			}
			return { action: "reject-and-continue", message: "Not without asking." };
		}
		return { action: "allow" };
	});
	amp.on("tool.result", (event) => {
		const files = helpers.filesModifiedByToolCall(event);
		if (!files) return;
		amp.logger.log(files.map((uri) => helpers.filePathFromURI(uri)).join(", "));
	});
	amp.on("agent.end", ({ messages }) => {
		for (const { call, result } of helpers.toolCallsInMessages(messages)) {
			amp.logger.log(call.tool, call.input, result.status, result.output);
		}
	});
}
