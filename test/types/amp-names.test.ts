import { expect, expectTypeOf, test } from "bun:test";
import { builtinModes } from "../../child/api/agent-rules.ts";
import type * as plugin from "../../child/plugin.ts";

/** Every type that a public plugin was seen to import from `@ampcode/plugin`, or that stands beside those. */
export type {
	Agent,
	AgentDefinition,
	AgentDisplay,
	AgentEndEvent,
	AgentEndResult,
	AgentReasoningEffort,
	AgentRunResult,
	AgentStartEvent,
	AgentStartResult,
	AgentSubagentPin,
	AgentThread,
	AgentToolSelection,
	AppendUserMessageOptions,
	BuiltinAgentMode,
	CommandAvailability,
	CommandSubscription,
	CreateAgentConfig,
	CreateAgentThreadOptions,
	CreateWebhookOptions,
	ExperimentalPluginAPI,
	FilePathFromURI,
	FilesModifiedByToolCall,
	GetBuiltinAgentOptions,
	IsPluginUINotAvailableError,
	Observable,
	PluginAgentModeDefinition,
	PluginAgentModel,
	PluginAI,
	PluginAIAskResult,
	PluginAPI,
	PluginCommandContext,
	PluginCommandOptions,
	PluginConfiguration,
	PluginConfigurationObserver,
	PluginConfigurationTarget,
	PluginConfirmOptions,
	PluginEventContext,
	PluginEventContextBase,
	PluginEventMap,
	PluginExecutor,
	PluginExecutorKind,
	PluginHandlerResult,
	PluginInputOptions,
	PluginLogger,
	PluginRequestResultMap,
	PluginSelectOptions,
	PluginSystem,
	PluginThread,
	PluginThreads,
	PluginToolContext,
	PluginToolDefinition,
	PluginToolResult,
	PluginToolResultContentBlock,
	PluginUI,
	RunAgentOptions,
	SessionStartEvent,
	ShellCommand,
	ShellCommandFromToolCall,
	ShellFunction,
	ShellResult,
	SpanID,
	StatusItem,
	StatusItemValue,
	Subscription,
	ThreadAssistantMessage,
	ThreadID,
	ThreadInfoMessage,
	ThreadMessage,
	ThreadMessageID,
	ThreadMessagesOptions,
	ThreadState,
	ThreadTextBlock,
	ThreadThinkingBlock,
	ThreadToolResultBlock,
	ThreadToolUseBlock,
	ThreadUserMessage,
	ToolCall,
	ToolCallEvent,
	ToolCallResult,
	ToolCallsInMessages,
	ToolCallWithResult,
	ToolResult,
	ToolResultEvent,
	ToolResultResult,
	URI,
	User,
	UserMessage,
	WebhookEvent,
	WebhookHandlerContext,
	WebhookRegistration,
	Workspace,
} from "@ampcode/plugin";

type Parameter<
	Function extends (...parameters: never[]) => unknown,
	Index extends number,
> = Parameters<Function>[Index];
type API = plugin.PluginAPI;

test("each name of Amp stands for what the API takes and gives under it", () => {
	expectTypeOf<plugin.PluginLogger>().toEqualTypeOf<API["logger"]>();
	expectTypeOf<plugin.PluginSystem>().toEqualTypeOf<API["system"]>();
	expectTypeOf<plugin.PluginExecutorKind>().toEqualTypeOf<"local" | "remote" | "unknown">();
	expectTypeOf<plugin.User>().toEqualTypeOf<NonNullable<API["system"]["user"]>>();
	expectTypeOf<plugin.Workspace>().toEqualTypeOf<{ id: string; name: string; displayName: string }>();
	expectTypeOf<plugin.PluginConfiguration>().toEqualTypeOf<API["configuration"]>();
	expectTypeOf<plugin.PluginConfigurationTarget>().toEqualTypeOf<"workspace" | "global">();
	expectTypeOf<plugin.ShellFunction>().toEqualTypeOf<API["$"]>();
	expectTypeOf<plugin.ShellCommand>().toEqualTypeOf<{ command: string; dir?: string }>();
	expectTypeOf<plugin.PluginAI>().toEqualTypeOf<API["ai"]>();
	expectTypeOf<plugin.PluginAIAskResult>().toEqualTypeOf<Awaited<ReturnType<API["ai"]["ask"]>>>();
	expectTypeOf<plugin.PluginThreads>().toEqualTypeOf<API["threads"]>();
	expectTypeOf<plugin.ExperimentalPluginAPI>().toEqualTypeOf<API["experimental"]>();
	expectTypeOf<plugin.StatusItemValue>().toEqualTypeOf<{ text: string; url?: string }>();
	expectTypeOf<plugin.PluginCommandOptions>().toEqualTypeOf<Parameter<API["registerCommand"], 1>>();
	expectTypeOf<plugin.PluginAgentModeDefinition>().toEqualTypeOf<Parameter<API["registerAgentMode"], 0>>();
	expectTypeOf<plugin.CreateAgentConfig>().toEqualTypeOf<Parameter<API["createAgent"], 0>>();
	expectTypeOf<plugin.GetBuiltinAgentOptions | undefined>().toEqualTypeOf<Parameter<API["getBuiltinAgent"], 1>>();
	expectTypeOf<plugin.CreateWebhookOptions>().toEqualTypeOf<Parameter<API["createWebhook"], 0>>();
	expectTypeOf<plugin.WebhookRegistration>().toEqualTypeOf<Awaited<ReturnType<API["createWebhook"]>>>();
	expectTypeOf<plugin.AgentThread>().toEqualTypeOf<plugin.PluginThread>();
	expectTypeOf<plugin.AgentRunResult>().toEqualTypeOf<{ threadID: string; text: string }>();
	expectTypeOf<plugin.AppendUserMessageOptions>().toEqualTypeOf<{ steer?: boolean }>();
	expectTypeOf<plugin.UserMessage[]>().toEqualTypeOf<Parameter<plugin.PluginThread["append"], 0>>();
	expectTypeOf<plugin.ThreadMessage>().toEqualTypeOf<
		plugin.ThreadUserMessage | plugin.ThreadAssistantMessage | plugin.ThreadInfoMessage
	>();
	expect([...builtinModes.keys()]).toEqual([...modes]);
});

/** Compiled, never run. */
async function _claims(configuration: plugin.PluginConfiguration<{ loud: boolean }>): Promise<void> {
	expectTypeOf(await configuration.get()).toEqualTypeOf<{ loud: boolean }>();
	expectTypeOf(await configuration.get<{ n: 1 }>()).toEqualTypeOf<{ n: 1 }>();
	configuration.subscribe(({ loud }) => expectTypeOf(loud).toEqualTypeOf<boolean>());
	await configuration.update({ loud: true }, "global");
	// @ts-expect-error a value of that setting is a boolean
	await configuration.update({ loud: "very" });
	await configuration.delete("loud");
	// @ts-expect-error there is no such setting
	await configuration.delete("quiet");
}

const modes = ["low", "medium", "high", "ultra", "smart", "deep", "rush"] as const satisfies plugin.BuiltinAgentMode[];

test("the names of events are what handlers get and may answer with", () => {
	expectTypeOf<keyof plugin.PluginEventMap>().toEqualTypeOf<plugin.PluginEventName>();
	expectTypeOf<plugin.PluginEventMap["session.start"]>().toEqualTypeOf<plugin.SessionStartEvent>();
	expectTypeOf<plugin.PluginEventMap["tool.call"]>().toEqualTypeOf<plugin.ToolCallEvent>();
	expectTypeOf<plugin.PluginEventMap["tool.result"]>().toEqualTypeOf<plugin.ToolResultEvent>();
	expectTypeOf<plugin.PluginEventMap["agent.start"]>().toEqualTypeOf<plugin.AgentStartEvent>();
	expectTypeOf<plugin.PluginEventMap["agent.end"]>().toEqualTypeOf<plugin.AgentEndEvent>();
	type Answers = plugin.PluginRequestResultMap;
	expectTypeOf<NonNullable<Answers["tool.call"]>>().toEqualTypeOf<plugin.ToolCallResult>();
	expectTypeOf<NonNullable<Answers["tool.result"]>>().toEqualTypeOf<NonNullable<plugin.ToolResultResult>>();
	expectTypeOf<NonNullable<Answers["agent.start"]>>().toEqualTypeOf<plugin.AgentStartResult>();
	expectTypeOf<NonNullable<Answers["agent.end"]>>().toEqualTypeOf<NonNullable<plugin.AgentEndResult>>();
	expectTypeOf<plugin.ToolCallResult>().toExtend<Awaited<plugin.PluginHandlerResult<"tool.call">>>();
	expectTypeOf<plugin.PluginEventContext>().toEqualTypeOf<plugin.PluginEventContext<"tool.call">>();
	expectTypeOf<plugin.PluginEventContext["thread"]>().toEqualTypeOf<plugin.PluginThread>();
	expectTypeOf<plugin.PluginCommandContext["thread"]>().toEqualTypeOf<plugin.PluginThread | undefined>();
	expectTypeOf<plugin.PluginToolContext["thread"]>().toEqualTypeOf<plugin.PluginThread>();
	expectTypeOf<plugin.WebhookHandlerContext>().toExtend<plugin.PluginEventContext & { signal: AbortSignal }>();
	expectTypeOf<plugin.ToolCallWithResult>().toEqualTypeOf<ReturnType<plugin.ToolCallsInMessages>[number]>();
	expectTypeOf<plugin.ToolResultEvent>().toExtend<plugin.ToolResult>();
	expect(typeof _claims).toBe("function");
});
