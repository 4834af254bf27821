// @amp-agent-mode {"key":"amp-names","label":"Names"}
import type {
	Agent,
	AgentEndEvent,
	AgentEndResult,
	AgentReasoningEffort,
	AgentStartEvent,
	AgentStartResult,
	AgentToolSelection,
	BuiltinAgentMode,
	CreateAgentConfig,
	CreateWebhookOptions,
	PluginAgentModeDefinition,
	PluginAPI,
	PluginCommandContext,
	PluginConfiguration,
	PluginEventContext,
	PluginEventMap,
	PluginHandlerResult,
	PluginLogger,
	PluginThread,
	PluginToolContext,
	PluginToolDefinition,
	PluginToolResult,
	ShellFunction,
	StatusItem,
	Subscription,
	ThreadAssistantMessage,
	ThreadID,
	ThreadMessage,
	ThreadTextBlock,
	ToolCall,
	ToolCallEvent,
	ToolCallResult,
	ToolCallWithResult,
	ToolResultEvent,
	ToolResultResult,
	UserMessage,
	WebhookEvent,
	WebhookHandlerContext,
	WebhookRegistration,
} from "@ampcode/plugin";

// Written as plugins in the wild are: helpers outside of the default function, typed by the names that Amp exports.
const mode: BuiltinAgentMode = "deep";
const effort: AgentReasoningEffort = "xhigh";
const reading = ["Read", "finder"] as const;
const tools: AgentToolSelection = reading;
const reviewer: CreateAgentConfig = { model: "a/b", instructions: "Review.", tools: reading, reasoningEffort: effort };

interface Settings {
	loud?: boolean;
}

function decide(event: ToolCallEvent, call: ToolCall = event): ToolCallResult {
	if (call.tool === "Bash") return { action: "reject-and-continue", message: "no" };
	return { action: "allow" };
}

function shorten(event: ToolResultEvent): ToolResultResult {
	return event.status === "done" ? { status: "done", output: String(event.output).slice(0, 100) } : undefined;
}

async function begin(event: AgentStartEvent, ctx: PluginEventContext<"agent.start">): Promise<AgentStartResult> {
	const recent = await ctx.thread.messages({ limit: 1 });
	return { message: { content: `${event.message.length} ${recent.length}`, display: true } };
}

function end(event: AgentEndEvent, { logger }: PluginEventContext): AgentEndResult {
	logger.log(texts(event.messages));
	return event.status === "error" ? { action: "continue", userMessage: "Once more." } : undefined;
}

function texts(messages: ThreadMessage[]): string[] {
	const said = messages.filter((message): message is ThreadAssistantMessage => message.role === "assistant");
	const blocks = said
		.flatMap(({ content }) => content)
		.filter((block): block is ThreadTextBlock => block.type === "text");
	return blocks.map(({ text }) => text);
}

async function follow(agent: Agent, parentThreadID: ThreadID): Promise<PluginThread> {
	const thread = await agent.createThread({ parentThreadID, show: false });
	const message: UserMessage = { type: "user-message", content: "Go." };
	await thread.appendUserMessage(message, { steer: true });
	return thread;
}

async function branch($: ShellFunction, logger: PluginLogger, calls: ToolCallWithResult[]): Promise<string> {
	logger.log(calls.map(({ call, result }) => `${call.tool} ${result.status}`));
	return (await $`git branch --show-current`).stdout.trim();
}

const greet: PluginToolDefinition = {
	name: "greet",
	description: "Greets.",
	inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
	async execute(input: Record<string, unknown>, ctx: PluginToolContext): Promise<PluginToolResult> {
		ctx.logger.log(ctx.thread.id);
		return `Hello, ${input.name}`;
	},
};

async function show(ctx: PluginCommandContext): Promise<void> {
	const thread: PluginCommandContext["thread"] = ctx.thread;
	await ctx.ui.notify((await thread?.title.get()) ?? "no thread");
}

export default async function (amp: PluginAPI): Promise<void> {
	const configuration = amp.configuration as PluginConfiguration<Settings>;
	const { loud = false } = await configuration.get();
	const subscriptions: Subscription[] = [
		amp.on("tool.call", (event): PluginHandlerResult<"tool.call"> => decide(event)),
		amp.on("tool.result", shorten),
		amp.on("agent.start", begin),
		amp.on("agent.end", end),
		amp.registerTool(greet),
		amp.registerCommand("show", { title: "Show" }, show),
	];
	const status: StatusItem | undefined = amp.experimental?.createStatusItem({ text: loud ? "LOUD" : "quiet" });
	const agent = amp.createAgent({ ...reviewer, tools });
	const definition: PluginAgentModeDefinition = { key: "amp-names", label: "Names", agent: agent.definition };
	amp.registerAgentMode(definition);
	amp.on("session.start", async (event: PluginEventMap["session.start"], ctx) => {
		const worker = amp.getBuiltinAgent(mode, { reasoningEffort: effort });
		const calls = amp.helpers.toolCallsInMessages([]);
		ctx.logger.log((await follow(worker, event.thread.id)).id, await branch(ctx.$, ctx.logger, calls));
	});
	const webhook: CreateWebhookOptions = {
		key: "amp-names",
		handler: async (event: WebhookEvent, ctx: WebhookHandlerContext) => ctx.logger.log(event.id, ctx.signal.aborted),
	};
	amp.registerCommand("hook", { title: "Hook" }, async ({ ui }) => {
		const made: WebhookRegistration = await amp.createWebhook(webhook);
		await ui.notify(made.url);
	});
	amp.onDispose(() => {
		for (const subscription of subscriptions) subscription.unsubscribe();
		status?.unsubscribe();
	});
}
