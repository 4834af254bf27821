import { expect, expectTypeOf, test } from "bun:test";
import type {
	Agent,
	AgentDefinition,
	AgentEndAnswer,
	AgentEndEvent,
	AgentMode,
	AgentStartAnswer,
	AgentStartEvent,
	AI,
	ChangesPromptEvent,
	CommandAvailability,
	CommandContext,
	CommandSubscription,
	ConfirmField,
	EventContext,
	Helpers,
	Logger,
	Observable,
	PluginAPI,
	PluginEventHandler,
	PluginEventName,
	PluginUI,
	Shell,
	ShellResult,
	StatusItem,
	Subscription,
	System,
	SystemUser,
	ThreadReference,
	ToolCallAnswer,
	ToolCallEvent,
	ToolContentBlock,
	ToolContext,
	ToolOutput,
	ToolResultAnswer,
	ToolResultEvent,
	URI,
} from "../../child/plugin.ts";
import { defineAgent, defineTool } from "../../child/plugin.ts";

/** Compiled, never run: each line is what authors rely on. */
function _members(amp: PluginAPI): void {
	expectTypeOf<PluginAPI["logger"]>().toEqualTypeOf<Logger>();
	expectTypeOf(amp.logger.log).toEqualTypeOf<(...values: unknown[]) => void>();
	expectTypeOf(amp.$).toEqualTypeOf<Shell>();
	expectTypeOf<Shell>().parameters.toEqualTypeOf<[TemplateStringsArray, ...unknown[]]>();
	expectTypeOf<Shell>().returns.toEqualTypeOf<Promise<ShellResult>>();
	expectTypeOf<ShellResult>().toEqualTypeOf<{ exitCode: number; stdout: string; stderr: string }>();
	expectTypeOf(amp.registerSkill).toEqualTypeOf<(skill: { path: string }) => Promise<Subscription>>();
	expectTypeOf<{ id: string; pattern: string; href: string }>().toEqualTypeOf<
		Parameters<PluginAPI["registerLinkPattern"]>[0]
	>();
	expectTypeOf(amp.registerLinkPattern).returns.toEqualTypeOf<Subscription>();
	expectTypeOf(amp.registerAgentMode).toEqualTypeOf<(mode: AgentMode) => Subscription>();
	expectTypeOf<AgentMode>().toEqualTypeOf<{
		key: string;
		label?: string;
		description?: string;
		color?: string;
		agent: Agent | AgentDefinition;
	}>();
	expectTypeOf(amp.onDispose).toEqualTypeOf<(callback: () => unknown) => Subscription>();
	expectTypeOf(amp.createAgent).toEqualTypeOf<(definition: AgentDefinition) => Agent>();
	expectTypeOf(amp.getBuiltinAgent).toEqualTypeOf<(mode: string, options?: { reasoningEffort?: string }) => Agent>();
	expectTypeOf(amp.createStatusItem).toEqualTypeOf<(initial?: { text: string; url?: string }) => StatusItem>();
	expectTypeOf<StatusItem["update"]>().toEqualTypeOf<(status: { text: string; url?: string }) => void>();
	expectTypeOf<StatusItem["unsubscribe"]>().toEqualTypeOf<() => void>();
	expectTypeOf<keyof PluginAPI["experimental"]>().toEqualTypeOf<
		"createAgent" | "getBuiltinAgent" | "registerAgentMode" | "createStatusItem" | "activeThread" | "threads"
	>();
	expectTypeOf<PluginAPI["experimental"]>().toEqualTypeOf<Pick<PluginAPI, keyof PluginAPI["experimental"]>>();
}

function _system(system: System): void {
	expectTypeOf(system.open).toEqualTypeOf<(url: string | URL) => Promise<void>>();
	expectTypeOf(system.workspaceRoot).toEqualTypeOf<URI | null>();
	expectTypeOf<URI["toString"]>().toEqualTypeOf<() => string>();
	expectTypeOf<URI["fsPath"]>().toEqualTypeOf<string>();
	expectTypeOf(system.ampURL).toEqualTypeOf<URL>();
	expectTypeOf(system.user).toEqualTypeOf<SystemUser | null>();
	expectTypeOf<keyof SystemUser>().toEqualTypeOf<
		"id" | "email" | "firstName" | "lastName" | "username" | "workspace"
	>();
	expectTypeOf<SystemUser["workspace"]>().toEqualTypeOf<{ id: string; name: string; displayName: string } | null>();
	expectTypeOf(system.executor.kind).toEqualTypeOf<"local" | "remote" | "unknown">();
	expectTypeOf(system.executor.keepAlive).toEqualTypeOf<() => Promise<Subscription>>();
}

function _helpers(helpers: Helpers): void {
	expectTypeOf(helpers.shellCommandFromToolCall).returns.toEqualTypeOf<{ command: string; dir?: string } | null>();
	expectTypeOf(helpers.shellCommandFromToolCall).toBeCallableWith({} as ToolCallEvent);
	expectTypeOf(helpers.filesModifiedByToolCall).returns.toEqualTypeOf<URI[] | null>();
	expectTypeOf(helpers.filesModifiedByToolCall).toBeCallableWith({} as ToolResultEvent);
	expectTypeOf(helpers.toolCallsInMessages).toBeCallableWith([] as AgentEndEvent["messages"]);
	expectTypeOf(helpers.toolCallsInMessages({})[0]?.call.input).toEqualTypeOf<Record<string, unknown> | undefined>();
	expectTypeOf(helpers.toolCallsInMessages({})[0]?.result.status).toEqualTypeOf<
		"done" | "error" | "cancelled" | undefined
	>();
	expectTypeOf(helpers.filePathFromURI).returns.toEqualTypeOf<string>();
	expectTypeOf(helpers.filePathFromURI).toBeCallableWith({} as URI);
	expectTypeOf(helpers.isPluginUINotAvailableError).toEqualTypeOf<(error: unknown) => boolean>();
}

async function _ui(ui: PluginUI): Promise<void> {
	expectTypeOf(ui.notify).toEqualTypeOf<(message: string) => Promise<void>>();
	expectTypeOf(ui.input).returns.toEqualTypeOf<Promise<string | undefined>>();
	const input = { title: "", helpText: "", initialValue: "", submitButtonText: "", secret: true, fieldName: "" };
	expectTypeOf(ui.input).toBeCallableWith({ ...input, requireHuman: true });
	expectTypeOf(ui.input).toBeCallableWith();
	const asked = { title: "", message: "", confirmButtonText: "", requireHuman: false };
	expectTypeOf(await ui.confirm(asked)).toEqualTypeOf<boolean>();
	const fields: ConfirmField[] = [{ type: "text", name: "", label: "", value: "", multiline: true, optional: true }];
	expectTypeOf(await ui.confirm({ ...asked, fields })).toEqualTypeOf<Record<string, string> | undefined>();
	expectTypeOf<ConfirmField["type"]>().toEqualTypeOf<"text" | "image" | undefined>();
	// @ts-expect-error a field has a value to edit
	await ui.confirm({ title: "", fields: [{ name: "a", label: "A" }] });
	const choice = { title: "", message: "", initialValue: "", allowOther: true, requireHuman: true };
	expectTypeOf(await ui.select({ ...choice, options: ["a"] })).toEqualTypeOf<string | undefined>();
	expectTypeOf(ui.select).toBeCallableWith({ title: "", options: ["a", "b"] as const });
	expectTypeOf(ui.select).toBeCallableWith({ title: "", options: [{ label: "A", value: "a" }, "b", { label: "C" }] });
	// @ts-expect-error an option is a text, or has a label
	await ui.select({ title: "", options: [1] });
}

/** The payload of a handler, and what it may answer with beside nothing, by the name of its event. */
type PayloadOf<Name extends PluginEventName> = Parameters<PluginEventHandler<Name>>[0];
type AnswerOf<Name extends PluginEventName> = Exclude<Awaited<ReturnType<PluginEventHandler<Name>>>, void>;

interface Call {
	thread: ThreadReference;
	toolUseID: string;
	tool: string;
	input: Record<string, unknown>;
}

interface Result extends Call {
	status: "done" | "error" | "cancelled";
	error?: string;
	output?: unknown;
}

function _events(amp: PluginAPI): void {
	expectTypeOf<PluginEventName>().toEqualTypeOf<
		"session.start" | "tool.call" | "tool.result" | "agent.start" | "agent.end" | "changes.prompt"
	>();
	expectTypeOf(amp.on<"tool.call">).toEqualTypeOf<
		(event: "tool.call", handler: PluginEventHandler<"tool.call">) => Subscription
	>();
	expectTypeOf<PayloadOf<"session.start">>().toEqualTypeOf<{ thread: ThreadReference }>();
	expectTypeOf<PayloadOf<"tool.call">>().toEqualTypeOf<ToolCallEvent>();
	expectTypeOf<PayloadOf<"tool.result">>().toEqualTypeOf<ToolResultEvent>();
	expectTypeOf<PayloadOf<"agent.start">>().toEqualTypeOf<AgentStartEvent>();
	expectTypeOf<PayloadOf<"agent.end">>().toEqualTypeOf<AgentEndEvent>();
	expectTypeOf<PayloadOf<"changes.prompt">>().toEqualTypeOf<ChangesPromptEvent>();
	expectTypeOf<AnswerOf<"session.start">>().toEqualTypeOf<never>();
	expectTypeOf<AnswerOf<"tool.call">>().toEqualTypeOf<ToolCallAnswer>();
	expectTypeOf<AnswerOf<"tool.result">>().toEqualTypeOf<ToolResultAnswer>();
	expectTypeOf<AnswerOf<"agent.start">>().toEqualTypeOf<AgentStartAnswer>();
	expectTypeOf<AnswerOf<"agent.end">>().toEqualTypeOf<AgentEndAnswer>();
	expectTypeOf<AnswerOf<"changes.prompt">>().toEqualTypeOf<{ append?: string }>();
	expectTypeOf<ToolCallAnswer["action"]>().toEqualTypeOf<
		"allow" | "reject-and-continue" | "modify" | "synthesize" | "error"
	>();
	expectTypeOf<{ output: string; exitCode?: number }>().toEqualTypeOf<
		Extract<ToolCallAnswer, { action: "synthesize" }>["result"]
	>();
	expectTypeOf<ToolCallEvent>().toEqualTypeOf<Call>();
	expectTypeOf<ToolResultEvent>().toEqualTypeOf<Result>();
	expectTypeOf<AgentStartEvent["changesWorkflow"]>().toEqualTypeOf<"ship" | "push_branch" | undefined>();
	expectTypeOf<AgentStartAnswer>().toEqualTypeOf<{ message?: { content: string; display?: boolean } }>();
	expectTypeOf<AgentEndEvent["status"]>().toEqualTypeOf<"done" | "error" | "interrupted" | "cancelled">();
	expectTypeOf<AgentEndAnswer>().toEqualTypeOf<{
		action: "continue";
		userMessage: string;
		maxContinuations?: number;
	}>();
	expectTypeOf<ChangesPromptEvent["workflow"]>().toEqualTypeOf<"ship" | "push_branch">();
}

function _contexts(): void {
	expectTypeOf<keyof EventContext>().toEqualTypeOf<"logger" | "$" | "ui" | "ai" | "system" | "span" | "thread">();
	expectTypeOf<keyof CommandContext>().toEqualTypeOf<"ui" | "ai" | "system" | "$" | "thread" | "signal">();
	expectTypeOf<keyof ToolContext>().toEqualTypeOf<"ui" | "logger" | "thread" | "signal">();
	expectTypeOf<EventContext["thread"]["id"]>().toEqualTypeOf<string>();
	expectTypeOf<ToolContext["thread"]["id"]>().toEqualTypeOf<string>();
	expectTypeOf<NonNullable<CommandContext["thread"]>["id"]>().toEqualTypeOf<string>();
	expectTypeOf<undefined>().toExtend<CommandContext["thread"]>();
	expectTypeOf<Pick<EventContext, "$" | "ui" | "ai" | "system">>().toEqualTypeOf<
		Pick<CommandContext, "$" | "ui" | "ai" | "system">
	>();
	expectTypeOf<EventContext["ai"]>().toEqualTypeOf<AI>();
	expectTypeOf<ToolContext["signal"]>().toEqualTypeOf<AbortSignal>();
}

function _tools(amp: PluginAPI): void {
	expectTypeOf(amp.registerTool).returns.toEqualTypeOf<Subscription>();
	expectTypeOf<string>().toExtend<ToolOutput>();
	expectTypeOf<ToolContentBlock[]>().toExtend<ToolOutput>();
	expectTypeOf<{ plain: "object" }>().toExtend<ToolOutput>();
	expectTypeOf<undefined>().toExtend<ToolOutput>();
	expectTypeOf<ToolContentBlock>().toEqualTypeOf<
		| { type: "text"; text: string }
		| { type: "image"; mimeType: string; data: string }
		| { type: "image"; mimeType: string; url: string }
	>();
	const tool = defineTool<{ n: number }>({
		name: "n",
		title: "N",
		transcriptGroup: { active: "a", complete: "c" },
		description: "d",
		inputSchema: {
			type: "object",
			properties: { n: { type: "number" } },
			required: ["n"],
			additionalProperties: false,
		},
		execute: (input, context) => {
			expectTypeOf(input).toEqualTypeOf<{ n: number }>();
			expectTypeOf(context).toEqualTypeOf<ToolContext>();
			return "x";
		},
	});
	expectTypeOf(amp.registerTool<{ n: number }>).toBeCallableWith(tool);
	expectTypeOf(defineAgent({ model: "a/b", instructions: "i" })).toExtend<AgentDefinition>();
	// @ts-expect-error a tool has a description
	amp.registerTool({ name: "n", inputSchema: { type: "object" }, execute: () => "x" });
}

function _commands(amp: PluginAPI): void {
	expectTypeOf(amp.registerCommand).returns.toEqualTypeOf<CommandSubscription>();
	expectTypeOf(amp.registerCommand).parameter(0).toEqualTypeOf<string>();
	expectTypeOf(amp.registerCommand).parameter(2).toEqualTypeOf<(context: CommandContext) => unknown>();
	expectTypeOf<Parameters<PluginAPI["registerCommand"]>[1]>().toEqualTypeOf<{
		title: string;
		category?: string;
		description?: string;
		availability?: CommandAvailability;
	}>();
	expectTypeOf<CommandAvailability>().toEqualTypeOf<
		{ type: "enabled" } | { type: "disabled"; reason: string } | { type: "hidden" }
	>();
	expectTypeOf<CommandSubscription["unsubscribe"]>().toEqualTypeOf<() => void>();
	expectTypeOf<CommandSubscription["setAvailability"]>().toEqualTypeOf<(availability: CommandAvailability) => void>();
}

function _observable(observable: Observable<number>): void {
	expectTypeOf(observable.subscribe).returns.toEqualTypeOf<Subscription>();
	observable.subscribe((value) => expectTypeOf(value).toEqualTypeOf<number>());
	observable.subscribe({ next: (value) => expectTypeOf(value).toEqualTypeOf<number>() });
	observable.subscribe({ error: (error) => expectTypeOf(error).toEqualTypeOf<unknown>(), complete() {} });
	expectTypeOf(observable.pipe((source) => [source])).toEqualTypeOf<Observable<number>[]>();
	expectTypeOf(observable[Symbol.observable]?.()).toEqualTypeOf<Observable<number> | undefined>();
	// @ts-expect-error an observer is a function or an object
	observable.subscribe("next");
}

test("the signatures compile as they are documented", () => {
	const claims = [_members, _system, _helpers, _ui, _events, _contexts, _tools, _commands, _observable];
	expect(claims.map((claim) => typeof claim)).toEqual(claims.map(() => "function"));
});
