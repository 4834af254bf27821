import { expect, expectTypeOf, test } from "bun:test";
import type {
	Agent,
	AgentEndEvent,
	AgentStartEvent,
	BuiltinAgentDefinition,
	ChangesPromptEvent,
	CommandContext,
	CustomAgentDefinition,
	EventContext,
	Observable,
	PluginAPI,
	PluginThread,
	PluginUI,
	Subscription,
	ThreadMessage,
	ThreadReference,
	ToolCallEvent,
	ToolContext,
	ToolDefinition,
	ToolResultEvent,
	WebhookEvent,
	WebhookHandlerContext,
} from "../../child/plugin.ts";
import { defineAgent, defineTool } from "../../child/plugin.ts";

/** Compiled, never run: what a handler is given and may answer is known by the name of its event alone. */
function _on(amp: PluginAPI): void {
	const subscriptions = [
		amp.on("session.start", (event, context) => {
			expectTypeOf(event).toEqualTypeOf<{ thread: ThreadReference }>();
			expectTypeOf(context).toEqualTypeOf<EventContext>();
		}),
		amp.on("tool.call", async (event, context) => {
			expectTypeOf(event).toEqualTypeOf<ToolCallEvent>();
			expectTypeOf(context).toEqualTypeOf<EventContext>();
			if (event.tool === "a") return { action: "allow" };
			if (event.tool === "b") return { action: "reject-and-continue", message: "m" };
			if (event.tool === "c") return { action: "modify", input: {} };
			if (event.tool === "d") return { action: "synthesize", result: { output: "o", exitCode: 1 } };
			if (event.tool === "e") return { action: "error", message: "m" };
			return undefined;
		}),
		amp.on("tool.result", (event, context) => {
			expectTypeOf(event).toEqualTypeOf<ToolResultEvent>();
			expectTypeOf(context).toEqualTypeOf<EventContext>();
			return event.status === "error" ? { status: "done", output: "o" } : { status: "error", error: "e" };
		}),
		amp.on("agent.start", (event, context) => {
			expectTypeOf(event).toEqualTypeOf<AgentStartEvent>();
			expectTypeOf(context).toEqualTypeOf<EventContext>();
			return event.changesWorkflow === "ship" ? {} : { message: { content: "c", display: false } };
		}),
		amp.on("agent.end", (event, context) => {
			expectTypeOf(event).toEqualTypeOf<AgentEndEvent>();
			expectTypeOf(event.messages).toEqualTypeOf<ThreadMessage[]>();
			expectTypeOf(context).toEqualTypeOf<EventContext>();
			if (event.status === "done") return { action: "continue", userMessage: "m", maxContinuations: 5 };
		}),
		amp.on("changes.prompt", (event, context) => {
			expectTypeOf(event).toEqualTypeOf<ChangesPromptEvent>();
			expectTypeOf(context).toEqualTypeOf<EventContext>();
			return event.workflow === "push_branch" ? { append: "a" } : {};
		}),
	];
	expectTypeOf(subscriptions).toEqualTypeOf<Subscription[]>();
	// @ts-expect-error the answer of another event
	amp.on("agent.start", () => ({ append: "a" }));
	// @ts-expect-error the payload of another event
	amp.on("agent.start", (event: ToolCallEvent) => void event);
}

function _contexts(): void {
	expectTypeOf<EventContext["thread"]>().toEqualTypeOf<PluginThread>();
	expectTypeOf<ToolContext["thread"]>().toEqualTypeOf<PluginThread>();
	expectTypeOf<CommandContext["thread"]>().toEqualTypeOf<PluginThread | undefined>();
	expectTypeOf<CommandContext["signal"]>().toEqualTypeOf<AbortSignal>();
	for (const ui of [{} as EventContext, {} as CommandContext, {} as ToolContext].map((context) => context.ui)) {
		expectTypeOf(ui).toEqualTypeOf<PluginUI>();
	}
}

async function _webhooks(amp: PluginAPI): Promise<void> {
	const made = await amp.createWebhook({
		key: "k",
		headers: ["x-signature"] as const,
		handler(event, context) {
			expectTypeOf(event).toEqualTypeOf<WebhookEvent>();
			expectTypeOf(context).toEqualTypeOf<WebhookHandlerContext>();
		},
	});
	expectTypeOf(made).toEqualTypeOf<{ url: string }>();
	expectTypeOf<WebhookEvent>().toEqualTypeOf<{
		id: string;
		body: Uint8Array;
		headers: Record<string, string>;
		payload: unknown;
		metadata: Record<string, unknown>;
		receivedAt: string;
	}>();
	expectTypeOf<keyof WebhookHandlerContext>().toEqualTypeOf<keyof EventContext | "signal">();
	expectTypeOf<WebhookHandlerContext["signal"]>().toEqualTypeOf<AbortSignal>();
}

function _dialogs(): void {
	type Options<Name extends keyof PluginUI> = NonNullable<Parameters<PluginUI[Name]>[0]>;
	expectTypeOf<Options<"input">>().toEqualTypeOf<{
		title?: string;
		helpText?: string;
		initialValue?: string;
		submitButtonText?: string;
		secret?: boolean;
		fieldName?: string;
		requireHuman?: boolean;
	}>();
	expectTypeOf<Options<"confirm">>().toEqualTypeOf<{
		title: string;
		message?: string;
		confirmButtonText?: string;
		requireHuman?: boolean;
	}>();
	expectTypeOf<Omit<Options<"select">, "options">>().toEqualTypeOf<{
		title: string;
		allowOther?: boolean;
		message?: string;
		initialValue?: string;
		requireHuman?: boolean;
	}>();
}

function _threads(thread: PluginThread, message: ThreadMessage): void {
	expectTypeOf(thread.id).toEqualTypeOf<string>();
	expectTypeOf(thread.title).toExtend<Observable<string>>();
	expectTypeOf(thread.state).toExtend<Observable<"idle" | "running" | "awaiting-approval" | "error">>();
	expectTypeOf(message.id).toEqualTypeOf<string>();
	for (const block of message.role === "user" ? message.content : []) {
		expectTypeOf(block.type).toEqualTypeOf<"text" | "tool_result">();
		if (block.type === "tool_result") expectTypeOf(block.toolUseID).toEqualTypeOf<string>();
	}
	for (const block of message.role === "assistant" ? message.content : []) {
		expectTypeOf(block.type).toEqualTypeOf<"text" | "thinking" | "tool_use">();
		if (block.type === "tool_use") expectTypeOf([block.id, block.name]).toEqualTypeOf<string[]>();
	}
	for (const block of message.role === "info" ? message.content : []) {
		expectTypeOf(block.type).toEqualTypeOf<"text">();
	}
}

function _activeThread({ activeThread, experimental }: PluginAPI): void {
	expectTypeOf(activeThread).toExtend<Observable<{ id: string } | null>>();
	expectTypeOf(activeThread.pipe((source) => source)).toEqualTypeOf<Observable<ThreadReference | null>>();
	expectTypeOf(experimental.createAgent).toEqualTypeOf<PluginAPI["createAgent"]>();
	expectTypeOf(experimental.getBuiltinAgent).toEqualTypeOf<PluginAPI["getBuiltinAgent"]>();
	expectTypeOf(experimental.registerAgentMode).toEqualTypeOf<PluginAPI["registerAgentMode"]>();
	expectTypeOf(experimental.createStatusItem).toEqualTypeOf<PluginAPI["createStatusItem"]>();
	expectTypeOf(experimental.activeThread).toEqualTypeOf<PluginAPI["activeThread"]>();
	expectTypeOf(experimental.threads).toEqualTypeOf<PluginAPI["threads"]>();
}

function _agents(amp: PluginAPI, agent: Agent): void {
	expectTypeOf(agent.definition).toEqualTypeOf<CustomAgentDefinition | BuiltinAgentDefinition>();
	expectTypeOf(agent.createThread).returns.toEqualTypeOf<Promise<PluginThread>>();
	expectTypeOf(agent.run).returns.toEqualTypeOf<Promise<{ threadID: string; text: string }>>();
	const definition = defineAgent({ model: "a/b", instructions: "i", tools: ["Read"] as const, name: "kept" });
	expectTypeOf(definition.name).toEqualTypeOf<string>();
	expectTypeOf(amp.createAgent(definition)).toEqualTypeOf<Agent>();
	// @ts-expect-error an agent has no such member
	amp.createAgent({ model: "a/b", instructions: "i", temperature: 1 });
}

function _tools(amp: PluginAPI): void {
	const tool = defineTool({
		name: "n",
		description: "d",
		inputSchema: { type: "object" },
		execute(input: { path: string }, context) {
			expectTypeOf(context).toEqualTypeOf<ToolContext>();
			return [{ type: "text", text: input.path }];
		},
	});
	expectTypeOf(tool).toEqualTypeOf<ToolDefinition<{ path: string }>>();
	expectTypeOf(amp.registerTool(tool)).toEqualTypeOf<Subscription>();
	amp.registerTool({
		name: "n",
		description: "d",
		inputSchema: { type: "object" },
		execute: (input) => expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>(),
	});
	// @ts-expect-error the schema of a tool is one of an object
	defineTool({ name: "n", description: "d", inputSchema: {}, execute: () => "" });
}

test("what the contract says of each call compiles, and what it does not say does not", () => {
	const claims = [_on, _contexts, _webhooks, _dialogs, _threads, _activeThread, _agents, _tools];
	expect(claims.map((claim) => typeof claim)).toEqual(claims.map(() => "function"));
});
