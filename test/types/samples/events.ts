import type { AgentStartEvent, PluginAPI, ToolCallAnswer, ToolCallEvent } from "@ampcode/plugin";

function judge(event: ToolCallEvent): ToolCallAnswer | undefined {
	switch (event.tool) {
		case "Read":
			return { action: "modify", input: { ...event.input, limit: 10 } };
		case "Web":
			return { action: "synthesize", result: { output: "offline", exitCode: 1 } };
		case "Bash":
			return { action: "error", message: "no shell" };
		case "Write":
			return { action: "reject-and-continue", message: "read only" };
		case "Grep":
			return { action: "allow" };
		default:
			return undefined;
	}
}

export default function (amp: PluginAPI) {
	let started: AgentStartEvent | undefined;
	amp.on("session.start", async (event, ctx) => {
		ctx.logger.log("session", event.thread?.id, ctx.thread.id, ctx.span);
	});
	const subscription = amp.on("tool.call", judge);
	amp.on("tool.result", (event) => {
		if (event.status === "error") return { status: "done", output: `failed: ${event.error ?? "?"}` };
		if (event.status === "cancelled") return { status: "error", error: "cancelled" };
	});
	amp.on("agent.start", (event) => {
		started = event;
		if (event.changesWorkflow === "ship") return {};
		return { message: { content: "Be brief.", display: false } };
	});
	amp.on("agent.end", (event) => {
		if (event.status !== "done" || started?.id !== event.id) return undefined;
		return { action: "continue", userMessage: `${event.messages.length} messages`, maxContinuations: 1 };
	});
	amp.on("changes.prompt", ({ workflow }) => (workflow === "push_branch" ? { append: "Run the tests." } : undefined));
	amp.onDispose(() => subscription.unsubscribe());
}
