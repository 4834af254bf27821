import type { AI, AIAnswer } from "./ai.ts";
import type { Logger, Observer, Shell } from "./common.ts";
import type {
	AgentEndAnswer,
	AgentStartAnswer,
	CommandContext,
	EventContext,
	PluginEventHandler,
	PluginEventName,
	PluginEvents,
	ToolCallAnswer,
	ToolResultAnswer,
} from "./events.ts";
import type { Configuration, Experimental, Helpers, StatusText } from "./plugin-api.ts";
import type { System, SystemUser } from "./system.ts";
import type {
	TextContent,
	ThinkingContent,
	ThreadMessage,
	ToolResultContent,
	ToolUseContent,
} from "./thread-messages.ts";
import type {
	Agent,
	AgentDefinition,
	AgentMode,
	PluginThread,
	Threads,
	ToolSelection,
	UserMessageInput,
} from "./threads.ts";
import type { CommandDefinition, ToolContentBlock, ToolContext, ToolDefinition } from "./tools.ts";
import type { ConfirmOptions, InputOptions, SelectOptions } from "./ui.ts";
import type { Webhook } from "./webhooks.ts";

// Plugins that were written for Amp import these names. Each is the type that has another name here.

export type PluginLogger = Logger;
export type PluginConfiguration<Settings = Record<string, unknown>> = Configuration<Settings>;
export type PluginConfigurationObserver<Value> = Observer<Value>;
export type PluginConfigurationTarget = "workspace" | "global";
export type PluginAI = AI;
export type PluginAIAskResult = AIAnswer;
export type ShellFunction = Shell;
export type ExperimentalPluginAPI = Experimental;
export type StatusItemValue = StatusText;

export type PluginSystem = System;
export type PluginExecutor = System["executor"];
export type PluginExecutorKind = PluginExecutor["kind"];
export type User = SystemUser;
export type Workspace = NonNullable<SystemUser["workspace"]>;

export type ShellCommand = NonNullable<ReturnType<ShellCommandFromToolCall>>;
export type ShellCommandFromToolCall = Helpers["shellCommandFromToolCall"];
export type ToolCallsInMessages = Helpers["toolCallsInMessages"];
export type FilesModifiedByToolCall = Helpers["filesModifiedByToolCall"];
export type FilePathFromURI = Helpers["filePathFromURI"];
export type IsPluginUINotAvailableError = Helpers["isPluginUINotAvailableError"];

export type PluginInputOptions = InputOptions;
export type PluginConfirmOptions = ConfirmOptions;
export type PluginSelectOptions = SelectOptions;

export type SessionStartEvent = PluginEvents["session.start"]["payload"];
/** What a handler of `tool.call` may answer; what became of a call is a `ToolResult`. */
export type ToolCallResult = ToolCallAnswer;
export type ToolResultResult = ToolResultAnswer | undefined;
export type AgentStartResult = AgentStartAnswer;
export type AgentEndResult = AgentEndAnswer | undefined;
export type PluginEventMap = { [Name in PluginEventName]: PluginEvents[Name]["payload"] };
export type PluginRequestResultMap = {
	[Name in Exclude<PluginEventName, "session.start">]: PluginEvents[Name]["answer"];
};
export type PluginHandlerResult<Name extends PluginEventName> = ReturnType<PluginEventHandler<Name>>;
export type PluginEventContextBase = Omit<EventContext, "thread">;
export type PluginEventContext<_Name extends PluginEventName = PluginEventName> = EventContext;
export type SpanID = EventContext["span"];

export type PluginToolDefinition<Input = Record<string, unknown>> = ToolDefinition<Input>;
export type PluginToolContext = ToolContext;
export type PluginToolResult = string | ToolContentBlock[];
export type PluginToolResultContentBlock = ToolContentBlock;
export type PluginCommandOptions = CommandDefinition;
export type PluginCommandContext = CommandContext;

/** Any text; those of Amp begin with `T-`. */
export type ThreadID = PluginThread["id"];
export type ThreadMessageID = ThreadMessage["id"];
export type ThreadTextBlock = TextContent;
export type ThreadThinkingBlock = ThinkingContent;
export type ThreadToolUseBlock = ToolUseContent;
export type ThreadToolResultBlock = ToolResultContent;
export type UserMessage = UserMessageInput;
export type AppendUserMessageOptions = NonNullable<Parameters<PluginThread["appendUserMessage"]>[1]>;
export type PluginThreads = Threads;

export type AgentThread = PluginThread;
export type AgentToolSelection = ToolSelection;
export type AgentDisplay = NonNullable<AgentDefinition["display"]>;
export type AgentSubagentPin = AgentDefinition["subagents"];
/** Those that Amp knows; a definition takes any text. */
export type AgentReasoningEffort = "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
export type AgentRunResult = Awaited<ReturnType<Agent["run"]>>;
export type RunAgentOptions = NonNullable<Parameters<Agent["run"]>[1]>;
export type CreateAgentThreadOptions = NonNullable<Parameters<Agent["createThread"]>[0]>;
export type CreateAgentConfig = AgentDefinition;
export type PluginAgentModel = NonNullable<AgentDefinition["model"]>;
export type PluginAgentModeDefinition = AgentMode;
/** A mode as hosts know it, its label settled. */
export type PluginAgentMode = AgentMode & { label: string; pluginName: string; agent: AgentDefinition };
/** The keys that `getBuiltinAgent` knows, the older ones too. */
export type BuiltinAgentMode = "low" | "medium" | "high" | "ultra" | "smart" | "deep" | "rush";
export type GetBuiltinAgentOptions = { reasoningEffort?: string };

export type CreateWebhookOptions = Webhook;
export type WebhookRegistration = { url: string };
