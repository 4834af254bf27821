// child/define.d.ts
import type { AgentDefinition } from "./types/threads.ts";
import type { ToolDefinition } from "./types/tools.ts";
/** Gives back its argument, with its type inferred. */
export declare function defineAgent<Definition extends AgentDefinition>(definition: Definition): Definition;
/** Gives back its argument, with its type inferred. */
export declare function defineTool<Input = Record<string, unknown>>(tool: ToolDefinition<Input>): ToolDefinition<Input>;

// child/plugin.d.ts
/** The contract `brood/plugin`: types for plugin authors, and two functions that only help inference. */
export { defineAgent, defineTool } from "./define.ts";
export type * from "./types/ai.ts";
export type * from "./types/amp-names.ts";
export type * from "./types/common.ts";
export type * from "./types/events.ts";
export type * from "./types/plugin-api.ts";
export type * from "./types/system.ts";
export type * from "./types/thread-messages.ts";
export type * from "./types/threads.ts";
export type * from "./types/tools.ts";
export type * from "./types/ui.ts";
export type * from "./types/webhooks.ts";

// child/takeover.d.ts
export {};

// child/types/ai.d.ts
/** Questions to a model; a host without an AI provider rejects them with `provider_missing`. */
export interface AI {
    /** Judges a question that can be answered with yes or no. */
    ask(question: string, options?: AIOptions): Promise<AIAnswer>;
    /** Gives the model's text. */
    generate(options: AIOptions & {
        prompt: string;
        schema?: undefined;
    }): Promise<string>;
    /** Gives an object with the fields of the schema. The host checks it; a model that misses it twice makes this reject. */
    generate<const Schema extends AISchema>(options: AIOptions & {
        prompt: string;
        schema: Schema;
    }): Promise<AIObject<Schema["fields"]>>;
    /** The same, for who knows the type of the object. */
    generate<Result extends object>(options: AIOptions & {
        prompt: string;
        schema: AISchema;
    }): Promise<Result>;
}
export interface AIOptions {
    /** The thread that it is about. */
    threadID?: string;
    /** `provider/model`, or a name that the host knows; the host's choice when absent. */
    model?: string;
    reasoningEffort?: string;
    /** Instructions that stand before the question or prompt. */
    system?: string;
    /** A positive integer. */
    maxTokens?: number;
}
export interface AIAnswer {
    result: "yes" | "no" | "uncertain";
    /** How likely it is that the answer is yes, from 0 to 1. */
    probability: number;
    reason: string;
}
/** The object that a model shall write. */
export interface AISchema {
    /** 1 to 64 letters, digits, `_` or `-`. */
    name: string;
    description?: string;
    /** At least one; the object has these members and no other. */
    fields: Readonly<Record<string, AIField>>;
}
/** The name of a type, or a JSON Schema (its `pattern` and `format` are told to the model and not checked). */
export type AIField = AIFieldType | AIFieldSchema;
export type AIFieldType = AIScalar | `${AIScalar}[]`;
type AIScalar = "string" | "number" | "integer" | "boolean";
/** A JSON Schema of one member; in it `description` tells the model what is meant. */
export interface AIFieldSchema {
    /** The member may be left out. */
    optional?: boolean;
    [keyword: string]: unknown;
}
/** The object that fits these fields. */
export type AIObject<Fields> = {
    -readonly [Name in keyof Fields as Fields[Name] extends {
        optional: true;
    } ? never : Name]: AIValue<Fields[Name]>;
} & {
    -readonly [Name in keyof Fields as Fields[Name] extends {
        optional: true;
    } ? Name : never]?: AIValue<Fields[Name]>;
};
type AIValue<Field> = Field extends `${infer Item extends AIScalar}[]` ? ScalarOf<Item>[] : Field extends AIScalar ? ScalarOf<Field> : Field extends {
    enum: readonly (infer Choice)[];
} ? Choice : Field extends {
    type: infer Type extends AIScalar;
} ? ScalarOf<Type> : Field extends {
    type: "array";
    items: infer Item;
} ? AIValue<Item>[] : unknown;
type ScalarOf<Type> = Type extends "string" ? string : Type extends "boolean" ? boolean : number;
export interface Attachments {
    /** Puts an image where a URL leads to it; rejects for one that is too large, or no image. */
    upload(attachment: Attachment): Promise<{
        url: string;
    }>;
}
/** An image of at most 4.9 MB, and at most 8000 pixels a side. */
export interface Attachment {
    /** Bytes, or base64. */
    data: Uint8Array | string;
    /** `image/png`, `image/jpeg`, `image/gif` or `image/webp`; what `data` is. */
    mimeType: string;
}
export {};

// child/types/amp-names.d.ts
import type { AI, AIAnswer } from "./ai.ts";
import type { Logger, Observer, Shell } from "./common.ts";
import type { AgentEndAnswer, AgentStartAnswer, CommandContext, EventContext, PluginEventHandler, PluginEventName, PluginEvents, ToolCallAnswer, ToolResultAnswer } from "./events.ts";
import type { Configuration, Experimental, Helpers, StatusText } from "./plugin-api.ts";
import type { System, SystemUser } from "./system.ts";
import type { TextContent, ThinkingContent, ThreadMessage, ToolResultContent, ToolUseContent } from "./thread-messages.ts";
import type { Agent, AgentDefinition, AgentMode, PluginThread, Threads, ToolSelection, UserMessageInput } from "./threads.ts";
import type { CommandDefinition, ToolContentBlock, ToolContext, ToolDefinition } from "./tools.ts";
import type { ConfirmOptions, InputOptions, SelectOptions } from "./ui.ts";
import type { Webhook } from "./webhooks.ts";
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
export type PluginEventMap = {
    [Name in PluginEventName]: PluginEvents[Name]["payload"];
};
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
export type PluginAgentMode = AgentMode & {
    label: string;
    pluginName: string;
    agent: AgentDefinition;
};
/** The keys that `getBuiltinAgent` knows, the older ones too. */
export type BuiltinAgentMode = "low" | "medium" | "high" | "ultra" | "smart" | "deep" | "rush";
export type GetBuiltinAgentOptions = {
    reasoningEffort?: string;
};
export type CreateWebhookOptions = Webhook;
export type WebhookRegistration = {
    url: string;
};

// child/types/common.d.ts
/** Undoes one registration or subscription; calling it again does nothing. */
export interface Subscription {
    unsubscribe(): void;
}
/** What an observer may react to. */
export interface Observer<Value> {
    next?(value: Value): void;
    error?(error: unknown): void;
    complete?(): void;
}
declare global {
    interface SymbolConstructor {
        /** The key of the observable protocol; brood defines it where the engine does not. */
        readonly observable: symbol;
    }
}
/** A value over time. Subscribers hear the current value first where there is one, then each change. */
export interface Observable<Value> {
    subscribe(observer: ((value: Value) => void) | Observer<Value>): Subscription;
    pipe<Result>(operator: (source: Observable<Value>) => Result): Result;
    /** For libraries that look for the observable protocol. */
    readonly [key: symbol]: () => Observable<Value>;
}
/** A file URI; `toString()` percent-encodes. */
export interface URI {
    readonly scheme: string;
    readonly path: string;
    readonly fsPath: string;
    toString(): string;
    toJSON(): string;
}
/** Writes to the plugin's log, under the plugin's name. Any value may be given; objects are shown with their members. */
export interface Logger {
    log(...values: unknown[]): void;
}
/** A running `sh` command resolves with this, whatever its exit code. */
export interface ShellResult {
    exitCode: number;
    stdout: string;
    stderr: string;
}
/** Runs a command with `sh` in the plugin's folder. Interpolated values are quoted; arrays become several words. */
export type Shell = (strings: TemplateStringsArray, ...values: unknown[]) => Promise<ShellResult>;

// child/types/events.d.ts
import type { AI } from "./ai.ts";
import type { Logger, Shell } from "./common.ts";
import type { System } from "./system.ts";
import type { ThreadMessage } from "./thread-messages.ts";
import type { PluginThread, ThreadReference } from "./threads.ts";
import type { PluginUI } from "./ui.ts";
/** What each event carries and what its handler may answer with. */
export interface PluginEvents {
    "session.start": {
        payload: {
            thread: ThreadReference;
        };
        answer: undefined;
    };
    "tool.call": {
        payload: ToolCallEvent;
        answer: ToolCallAnswer | undefined;
    };
    "tool.result": {
        payload: ToolResultEvent;
        answer: ToolResultAnswer | undefined;
    };
    "agent.start": {
        payload: AgentStartEvent;
        answer: AgentStartAnswer | undefined;
    };
    "agent.end": {
        payload: AgentEndEvent;
        answer: AgentEndAnswer | undefined;
    };
    "changes.prompt": {
        payload: ChangesPromptEvent;
        answer: {
            append?: string;
        } | undefined;
    };
}
export type PluginEventName = keyof PluginEvents;
export type PluginEventHandler<Name extends PluginEventName> = (event: PluginEvents[Name]["payload"], context: EventContext) => PluginEvents[Name]["answer"] | void | Promise<PluginEvents[Name]["answer"] | void>;
export interface EventContext {
    logger: Logger;
    $: Shell;
    ui: PluginUI;
    /** Gives up what was asked, as `ui` does, when the event is given up; `amp.ai` goes on. */
    ai: AI;
    system: System;
    /** What a host traces the event with; brood sets none. */
    span?: unknown;
    /** The thread that the event is about. */
    thread: PluginThread;
}
export interface CommandContext {
    ui: PluginUI;
    /** Gives up what was asked, as `ui` does, when the command is given up; `amp.ai` goes on. */
    ai: AI;
    system: System;
    $: Shell;
    /** Absent when no thread is active. */
    thread?: PluginThread;
    /** Aborts as that of a tool does. */
    signal: AbortSignal;
}
export interface ToolCallEvent {
    thread: ThreadReference;
    toolUseID: string;
    tool: string;
    input: Record<string, unknown>;
}
export type ToolCallAnswer = {
    action: "allow";
}
/** The tool does not run; the agent reads the message and goes on. */
 | {
    action: "reject-and-continue";
    message: string;
}
/** The tool runs with this input. */
 | {
    action: "modify";
    input: Record<string, unknown>;
}
/** The tool does not run; this is its result. */
 | {
    action: "synthesize";
    result: {
        output: string;
        exitCode?: number;
    };
}
/** The tool does not run and the turn ends with this error. */
 | {
    action: "error";
    message: string;
};
export type ToolStatus = "done" | "error" | "cancelled";
export interface ToolResultEvent {
    thread: ThreadReference;
    toolUseID: string;
    tool: string;
    input: Record<string, unknown>;
    status: ToolStatus;
    error?: string;
    output?: unknown;
}
export interface ToolResultAnswer {
    status: ToolStatus;
    output?: unknown;
    error?: string;
}
export interface AgentStartEvent {
    thread: ThreadReference;
    message: string;
    id: string;
    changesWorkflow?: "ship" | "push_branch";
}
export interface AgentStartAnswer {
    /** Added to what the agent reads; `display: false` keeps it from the transcript. */
    message?: {
        content: string;
        display?: boolean;
    };
}
/** How the agent ended the turn; `interrupted`, or `cancelled` in some hosts, when the person did. */
export type AgentEndStatus = "done" | "error" | "interrupted" | "cancelled";
export interface AgentEndEvent {
    thread: ThreadReference;
    message: string;
    id: string;
    status: AgentEndStatus;
    /** Those of the turn, with the user's that began it. */
    messages: ThreadMessage[];
}
export interface AgentEndAnswer {
    action: "continue";
    userMessage: string;
    /** At most this many turns in a row; 5 when absent. */
    maxContinuations?: number;
}
export interface ChangesPromptEvent {
    thread: ThreadReference;
    workflow: "ship" | "push_branch";
}

// child/types/plugin-api.d.ts
import type { AI, Attachments } from "./ai.ts";
import type { Logger, Observable, Shell, Subscription, URI } from "./common.ts";
import type { CommandContext, PluginEventHandler, PluginEventName, ToolStatus } from "./events.ts";
import type { System } from "./system.ts";
import type { ActiveThread, Agent, AgentDefinition, AgentMode, Threads } from "./threads.ts";
import type { CommandDefinition, CommandSubscription, ToolDefinition } from "./tools.ts";
import type { PluginUI } from "./ui.ts";
import type { Webhook } from "./webhooks.ts";
/** What a plugin's default export is called with. Members may be taken off it: none needs `this`. */
export interface PluginAPI {
    readonly logger: Logger;
    readonly system: System;
    readonly configuration: Configuration;
    readonly $: Shell;
    readonly helpers: Helpers;
    readonly ui: PluginUI;
    readonly ai: AI;
    readonly attachments: Attachments;
    readonly activeThread: ActiveThread;
    readonly threads: Threads;
    /** Older names of members that have a place of their own now. */
    readonly experimental: Experimental;
    /**
     * Handles an event. Several handlers of one event all run, in the order of their registration. An event is seen by
     * those that were registered as it began: one that is added meanwhile sees the next, one removed before its turn none.
     */
    on<Name extends PluginEventName>(event: Name, handler: PluginEventHandler<Name>): Subscription;
    registerTool<Input = Record<string, unknown>>(tool: ToolDefinition<Input>): Subscription;
    registerCommand(id: string, command: CommandDefinition, handler: (context: CommandContext) => unknown): CommandSubscription;
    /** Directory plugins only; `path` is relative to the plugin's folder and holds SKILL.md. */
    registerSkill(skill: {
        path: string;
    }): Promise<Subscription>;
    registerAgentMode(mode: AgentMode): Subscription;
    registerLinkPattern(link: {
        id: string;
        pattern: string;
        href: string;
    }): Subscription;
    /** Runs on unload, reload and host stop, about three seconds at most; not after a crash. */
    onDispose(callback: () => unknown): Subscription;
    createAgent(definition: AgentDefinition): Agent;
    /** One of the modes of the host, with another effort where one is given. */
    getBuiltinAgent(mode: string, options?: {
        reasoningEffort?: string;
    }): Agent;
    createStatusItem(initial?: StatusText): StatusItem;
    /**
     * Receives requests from outside, each at least once: one is stored before its sender hears that it was accepted, and
     * waits while the plugin cannot take it. The URL is a secret; whoever knows it can send.
     *
     * @throws BroodError `invalid_registration`, and `webhooks_unavailable` where the host cannot store or receive
     */
    createWebhook(webhook: Webhook): Promise<{
        url: string;
    }>;
}
export type Experimental = Pick<PluginAPI, "createAgent" | "getBuiltinAgent" | "registerAgentMode" | "createStatusItem" | "activeThread" | "threads">;
/**
 * The settings of workspace and user, merged by top-level key: the workspace's come before the user's. Subscribers hear
 * the settings as they are, then each change, whoever makes it; one that cannot be read is left out and logged.
 */
export interface Configuration<Settings = Record<string, unknown>> extends Observable<Settings> {
    /**
     * All layers merged. Texts under names such as `token` or `apiKey` are `[secret]` in logs, errors and traces of this
     * plugin from then on, as answers of a secret input are; results arrive as they are.
     *
     * @throws BroodError `invalid_settings` with file, line and column when a settings file cannot be read
     */
    get<Wanted = Settings>(): Promise<Wanted>;
    /**
     * Sets top-level keys in the settings of the workspace, or of the user, and leaves the others.
     * @throws BroodError `not_serializable` for what JSON cannot carry, `invalid_settings` when the file is broken, which
     * then stays as it is, or cannot be written
     */
    update(partial: Partial<Settings>, target?: "workspace" | "global"): Promise<void>;
    /** Removes a top-level key; one that is not there is no error. @throws BroodError `invalid_settings` */
    delete(key: keyof Settings & string, target?: "workspace" | "global"): Promise<void>;
}
export interface StatusText {
    text: string;
    /** http(s), or `command:ID` to run a command. */
    url?: string;
}
export interface StatusItem extends Subscription {
    update(status: StatusText): void;
}
/** Pure functions over what events carry. */
export interface Helpers {
    /** The shell command that a tool call would run, or null when it runs none. */
    shellCommandFromToolCall(call: unknown): {
        command: string;
        dir?: string;
    } | null;
    /** Pairs each tool use with its final result, in the order of the results. */
    toolCallsInMessages(messages: unknown): ToolCallWithResult[];
    /** The files that a tool call changes, or null when it changes none. */
    filesModifiedByToolCall(callOrResult: unknown): URI[] | null;
    filePathFromURI(uri: unknown): string;
    isPluginUINotAvailableError(error: unknown): boolean;
}
/** A call of a tool, as the events `tool.call` and `tool.result` carry it. */
export interface ToolCall {
    toolUseID: string;
    tool: string;
    input: Record<string, unknown>;
}
/** A call of a tool that has come to its end. */
export interface ToolResult extends ToolCall {
    status: ToolStatus;
    output?: unknown;
    error?: string;
}
/** A call of a tool and what became of it. */
export interface ToolCallWithResult {
    call: ToolCall;
    result: ToolResult;
}

// child/types/system.d.ts
import type { Subscription, URI } from "./common.ts";
/** The machine and the person that the host runs for. */
export interface System {
    /** Opens a URL for the person; it begins with https:, http:, mailto: or file:. */
    open(url: string | URL): Promise<void>;
    /** The folder that the person works in, as a file URI; the same as long as the plugin runs. */
    readonly workspaceRoot: URI | null;
    /** The base URL of the client. */
    readonly ampURL: URL;
    /** The person, where the host knows one. */
    readonly user: SystemUser | null;
    readonly executor: SystemExecutor;
}
/** What the plugin runs on. */
export interface SystemExecutor {
    /** `local`: the person's own machine; `remote`: one that may end when nobody seems to need it. */
    readonly kind: "local" | "remote" | "unknown";
    /**
     * Keeps a managed remote alive until it is unsubscribed, or the plugin's process ends.
     * @throws BroodError `provider_missing` everywhere else, since nothing there has to be kept alive
     */
    keepAlive(): Promise<Subscription>;
}
export interface SystemUser {
    id: string;
    email: string;
    firstName: string | null;
    lastName: string | null;
    username: string | null;
    workspace: {
        id: string;
        name: string;
        displayName: string;
    } | null;
}

// child/types/thread-messages.d.ts
/** A message of a thread. */
export type ThreadMessage = ThreadUserMessage | ThreadAssistantMessage | ThreadInfoMessage;
export interface ThreadUserMessage {
    role: "user";
    id: string;
    content: (TextContent | ToolResultContent)[];
}
export interface ThreadAssistantMessage {
    role: "assistant";
    id: string;
    content: (TextContent | ThinkingContent | ToolUseContent)[];
}
/** A remark of the host. */
export interface ThreadInfoMessage {
    role: "info";
    id: string;
    content: TextContent[];
}
export interface TextContent {
    type: "text";
    text: string;
}
/** What a model thought before it answered. */
export interface ThinkingContent {
    type: "thinking";
    thinking: string;
}
/** A call of a tool by the model. */
export interface ToolUseContent {
    type: "tool_use";
    id: string;
    name: string;
    input: Record<string, unknown>;
}
/** What became of the tool call with the id `toolUseID`; done, error and cancelled are terminal. */
export interface ToolResultContent {
    type: "tool_result";
    toolUseID: string;
    output?: unknown;
    status: "done" | "error" | "cancelled" | "running" | "pending";
}

// child/types/threads.d.ts
import type { Observable } from "./common.ts";
import type { TextContent, ThreadAssistantMessage, ThreadMessage } from "./thread-messages.ts";
/** Names a thread. */
export interface ThreadReference {
    id: string;
}
/** The thread that the person looks at; subscribers hear the current one first, `null` when there is none. */
export interface ActiveThread extends Observable<ThreadReference | null> {
    readonly current: ThreadReference | null;
}
/** Handles on threads; making one asks nothing, and each call of one that does not exist rejects. */
export interface Threads {
    get(id: string): PluginThread;
}
export type ThreadState = "idle" | "running" | "awaiting-approval" | "error";
/** A value of a thread over time, and as it is now. */
export interface ThreadValue<Value> extends Observable<Value> {
    get(): Promise<Value>;
}
/** A thread of the host. As JSON, and where its members are listed, it is `{ id }`. */
export interface PluginThread {
    readonly id: string;
    /** Null as long as the thread has none. */
    readonly title: ThreadValue<string | null>;
    readonly state: ThreadValue<ThreadState>;
    /** What answers in it, to be run again or extended. */
    agent(): Promise<Agent>;
    /** The thread that it was started from, or null. */
    parentThreadID(): Promise<string | null>;
    /**
     * The last message of the assistant after the newest text of the user, once the thread is idle; at once when it
     * stands there already. Rejects when the thread fails or is cancelled first, or after ten minutes unless said otherwise.
     */
    waitForResponse(options?: {
        timeoutMs?: number;
    }): Promise<ThreadAssistantMessage>;
    cancel(): Promise<void>;
    setVisibility(visibility: "private" | "workspace"): Promise<void>;
    /** Lets others join for so many seconds; null ends it. */
    setMultiplayer(options: {
        ttlSeconds: number | null;
    } | null): Promise<void>;
    /** A page of messages, in the order of the thread. */
    messages(options?: ThreadMessagesOptions): Promise<ThreadMessage[]>;
    append(messages: UserMessageInput[]): Promise<void>;
    /** `steer` asks for the message to be read before the turn under way goes on. */
    appendUserMessage(message: string | UserMessageInput, options?: {
        steer?: boolean;
    }): Promise<void>;
}
/** A message of the user to be added; several blocks are joined, a line each. */
export interface UserMessageInput {
    type: "user-message";
    content: string | TextContent[];
}
/** Which messages of a thread are wanted. */
export interface ThreadMessagesOptions {
    /** Whether long thoughts, tool inputs and tool outputs come whole; each text in them is cut when absent. */
    full?: boolean;
    /** Where `offset` counts from; the newest message when absent. */
    from?: "start" | "end";
    /** How many messages to pass over; 0 when absent. */
    offset?: number;
    /** 10 when absent; a page never has more than 20, whatever is asked. */
    limit?: number;
    /** Only messages of these roles, before anything is counted; all when absent. */
    roles?: ThreadMessage["role"][];
}
/** How an agent is made: a model and instructions, or another agent that it extends. */
export interface AgentDefinition {
    /** Set in the definition of each agent, and of no meaning where one is made, but for a mode that is written out. */
    readonly kind?: "agent-definition" | "builtin-agent";
    /** Of a built-in mode: its key. */
    readonly mode?: string;
    name?: string;
    /** Another agent, or the key of a built-in mode. */
    extends?: string | Agent | AgentDefinition;
    /** `provider/model` */
    model?: string;
    instructions?: string;
    /** All when absent, and nothing is extended. */
    tools?: ToolSelection;
    reasoningEffort?: string;
    oracle?: unknown;
    subagents?: unknown;
    /** A positive integer. */
    compactionThresholdTokens?: number;
    features?: unknown;
    /** Label of at most 24 characters, hexadecimal colour. */
    display?: {
        label?: string;
        color?: string;
    };
}
/**
 * Tools by name or by a pattern with `*` and `?`: exactly these, all, or those of `include` (when absent, of what is
 * extended, else all), then those of `add`, without those of `exclude`.
 */
export type ToolSelection = readonly string[] | "all" | {
    include?: readonly string[] | "all";
    add?: readonly string[];
    exclude?: readonly string[];
};
/** The definition of an agent that a plugin, or the host, made. */
export interface CustomAgentDefinition extends AgentDefinition {
    readonly kind: "agent-definition";
}
/** The definition of a mode that every host has. */
export interface BuiltinAgentDefinition extends AgentDefinition {
    readonly kind: "builtin-agent";
    readonly mode: string;
}
export interface Agent {
    readonly definition: CustomAgentDefinition | BuiltinAgentDefinition;
    createThread(options?: Record<string, unknown>): Promise<PluginThread>;
    run(message: string, options?: Record<string, unknown>): Promise<{
        threadID: string;
        text: string;
    }>;
}
/** An agent mode: an agent under a key that a person can pick. */
export interface AgentMode {
    /** Keys that differ only by case are the same. */
    key: string;
    /** At most 24 characters; `agent.display.label` when absent. */
    label?: string;
    description?: string;
    /** Hexadecimal colour. */
    color?: string;
    agent: Agent | AgentDefinition;
}

// child/types/tools.d.ts
import type { Logger, Subscription } from "./common.ts";
import type { PluginThread } from "./threads.ts";
import type { PluginUI } from "./ui.ts";
/** A function that an agent may call. */
export interface ToolDefinition<Input = Record<string, unknown>> {
    /** Letters, digits, `_` and `-`, at most 128 characters. */
    name: string;
    title?: string;
    /** What a transcript shows while calls of this tool run, and after. */
    transcriptGroup?: {
        active: string;
        complete: string;
    };
    description: string;
    /** A JSON Schema of type object; the host checks each input against it. */
    inputSchema: ToolInputSchema;
    execute(input: Input, context: ToolContext): ToolOutput | Promise<ToolOutput>;
}
/** A JSON Schema whose root is an object. */
export interface ToolInputSchema {
    type: "object";
    properties?: Record<string, unknown>;
    required?: readonly string[];
    [keyword: string]: unknown;
}
/** Text, blocks, or nothing; any other JSON value becomes text of its JSON. */
export type ToolOutput = string | ToolContentBlock[] | object | number | boolean | null | undefined | void;
export type ToolContentBlock = {
    type: "text";
    text: string;
} | {
    type: "image";
    mimeType: string;
    data: string;
} | {
    type: "image";
    mimeType: string;
    url: string;
};
export interface ToolContext {
    ui: PluginUI;
    logger: Logger;
    /** The thread that the tool was called in. */
    thread: PluginThread;
    /**
     * Aborts when the caller gives up, the time is over or the plugin is being stopped. Its `reason` is an error with the
     * name `TimeoutError` or `AbortError`. The call has been given up then, or is about to be: what is still returned is
     * dropped unless the plugin is being stopped, and nothing is killed because of it.
     */
    signal: AbortSignal;
}
/** An entry of the command palette. */
export interface CommandDefinition {
    title: string;
    /** The plugin's name when absent. */
    category?: string;
    description?: string;
    /** Enabled when absent. */
    availability?: CommandAvailability;
}
export type CommandAvailability = {
    type: "enabled";
} | {
    type: "disabled";
    reason: string;
} | {
    type: "hidden";
};
export interface CommandSubscription extends Subscription {
    setAvailability(availability: CommandAvailability): void;
}

// child/types/ui.d.ts
/**
 * Dialogs. The host draws them and answers; where it has nobody to ask, each call rejects with an error that
 * `amp.helpers.isPluginUINotAvailableError` recognises.
 */
export interface PluginUI {
    /** Shows a message; does not wait for anybody to read it. */
    notify(message: string): Promise<void>;
    /** Asks for a line of text; `undefined` when cancelled. */
    input(options?: InputOptions): Promise<string | undefined>;
    /** Asks to edit some fields; the edited text fields by name, `undefined` when cancelled. */
    confirm(options: ConfirmOptions & {
        fields: ConfirmField[];
    }): Promise<Record<string, string> | undefined>;
    /** Asks yes or no; `false` when cancelled. */
    confirm(options: ConfirmOptions): Promise<boolean>;
    /** Asks to choose one; `undefined` when cancelled. */
    select(options: SelectOptions): Promise<string | undefined>;
}
export interface InputOptions {
    title?: string;
    helpText?: string;
    initialValue?: string;
    submitButtonText?: string;
    /**
     * The answer is not echoed, and brood puts `[secret]` in its place, and in that of `initialValue`, in logs, errors and
     * traces of this plugin: a text of 3 to 5 characters where no letter or digit stands beside it, a longer one
     * everywhere, also as JSON, URLs and base64 (plain and URL-safe) write it. Not masked are results of tools and
     * answers of handlers, which arrive as they are, numbers, shorter texts, parts of the answer, and other encodings.
     */
    secret?: boolean;
    /** A name for the asked value, for hosts that fill in known ones. */
    fieldName?: string;
    /** A host must not answer by itself. */
    requireHuman?: boolean;
}
export interface ConfirmOptions {
    title: string;
    message?: string;
    confirmButtonText?: string;
    requireHuman?: boolean;
}
export interface ConfirmField {
    /** `text` when absent; image fields are shown and left out of the answer. */
    type?: "text" | "image";
    name: string;
    label: string;
    /** The text to edit, or the URL of the image. */
    value: string;
    multiline?: boolean;
    optional?: boolean;
}
/** An option as other tools have them. */
export interface SelectOption {
    label: string;
    value?: string;
}
export interface SelectOptions {
    title: string;
    /** What can be chosen; of an object its `value` is shown and answered, or its `label` when it has no value. */
    options: readonly (string | SelectOption)[];
    /** Also accept a typed answer, which is trimmed. */
    allowOther?: boolean;
    message?: string;
    initialValue?: string;
    requireHuman?: boolean;
}

// child/types/webhooks.d.ts
import type { EventContext } from "./events.ts";
export interface Webhook {
    /** 1 to 128 characters, no space at either end. The same key keeps its URL over reloads and restarts. */
    key: string;
    /** Names of the request headers to pass on. */
    headers?: readonly string[];
    /**
     * Handles one event. It is done when this returns; what it throws, or what takes over 30 seconds, is delivered again.
     * Events of one webhook come one at a time, in the order in which they arrived, but that one which waits to be
     * delivered again lets later ones pass. Each may come more than once.
     */
    handler(event: WebhookEvent, context: WebhookHandlerContext): unknown;
}
/** A request that was received. Nothing about it is checked: whoever has the URL may have sent it. */
export interface WebhookEvent {
    /** The same each time that the event is delivered. */
    id: string;
    /** The bytes as they were sent. */
    body: Uint8Array;
    /** Those that were asked for, by lower-case name; several of one name are joined by ", ". */
    headers: Record<string, string>;
    /** What the body holds when it is JSON, else null. */
    payload: unknown;
    /** What the host tells about the event: `attempt`, which counts its deliveries from 1. */
    metadata: Record<string, unknown>;
    /** When the request was received, as ISO 8601. */
    receivedAt: string;
}
export interface WebhookHandlerContext extends EventContext {
    /** Aborts when the time is over or the plugin is being stopped; the event is delivered again then. */
    signal: AbortSignal;
}

// host/base/clock.d.ts
/** Time as the host sees it; tests put another in its place. */
export interface Clock {
    /** Milliseconds on a clock that only goes forward. */
    now(): number;
    /**
     * Runs `action` after `ms` milliseconds unless cancelled first, and never when a timer cannot count so far; does not
     * keep the program alive.
     */
    after(ms: number, action: () => void): () => void;
}
export declare const systemClock: Clock;

// host/base/gate.d.ts
/** Lets a limited number of tasks run at once; the others wait in order. */
export interface Gate {
    /**
     * Runs a task when there is a place for it; one that takes long gives its place to the next.
     *
     * @param waits whether the task only waits at the moment; one that does so for a while needs no place either
     */
    run<Result>(task: () => Promise<Result>, waits?: () => boolean): Promise<Result>;
    /** Whether every place is free. */
    isIdle(): boolean;
    /** Resolves when every place is free; at once when it is so. */
    idle(): Promise<void>;
}
/**
 * Makes a gate for `limit` tasks at once (at least 1), each of which keeps its place for `placeMs` at most. While some that
 * worked for longer still run, each that ends in time makes two places more, up to two for each of them: what is light gets
 * past what is heavy, and what is heavy is not crowded by more of its kind.
 *
 * @param begin runs what begins one that has waited; at once when absent
 */
export declare function createGate(limit: number, placeMs: number, begin?: (next: () => void) => void): Gate;

// host/base/log-filter.d.ts
import type { LogEntry } from "./log.ts";
/** Whether a log entry passes. */
export type LogFilter = (entry: Pick<LogEntry, "plugin" | "level">) => boolean;
/**
 * Reads a filter such as `warn,notes=debug,noisy-*=off`: a level for every plugin, and levels for those whose name fits,
 * where `*` stands for any text. A level lets itself and what is graver pass. Of several that fit the last one counts; a
 * named one counts more than the level for all, which is `debug` when there is none.
 *
 * @throws BroodError `usage` that says what is wrong and what is allowed
 */
export declare function parseLogFilter(text: string): LogFilter;
/** The filter that a variable of the environment holds; one that cannot be used is told to the program, once, and is none. */
export declare function environmentFilter(text: string): LogFilter;

// host/base/log-sink.d.ts
import type { LogEntry } from "./log.ts";
import { type LogFilter } from "./log-filter.ts";
/** Takes the log entries of all plugins, as they come. What it throws, or rejects with, is told once in a plugin's log. */
export type LogSink = (entry: LogEntry) => void;
/**
 * Makes a sink that writes one line of JSON an entry: `time` (ISO 8601), `level`, `plugin`, `source`, `message`. More
 * members may follow in later versions. `level` is `error`, `warn`, `info` or `debug`; what a plugin prints has source
 * `output` and level `info`, by whatever method of `console`, and its `amp.logger` source `plugin` and level `info`.
 *
 * @param write takes a line with its line end; whoever collects lines there flushes them after `host.stop()`
 * @example
 * ```ts
 * const file = Bun.file("plugins.log").writer();
 * const host = await createHost({ log: jsonLog((line) => file.write(line)) });
 * // …
 * await host.stop();
 * await file.end();
 * ```
 */
export declare function jsonLog(write: (line: string) => void): LogSink;
/** A log entry as programs read it. */
export declare function logRecord({ time, level, plugin, source, message }: LogEntry): {
    time: string;
    level: import("../../runtime/protocol.ts").LogLevel;
    plugin: string;
    source: "host" | "output" | "plugin";
    message: string;
};
/** The sink that a host writes to; `BROOD_LOG` filters only what somebody asked for. @throws BroodError `usage` for a filter */
export declare function openSink({ log, logFilter }: {
    log?: LogSink | undefined;
    logFilter?: string | undefined;
}, failed: (plugin: string, message: string) => void): LogSink;
/**
 * Puts a filter before a sink, and keeps what the sink throws, or rejects with, from everybody else.
 *
 * @param failed hears the first failure, and the plugin whose entry it was about
 */
export declare function guardedSink(sink: LogSink, passes: LogFilter, failed: (plugin: string, message: string) => void): LogSink;

// host/base/log.d.ts
import type { Limits } from "../../runtime/limits.ts";
import type { LogLevel } from "../../runtime/protocol.ts";
import { type Redactor } from "../../runtime/redact.ts";
/** One line of a plugin's log. */
export interface LogEntry {
    /** Milliseconds since 1970. */
    time: number;
    plugin: string;
    /**
     * `output`: what the plugin printed; `plugin`: what came from its process as a message, which is its logger and, at
     * `warn` and `error`, brood's own part in there; `host`: what the host says about it.
     */
    source: "output" | "plugin" | "host";
    /** `error`, `warn`, `info` or `debug`. What is printed is `info`, by whatever method of `console`; so is the logger. */
    level: LogLevel;
    /** One line; line ends within it are shown as `\n`, secrets as `[secret]`. */
    message: string;
}
/** The last lines of one plugin, at most `logEntriesMax` of `logLineBytesMax` bytes each: 8 MiB by default. */
export interface PluginLog {
    add(entry: Omit<LogEntry, "time" | "plugin">): LogEntry;
    entries(): LogEntry[];
}
/** Makes the log of one plugin; what the redactor knows to be secret is in no entry. */
export declare function createPluginLog(plugin: string, limits: Limits["text"], redactor?: Redactor): PluginLog;

// host/base/resolve-agent.d.ts
import type { AgentDefinitionParams } from "../../runtime/protocol-providers.ts";
export interface ResolveAgentOptions {
    /** Names of the tools that there are. */
    tools: readonly string[];
    /** The definitions of built-in modes, by key. */
    builtins?: Readonly<Record<string, AgentDefinitionParams>>;
}
/** An agent with all that it extends. */
export interface ResolvedAgent extends Omit<AgentDefinitionParams, "extends" | "tools"> {
    /** In the order in which the host has them. */
    tools: string[];
    /** Names and patterns that no tool of the host has; worth a warning. */
    unmatched: string[];
}
/**
 * Follows what an agent extends and picks its tools. A member of the agent takes the place of the one that it extends,
 * each member of `display` by itself. Pure: nothing is asked, and nothing given is changed.
 *
 * @throws BroodError `usage` when it extends a mode that is not among `builtins`, or itself
 */
export declare function resolveAgent(definition: AgentDefinitionParams, options: ResolveAgentOptions): ResolvedAgent;

// host/calls/answers.d.ts
import type { EventName, Json, JsonObject } from "../../runtime/records.ts";
/** What a handler may answer `tool.call` with. */
export type ToolCallDecision = {
    action: "allow";
} | {
    action: "modify";
    input: JsonObject;
} | {
    action: "reject-and-continue";
    message: string;
} | {
    action: "synthesize";
    result: {
        output: string;
        exitCode?: number;
    };
} | {
    action: "error";
    message: string;
};
export type ToolStatus = "done" | "error" | "cancelled";
export interface ToolOutcome {
    status: ToolStatus;
    output?: Json;
    error?: string;
}
/** What a handler may answer each event with; nothing means that it changes nothing. */
export interface Answers {
    "session.start": undefined;
    "tool.call": ToolCallDecision | undefined;
    "tool.result": ToolOutcome | undefined;
    "agent.start": {
        message: {
            content: string;
            display?: boolean;
        };
    } | undefined;
    "agent.end": {
        action: "continue";
        userMessage: string;
        maxContinuations?: number;
    } | undefined;
    "changes.prompt": {
        append: string;
    } | undefined;
}
/** A checked answer, or what is wrong with it. */
export type CheckedAnswer<Name extends EventName> = {
    answer: Answers[Name];
} | {
    wrong: string;
};
/** Checks the answer of a handler. Nothing and an empty object mean "no change"; the rest must be as documented. */
export declare function checkAnswer<Name extends EventName>(event: Name, answer: Json | undefined): CheckedAnswer<Name>;

// host/calls/budget.d.ts
import type { BackendCallOptions } from "../contracts/backend.ts";
/** The time limit of one call, spent by all that runs in it: gates, the tool, those who see its result. */
export interface Budget {
    /** Limits one part of the call to what is left, or to less. */
    part(signal: AbortSignal | undefined, msMax?: number): BackendCallOptions;
    /** Why the call is given up, once its caller has gone or nothing is left. */
    over(signal: AbortSignal | undefined): Error | undefined;
}
/**
 * Makes the budget of a call; without a limit only its parts have theirs.
 *
 * @throws BroodError `usage` for what is no time
 */
export declare function createBudget(limitMs: number | undefined, facts: CallFacts): Budget;
interface CallFacts {
    plugin: string;
    subject: string;
}
/** The error of a call whose caller gave it up; a BroodError as the reason of the abort is that error. */
export declare function cancelled({ reason }: AbortSignal, facts: {
    plugin?: string;
    subject: string;
}): Error;
/** Refuses what is no time limit; one that no timer can count is none. @throws BroodError `usage` */
export declare function checkTimeout(timeoutMs: number | undefined): void;
export {};

// host/calls/calls.d.ts
import type { Limits } from "../../runtime/limits.ts";
import type { EventName, JsonObject } from "../../runtime/records.ts";
import type { StatusItems } from "../providers/status.ts";
import type { Entry } from "../registry.ts";
import { type Dispatch, type DispatchParts } from "./dispatch.ts";
import type { EmitOptions, EventOutcome } from "./events.ts";
import { type Links } from "./links.ts";
import { type HostStatusItems } from "./status-items.ts";
import type { TurnOptions, TurnOutcome, TurnScript } from "./turn-types.ts";
import { type WebhookCallsParts, type Webhooks } from "./webhooks.ts";
/** What a program may ask the plugins of a host to do. */
export interface Calls {
    readonly tools: {
        list(): readonly Entry<"tool">[];
        call: Dispatch["callTool"];
    };
    /** The palette: each command with its availability, also those that are disabled or hidden. */
    readonly commands: {
        list(): readonly Entry<"command">[];
        run: Dispatch["runCommand"];
    };
    readonly links: Links;
    readonly statusItems: HostStatusItems;
    readonly webhooks: Webhooks;
    /**
     * Lets every handler of an event see it and merges their answers. An event whose data names no thread is one of the
     * active thread, or of a new one when none is active.
     */
    emit(event: EventName, data?: JsonObject, options?: EmitOptions): Promise<EventOutcome>;
    /**
     * Plays a whole turn of an agent: session.start, agent.start, for each tool tool.call, the tool and tool.result, then
     * agent.end, and another round as long as a plugin wants to continue, at most `limits.call.turnRoundsMax`.
     *
     * @throws BroodError `usage` for a script that cannot be played; what plugins do wrong is told in the outcome
     */
    turn(script: TurnScript, options?: TurnOptions): Promise<TurnOutcome>;
}
export interface CallsParts extends DispatchParts {
    webhooks: WebhookCallsParts["webhooks"];
    limits: Limits;
    statusItems: StatusItems;
    /** Does the task while the host runs. @throws BroodError `host_stopped` */
    running<Result>(task: () => Promise<Result>): Promise<Result>;
}
export declare function createCalls(parts: CallsParts): Calls;

// host/calls/dispatch.d.ts
import type { ContentBlock, JsonObject } from "../../runtime/records.ts";
import type { ThreadReference } from "../../runtime/threads.ts";
import type { Backend } from "../contracts/backend.ts";
import { type Registry } from "../registry.ts";
import type { Events } from "./events.ts";
export interface CallOptions {
    /** Aborting it cancels the call; the plugin's handler is told. */
    signal?: AbortSignal;
    /** Milliseconds until the call is given up, gates counted and dialogs not; none when absent. */
    timeoutMs?: number;
    /** The thread that the call belongs to; when absent the active one, else a new one for a tool and none for a command. */
    threadID?: string;
}
export interface ToolCallOptions extends CallOptions {
    /** Whether plugins see `tool.call` and `tool.result`, as with an agent's call; yes when absent. */
    events?: boolean;
}
/** What a tool call came to. A call that the plugin answered with an error, or that a gate stopped, is not ok. */
export interface ToolResult {
    ok: boolean;
    /** The text blocks, joined. */
    text: string;
    content: ContentBlock[];
    /** Who gave the result: the tool's plugin, or the gate that answered in its place. */
    plugin: string;
    /** Milliseconds. */
    ms: number;
    error?: Error;
}
export interface CommandResult {
    ok: boolean;
    plugin: string;
    /** Milliseconds. */
    ms: number;
    error?: Error;
}
export interface DispatchParts {
    registry: Registry;
    events: Events;
    checkInputs: boolean;
    /** The thread of calls that name none. */
    activeThread?: () => ThreadReference | null;
    /** The plugins that serve nobody now, and the state of each. */
    absent(): {
        plugin: string;
        state: string;
    }[];
    /** Tells a plugin's log what is wrong with it. */
    problem(plugin: string, text: string): void;
    use<Result>(plugin: string, task: (backend: Backend) => Promise<Result>): Promise<Result>;
}
/** Finds who has a tool or command, and calls it. */
export interface Dispatch {
    /** @throws BroodError when the call could not be made or not be ended: not found, invalid input, timeout, crash */
    callTool(name: string, input: JsonObject, options?: ToolCallOptions): Promise<ToolResult>;
    /** `id` alone, or `plugin:id` where several plugins have it. @throws BroodError likewise */
    runCommand(id: string, options?: CallOptions): Promise<CommandResult>;
}
export declare function createDispatch(parts: DispatchParts): Dispatch;

// host/calls/events.d.ts
import type { Limits } from "../../runtime/limits.ts";
import type { EventName, Json, JsonObject } from "../../runtime/records.ts";
import type { Backend } from "../contracts/backend.ts";
import type { Registry } from "../registry.ts";
import { type ToolCallDecision, type ToolOutcome } from "./answers.ts";
import { type Budget } from "./budget.ts";
/** What came of one event. */
export interface EventOutcome {
    event: EventName;
    /** Every handler that saw it, in the order of rank and registration. */
    handlers: HandlerReport[];
    /** The answers as one; null when nobody changed anything. Its form depends on the event. */
    result: Json;
}
export interface HandlerReport {
    plugin: string;
    /** What it answered; absent when nothing. */
    result?: Json;
    error?: {
        code: string;
        message: string;
    };
    /** Milliseconds. */
    ms: number;
}
export interface EmitOptions {
    signal?: AbortSignal | undefined;
    /** Milliseconds that each handler has; `limits.call.eventHandlerMs` when absent. */
    timeoutMs?: number | undefined;
}
/** How the events of one tool call run. */
export interface CallEventOptions {
    signal: AbortSignal | undefined;
    /** What is left of the call's time. */
    budget: Budget;
}
/** Lets plugins see events and merges what they answer. */
export interface Events {
    emit(event: EventName, data: JsonObject, options?: EmitOptions): Promise<EventOutcome>;
    /** Whether any plugin hears an event. */
    isHeard(event: EventName): boolean;
    /** Asks all gates of a tool call. */
    toolCall(payload: JsonObject, options: CallEventOptions): Promise<EventOutcome & {
        decision: Decided;
    }>;
    /** Lets all plugins see, and change, the result of a tool call. */
    toolResult(payload: JsonObject, outcome: ToolOutcome, options: CallEventOptions): Promise<ToolOutcome>;
}
/** A decision and who made it; nobody when it is the default. */
export type Decided = ToolCallDecision & {
    plugin: string | undefined;
};
export interface EventParts {
    registry: Registry;
    limits: Limits["call"];
    /** What a `tool.call` handler that fails means. */
    toolCallFailure: "reject" | "allow";
    /** Uses the running instance of a plugin. */
    use<Result>(plugin: string, task: (backend: Backend) => Promise<Result>): Promise<Result>;
    /** Tells a plugin's log what is wrong with it; as a warning, when no level says otherwise. */
    problem(plugin: string, text: string, level?: "error"): void;
    /** The folder that holds the files of a plugin. */
    root(plugin: string): string;
}
export declare function createEvents(parts: EventParts): Events;

// host/calls/links.d.ts
import type { Limits } from "../../runtime/limits.ts";
import type { Backend } from "../contracts/backend.ts";
import { type Entry, type Registry } from "../registry.ts";
/** A part of a text that a link pattern of a plugin makes a link. */
export interface FoundLink {
    text: string;
    /** Where it begins and ends in the text, in UTF-16 code units as of `slice`. */
    start: number;
    end: number;
    /** Begins with http://, https:// or a single slash. */
    href: string;
    plugin: string;
    /** Of the pattern. */
    id: string;
}
export interface Links {
    list(): readonly Entry<"link">[];
    /**
     * Finds the links of a text, from left to right and none over another: where several patterns match, the one that
     * begins first counts, of those the longest, of those that of the better rank. The patterns run in the processes of
     * their plugins; one that takes longer than `limits.call.linkResolveMs` is left out, and its plugin is told in its log
     * and not asked again for `limits.call.linkPauseMs`.
     *
     * @throws BroodError `usage` for a text of more than `limits.text.linkTextCharsMax` characters
     */
    resolve(text: string, options?: {
        signal?: AbortSignal | undefined;
    }): Promise<FoundLink[]>;
}
export interface LinksParts {
    registry: Registry;
    limits: Limits;
    use<Result>(plugin: string, task: (backend: Backend) => Promise<Result>): Promise<Result>;
    /** Tells a plugin's log what is wrong with it. */
    problem(plugin: string, text: string): void;
}
/** Resolves links by the patterns that plugins have registered. */
export declare function createLinks({ registry, limits, use, problem }: LinksParts): Links;
/** Keeps of what overlaps the leftmost, then the longest, then the first; `found` is in the order of rank. */
export declare function withoutOverlaps(found: FoundLink[]): FoundLink[];

// host/calls/skills.d.ts
import type { Limits } from "../../runtime/limits.ts";
import type { Entry, Registry } from "../registry.ts";
import type { SkillFile } from "../sources/skill-files.ts";
export type { SkillFile } from "../sources/skill-files.ts";
/** The skills of all plugins. Only their names and descriptions are kept; the rest is read when it is asked for. */
export interface Skills {
    /** What can be used; `key` is `<plugin>:<skill>`. */
    list(): readonly Entry<"skill">[];
    /**
     * The text of its SKILL.md as it is now, without the front matter and the blank lines after that.
     *
     * @throws BroodError `skill_not_found`, `skill_unreadable`
     */
    read(name: string): Promise<string>;
    /**
     * The files directly in its folders `assets`, `references` and `scripts`, sorted by path. A link counts as what it
     * leads to, and is left out when that is not in the plugin's folder.
     *
     * @throws BroodError `skill_not_found`, `skill_unreadable`
     */
    files(name: string): Promise<SkillFile[]>;
    /**
     * The bytes of one of these files, by its path such as `scripts/check.sh`.
     *
     * @throws BroodError `skill_not_found`, or `skill_unreadable` also for a path that leads elsewhere
     */
    readFile(name: string, path: string): Promise<Uint8Array>;
}
interface Parts {
    registry: Registry;
    limits: Pick<Limits["text"], "skillFileBytesMax" | "skillFilesMax">;
    /** The folder of a plugin. */
    root(plugin: string): string;
}
export declare function createSkills({ registry, limits, root }: Parts): Skills;

// host/calls/status-items.d.ts
import type { Subscription } from "../../runtime/disposable.ts";
import type { OwnedStatusItem, StatusItems } from "../providers/status.ts";
import type { CallOptions, CommandResult, Dispatch } from "./dispatch.ts";
/** What it means that a person chose a status item: a command that ran, a URL for the host to open, or nothing. */
export type ActivatedStatusItem = {
    type: "command";
    id: string;
    result: CommandResult;
} | {
    type: "url";
    url: string;
} | {
    type: "none";
};
export interface HostStatusItems {
    list(): OwnedStatusItem[];
    /** Hears all items after each change of one. */
    onChange(listener: (items: OwnedStatusItem[]) => void): Subscription;
    /**
     * A person chose an item. One with `command:ID` runs that command of its plugin; any other URL is handed back as the
     * plugin gave it, so look at it before it is opened.
     *
     * @throws BroodError `usage` where the plugin shows no such item, and what `commands.run` throws
     */
    activate(plugin: string, id: number, options?: CallOptions): Promise<ActivatedStatusItem>;
}
export declare function createHostStatusItems(items: StatusItems, dispatch: Dispatch): HostStatusItems;

// host/calls/turn-types.d.ts
import type { Json, JsonObject } from "../../runtime/records.ts";
import type { HandlerReport } from "./events.ts";
/** A turn of an agent as it is to be played: what the person says, which tools the agent calls, how it ends. */
export interface TurnScript extends TurnRound {
    /** What the person says. */
    message: string;
    /** The id of its thread; when absent the active one, else a new one. */
    thread?: string;
    /** Whether the session starts with it; yes when absent. */
    session?: boolean;
    /** What the agent does each time that a plugin makes the turn go on; nothing where there are fewer. */
    rounds?: TurnRound[];
}
/** What the agent does between `agent.start` and `agent.end`. */
export interface TurnRound {
    start?: {
        /** What must hold of the step's outcome; a text is a message with that content. */
        expect?: {
            messages?: (string | JsonObject)[];
        };
    };
    tools?: TurnTool[];
    /** What the agent says at the end, for the messages that `agent.end` carries. */
    reply?: string;
    end?: {
        /** `done` when absent; `error` where a gate ends the turn. */
        status?: TurnEndStatus;
        expect?: ExpectedEnd;
    };
}
/** A tool that the agent calls. What the script says it answers is taken; else the plugin's own tool of that name runs. */
export interface TurnTool {
    tool: string;
    input?: JsonObject;
    /** Its output, as if the tool had run. */
    result?: Json;
    /** Its error, as if the tool had run. */
    error?: string;
    /** What must hold of the outcome, after `tool.result`. */
    expect?: ExpectedTool;
}
export type ExpectedTool = {
    decision?: ToolDecision;
    /** The plugin that decided. */
    gate?: string;
    /** What of the input the tool really got. */
    input?: JsonObject;
    source?: ToolSource;
    status?: TurnStatus;
    output?: Json;
    error?: string;
};
/** What must hold of how a round ends. */
export type ExpectedEnd = {
    status?: TurnEndStatus;
    /** The message with which the gate that ended the turn did so. */
    error?: string;
    /** What a plugin wants the turn to go on with, or false where none does. */
    continue?: string | false;
    /** The plugin that wants it. */
    plugin?: string;
};
export type TurnStatus = "done" | "error" | "cancelled";
/** How an agent ends a turn; `interrupted` is Amp's word for one that the person ended. */
export type TurnEndStatus = "done" | "error" | "interrupted" | "cancelled";
export type ToolDecision = "allow" | "modify" | "reject-and-continue" | "synthesize" | "error";
/** Who gave a tool's result: its plugin, the script, the gate that stopped the call; or nobody, which is an empty output. */
export type ToolSource = "plugin" | "script" | "gate" | "nobody";
/** One step of a played turn. `outcome` is what `expect` is compared with. */
export interface TurnStep {
    step: "session.start" | "agent.start" | "tool.call" | "tool.result" | "agent.end";
    /** Counts from 1; each continuation is a round of its own. */
    round: number;
    /** The name of the tool, where the step is about one. */
    tool?: string;
    /** What each handler of the event answered. */
    handlers: HandlerReport[];
    outcome: JsonObject;
    /** Where the outcome is not what the script expects; absent where it expects nothing. */
    mismatches?: TurnMismatch[];
}
/** A member that is not as expected; `actual` is absent where there is none. */
export interface TurnMismatch {
    /** As in `messages[0].content`. */
    path: string;
    expected: Json;
    actual?: Json;
}
/**
 * What went wrong in a turn: a handler or tool that failed, an expectation not met, rounds not played or one too many,
 * and what else of the script was not played since a gate ended the turn.
 */
export interface TurnFailure {
    kind: "handler" | "tool" | "expectation" | "rounds" | "steps";
    /** The number of the step, from 1; absent where it is about the whole turn. */
    step?: number;
    plugin?: string;
    message: string;
}
/** What came of a played turn. */
export interface TurnOutcome {
    /** Whether nothing failed. */
    ok: boolean;
    thread: string;
    rounds: number;
    steps: TurnStep[];
    failures: TurnFailure[];
}
export interface TurnOptions {
    signal?: AbortSignal | undefined;
    /** Milliseconds that each handler and each tool has. */
    timeoutMs?: number | undefined;
    /** Hears each step as it is done. */
    onStep?: ((step: TurnStep, number: number) => void) | undefined;
}

// host/calls/webhooks.d.ts
import type { Limits } from "../../runtime/limits.ts";
import type { ThreadReference } from "../../runtime/threads.ts";
import type { Backend } from "../contracts/backend.ts";
import type { HostWebhook, KnownWebhook } from "../providers/webhooks/service.ts";
import type { CallOptions } from "./dispatch.ts";
/** The webhooks of a host. */
export interface Webhooks {
    /**
     * Those that plugins have asked for since the host began, by plugin, in the order in which they asked; with their
     * URLs, which are secrets.
     */
    list(): Promise<HostWebhook[]>;
    /**
     * Hands an event to the handler of a webhook now, as a request with this body and these headers would be: the handler
     * gets the same event and context, and has `limits.webhooks.handlerMs`. No listener and no queue takes part: the event
     * does not wait for others, is not counted, and is not delivered again.
     *
     * @param key of the webhook, or `plugin:key` where several plugins have it
     * @throws BroodError when it could not be handed over or the handler came to no end: `webhook_not_found`, `usage` for
     * what no request could hold, `timeout`, `plugin_exited`, `plugin_not_ready`
     */
    deliver(key: string, event?: WebhookContent, options?: CallOptions): Promise<WebhookResult>;
}
/** What a request to a webhook brings. */
export interface WebhookContent {
    /** A text is sent as UTF-8; nothing when absent. At most `limits.webhooks.bodyBytesMax`. */
    body?: string | Uint8Array;
    /** All of the request; the handler gets those that the webhook asked for. */
    headers?: Record<string, string> | [name: string, value: string][];
    /** Of the event; a new one when absent. Give it again to see what the handler does with an event that comes twice. */
    id?: string;
    /** Which delivery of the event this is; 1 when absent. */
    attempt?: number;
}
/** What became of an event. Where the handler threw, it is not ok. */
export interface WebhookResult {
    ok: boolean;
    plugin: string;
    key: string;
    /** Milliseconds. */
    ms: number;
    error?: Error;
}
export interface WebhookCallsParts {
    webhooks: {
        list: Webhooks["list"];
        known(): KnownWebhook[];
    };
    limits: Limits;
    activeThread?: () => ThreadReference | null;
    /** The plugins that serve nobody now, and the state of each. */
    absent(): {
        plugin: string;
        state: string;
    }[];
    use<Result>(plugin: string, task: (backend: Backend) => Promise<Result>): Promise<Result>;
}
export declare function createWebhookCalls(parts: WebhookCallsParts): Webhooks;

// host/contracts/agents.d.ts
import type { AgentDefinitionParams, AgentRunResult, ToolSelectionParams } from "../../runtime/protocol-providers.ts";
import type { JsonObject } from "../../runtime/records.ts";
import type { ThreadReference } from "../../runtime/threads.ts";
import type { AskContext } from "./ask-context.ts";
/** An agent as a plugin defined it, checked; `resolveAgent` follows what it extends and picks its tools. */
export type AgentDefinition = AgentDefinitionParams;
export type ToolSelection = ToolSelectionParams;
/** Runs the agents of plugins. What it answers is checked; one that rejects fails that one call of the plugin. */
export interface AgentsProvider {
    /** Gives the agent a message in a thread of its own, and answers when it is done. */
    run(request: AgentRunRequest, context: AskContext): Promise<AgentRunResult>;
    /** Makes a thread that the agent will answer in: one that the threads provider knows. */
    createThread(request: AgentThreadRequest, context: AskContext): Promise<ThreadReference>;
}
export interface AgentThreadRequest {
    definition: AgentDefinition;
    /** What else the plugin passed. */
    options: JsonObject;
}
export interface AgentRunRequest extends AgentThreadRequest {
    message: string;
}

// host/contracts/ai.d.ts
import type { Json, JsonObject } from "../../runtime/records.ts";
import type { AskContext } from "./ask-context.ts";
/**
 * Answers plugins' questions to a model. What it answers is checked; one that rejects, or answers something else, fails
 * that one call of the plugin. An answer has `limits.ai.answerMs`, after which the signal aborts.
 */
export interface AIProvider {
    /** Judges a question that can be answered with yes or no. */
    ask(request: AskRequest, context: AskContext): Promise<AIAnswer>;
    /**
     * A text; with a schema in the request an object that fits it. For one that does not fit, this is called once more
     * with `problems` set.
     */
    generate(request: GenerateRequest, context: AskContext): Promise<Json>;
}
/** What a plugin may say with a question or a prompt. */
export interface AIRequestOptions {
    /** The thread that it is about. */
    threadID?: string;
    /** `provider/model`, or a name that the provider knows; the provider's own choice when absent. */
    model?: string;
    reasoningEffort?: string;
    /** Instructions that stand before the question or prompt. */
    system?: string;
    /** A positive integer. */
    maxTokens?: number;
}
export interface AskRequest extends AIRequestOptions {
    question: string;
}
export interface GenerateRequest extends AIRequestOptions {
    prompt: string;
    schema?: GenerateSchema;
    /** Where the answer before this one did not fit the schema, a clause each. */
    problems?: string[];
}
/** The object that is asked for. */
export interface GenerateSchema {
    /** 1 to 64 letters, digits, `_` or `-`. */
    name: string;
    description?: string;
    /** Of type object, with the members that the plugin named and no other. */
    jsonSchema: JsonObject;
}
export interface AIAnswer {
    result: "yes" | "no" | "uncertain";
    /** That the answer is yes, from 0 to 1. */
    probability: number;
    reason: string;
}

// host/contracts/ask-context.d.ts
/** Who asks, and until when. */
export interface AskContext {
    /** Name of the plugin. */
    plugin: string;
    /** Aborts when nobody waits for the answer any more: the plugin went away, its call was cancelled, the host stops. */
    signal: AbortSignal;
}

// host/contracts/attachments.d.ts
import type { AskContext } from "./ask-context.ts";
/** Keeps images of plugins where a URL leads to them. An upload has `limits.attachments.uploadMs`. */
export interface AttachmentsProvider {
    /** Answers with an http or https URL. */
    upload(attachment: UploadRequest, context: AskContext): Promise<{
        url: string;
    }>;
}
/** An image within the limits for bytes and size; its bytes are those of the type it says. */
export interface UploadRequest {
    data: Uint8Array;
    /** `image/png`, `image/jpeg`, `image/gif` or `image/webp`. */
    mimeType: string;
    /** Pixels. */
    width: number;
    /** Pixels. */
    height: number;
}

// host/contracts/backend.d.ts
import type { ExitFacts } from "../../runtime/errors.ts";
import type { LinkMatch, LogLevel } from "../../runtime/protocol.ts";
import type { ContentBlock, EventName, Items, Json, JsonObject, Kind } from "../../runtime/records.ts";
import type { WebhookDelivery } from "./webhooks.ts";
/**
 * One running plugin. A backend knows a protocol; it knows neither the registry nor when to start again.
 * It is used for one launch and never again after its exit.
 */
export interface Backend {
    readonly pid: number | null;
    /** Spawns, loads and fetches. @throws BroodError when the load fails; the process may then still run */
    start(signal: AbortSignal): Promise<Capabilities>;
    /** @throws BroodError, or the plugin's own error */
    call(call: BackendCall, options: BackendCallOptions): Promise<{
        content: ContentBlock[];
    }>;
    /** Lets one handler of the plugin see an event. @returns its answer, unchecked */
    emit(event: BackendEvent, options: BackendCallOptions): Promise<Json | undefined>;
    /** Lets all link patterns of the plugin look at a text. @returns what they find, pattern by pattern, unchecked */
    links(text: string, options: BackendCallOptions): Promise<LinkMatch[]>;
    /** The files that it has loaded, those of packages left out; more of them are told by `loadedMore`. */
    modules(): Promise<string[]>;
    /** Asks the plugin to run its dispose callbacks; resolves when they have settled. */
    dispose(signal: AbortSignal): Promise<void>;
    /** Signals the whole process group; `why` is told by whatever this ends, as "the host stopped it". */
    kill(signal: "SIGINT" | "SIGKILL", why?: string): void;
    /** Resolves once, with how the process ended; at once when it never started. */
    readonly exited: Promise<ExitFacts>;
    /** What else there is to say about it, for `info`. */
    facts(): BackendFacts;
}
export type BackendCall = {
    kind: "tool";
    name: string;
    input: JsonObject;
    threadID: string;
} | {
    kind: "command";
    id: string;
    threadID: string | null;
} | {
    kind: "webhook";
    key: string;
    event: WebhookDelivery;
    threadID: string;
};
export interface BackendEvent {
    name: EventName;
    handler: number;
    payload: JsonObject;
}
export interface BackendCallOptions {
    signal?: AbortSignal | undefined;
    /** Milliseconds; time in which a dialog of this call is on screen does not count. None when absent. */
    timeoutMs?: number | undefined;
    /** The limit that the caller gave, for the message, where `timeoutMs` is what is left of it. */
    limitMs?: number | undefined;
    /** Hears, as the call ends, how many milliseconds of `timeoutMs` it took. */
    spent?: ((ms: number) => void) | undefined;
}
/** Everything that a plugin has registered. */
export type Capabilities = {
    [K in Kind]: Items[K][];
};
/** What a backend tells while it runs. */
export interface BackendEvents {
    /** A fact of the load was reached; `ms` since the spawn, which for `found` may lie some time back. */
    fact(name: LoadFact, ms: number): void;
    /** After the load: items of one kind, fetched anew. */
    changed<K extends Kind>(kind: K, items: Items[K][]): void;
    /** To whoever has asked for its modules: it has loaded more. */
    loadedMore(): void;
    log(entry: BackendLog): void;
    /** It has stopped answering for a while, or answers again. */
    responsive(isResponsive: boolean): void;
}
/** The facts of a load, in order; none stands in for another. */
export declare const loadFacts: readonly ["found", "spawned", "clientInfo", "imported", "activated", "registered", "ready", "published"];
export type LoadFact = (typeof loadFacts)[number];
export interface BackendLog {
    /** `output`: what the plugin printed; `plugin`: its logger; `host`: what brood says about it. */
    source: "output" | "plugin" | "host";
    level: LogLevel;
    message: string;
}
export interface BackendFacts {
    /** How the process was started, for people: `source`, `compiled`, … */
    form: string;
    /** How the wire is kept from the plugin: `socket`; over stdin and stdout `descriptors`, or `console` where descriptors cannot be moved. */
    guard: string | null;
    runtimeVersion: string | null;
    /** There when the process had been started before there was a plugin for it. */
    spare?: true;
}
/** No capabilities: what a plugin has before it is published. */
export declare function noCapabilities(): Capabilities;

// host/contracts/configuration.d.ts
import type { JsonObject } from "../../runtime/records.ts";
import type { AskContext } from "./ask-context.ts";
/**
 * Settings of the workspace and the user. What is left out beside `get` rejects with `provider_missing` where a plugin
 * calls it. Each answer has `limits.configuration.answerMs`.
 */
export interface ConfigurationProvider {
    /** All layers merged. @throws BroodError `invalid_settings` with file, line and column */
    get(context: AskContext): Promise<JsonObject>;
    /** Sets these top-level keys of one layer, and leaves its others. @throws BroodError `invalid_settings` */
    update?(partial: JsonObject, target: ConfigurationTarget, context: AskContext): Promise<void>;
    /** Removes a top-level key from one layer; one that is not there is no error. @throws BroodError `invalid_settings` */
    delete?(key: string, target: ConfigurationTarget, context: AskContext): Promise<void>;
    /**
     * Tells of each change until the subscription ends, which it does with the plugin's interest or its process. Values
     * that equal the one before may be told; what the settings are at first is asked by `get`.
     */
    subscribe?(listener: ConfigurationListener, context: AskContext): Subscription | Promise<Subscription>;
}
/** The layer that is changed: the settings of the workspace, or those of the user. */
export type ConfigurationTarget = "workspace" | "global";
export interface ConfigurationListener {
    /** All layers merged, as they are now. */
    next(settings: JsonObject): void;
    /** The settings cannot be read now; the plugin keeps the last ones, and its log tells why. */
    error(reason: unknown): void;
}
interface Subscription {
    unsubscribe(): void;
}
export {};

// host/contracts/enablement.d.ts
import type { PluginKey } from "../spec.ts";
/**
 * Keeps beyond one host which plugins were switched on and off. Plugins that `plugins` names are not asked about: a path
 * that is given always runs.
 */
export interface EnablementStore {
    /**
     * Whether each of these was switched on, or off, in their order; `undefined` for one that was not, and amp plugins are
     * then on. When it rejects none of them starts: each is `disabled`, with the reason as its error.
     */
    read(plugins: readonly PluginKey[]): Promise<readonly (boolean | undefined)[]>;
    /** Keeps that these are on, or off: all of them, or none when it rejects. */
    write(plugins: readonly PluginKey[], enabled: boolean): Promise<void>;
}

// host/contracts/executor.d.ts
import type { AskContext } from "./ask-context.ts";
/** Where the plugins of this host run, for whoever has to keep that machine awake. */
export interface ExecutorProvider {
    /** Told to plugins as they start. `local`: the person's own machine, which nobody has to keep alive. */
    readonly kind: "local" | "remote" | "unknown";
    /**
     * Keeps the executor alive until what this gives is unsubscribed: by the plugin, or by brood once the plugin's process
     * has ended, in whatever way. A plugin may ask several times; each stands by itself. What it rejects with reaches the
     * plugin, and so does `provider_missing` where this is left out, which is right wherever nothing ends by being idle. An
     * answer has `limits.executor.answerMs`; one that comes later, or for a process that has ended, is unsubscribed at once.
     */
    keepAlive?(context: AskContext): KeptAlive | Promise<KeptAlive>;
}
/** Undoes one `keepAlive`; called once. What it throws, or rejects with, stands in the log of the plugin. */
export interface KeptAlive {
    unsubscribe(): void | Promise<void>;
}

// host/contracts/findings.d.ts
import type { Json } from "../../runtime/records.ts";
/** How grave a finding is; only a `problem` keeps something from working. */
export type FindingStatus = "ok" | "note" | "warning" | "problem";
/** What a diagnosis says of one thing that it has looked at. */
export interface Finding {
    /** The check, such as `places`; several findings may be of one. */
    name: string;
    status: FindingStatus;
    /** One sentence. */
    message: string;
    /** What to do about it. */
    hint?: string;
    details?: FindingDetail[];
}
/** One thing that a finding is about: a line for people, and facts for programs. */
export interface FindingDetail {
    text: string;
    [fact: string]: Json;
}

// host/contracts/options.d.ts
import type { LimitOverrides } from "../../runtime/limits.ts";
import type { Frame } from "../../runtime/peer.ts";
import type { EnablementStore } from "./enablement.ts";
import type { Providers } from "./providers.ts";
/** What a program that embeds brood may decide. */
export interface HostOptions {
    /** Where the workspace is looked for; the working directory when absent. */
    cwd?: string;
    /** Plugin files, or directories of a plugin or of plugins; they come before every place. */
    plugins?: string[];
    /** Whether the places of the project and the user are looked at too; yes when absent. */
    places?: boolean;
    /** Who answers what plugins ask for. */
    providers?: Providers;
    /**
     * Keeps which plugins were switched on and off; when absent the file of the user that `brood on` and `brood off` write,
     * `$XDG_STATE_HOME/brood/plugins.json`. With `false` every plugin that is found starts, and nothing is kept.
     */
    enablement?: EnablementStore | false;
    /** Other bounds than the defaults. */
    limits?: LimitOverrides;
    /** The environment of plugins; as in Amp, that of the host when absent. */
    env?: EnvironmentOption;
    launch?: LaunchOption;
    /** Which plugins may have packages fetched that they import and nobody installed; none when absent. */
    install?: InstallOption;
    /**
     * So many processes wait for a plugin, each a Bun of some megabytes that is woken about once a second; none when absent.
     * A plugin that is enabled, reloaded, or started again after a crash then loads in a fraction of the time. Each serves
     * one plugin in its life and is replaced while no plugin starts. What needs another command is started as ever: the
     * `custom` form of `launch`, and plugins that may have packages fetched.
     */
    warm?: number;
    /** What it means for a tool call when a gate fails; it is rejected when absent. */
    toolCallFailure?: "reject" | "allow";
    /** Whether tool inputs are checked against their schema before the call; yes when absent. */
    checkInputs?: boolean;
    /** How the host calls itself to plugins. */
    client?: {
        name: string;
        version: string;
        url?: string;
    };
    /** The plugin that a debugger is to look into; none when absent. */
    inspect?: InspectOption;
    /** Whether signals and the end of the program stop the plugins; yes when absent. */
    endWithProgram?: boolean;
    /** Sees every message on the wire of every plugin, with what is known to be secret as `[secret]`. */
    wire?: (plugin: string, frame: Frame) => void;
}
/** How a host wants its children made; the default fits both a source and a compiled host. */
export type LaunchOption = 
/** A compiled host runs itself as plain Bun with the text of `brood/child.js`. */
{
    form: "be-bun";
    childSource: string;
}
/** Another child, for tests: this command, followed by the plugin's path. */
 | {
    form: "custom";
    command: string[];
};
/**
 * Opens Bun's debugger in each process of one plugin, in none of another and in none that waits for a plugin. What stands
 * still at a breakpoint is not late: the plugin may take any time to become ready, to answer, and to finish calls after a
 * reload, and need not show that it lives. Where another command runs plugins, as with the `custom` form, nothing listens.
 */
export interface InspectOption {
    /** Its name. */
    plugin: string;
    /** Where the debugger of the next process listens, as `bun --inspect` takes it; while it is reloaded, two run at once. */
    listen(): string;
    /**
     * Whether each process waits for a debugger, and stops at its first line; no when absent. `createHost` then resolves
     * without this plugin, which is `starting` until a debugger has let it go on.
     */
    break?: boolean;
}
/**
 * Which plugins may have packages fetched: all, none, or those named here by their names. Bun takes a package from
 * node_modules where it is there, else from its own cache, else from the registry that .npmrc and the plugin's
 * environment name, in the version of package.json and bun.lock; nothing is written to the plugin's folder. A compiled
 * host can do so where it starts plugins as plain Bun, and waits until it can.
 */
export type InstallOption = "auto" | "off" | Record<string, "auto" | "off">;
/** Which variables a plugin inherits: all of the host's, a short list, or exactly these. */
export type EnvironmentOption = "inherit" | "minimal" | Record<string, string>;

// host/contracts/providers.d.ts
import type { User } from "../../runtime/protocol.ts";
import type { AgentsProvider } from "./agents.ts";
import type { AIProvider } from "./ai.ts";
import type { AskContext } from "./ask-context.ts";
import type { AttachmentsProvider } from "./attachments.ts";
import type { ConfigurationProvider } from "./configuration.ts";
import type { ExecutorProvider } from "./executor.ts";
import type { ThreadsProvider } from "./threads.ts";
import type { WebhooksProvider } from "./webhooks.ts";
export type * from "./agents.ts";
export type * from "./ai.ts";
export type { AskContext } from "./ask-context.ts";
export type * from "./attachments.ts";
export type * from "./configuration.ts";
export type * from "./executor.ts";
export type * from "./threads.ts";
export type * from "./webhooks.ts";
/** What a host answers plugins with. Each member may be left out; what needs it then fails with `provider_missing`. */
export interface Providers {
    ui?: UIProvider;
    system?: SystemProvider;
    /** When absent, the machine of the person, which nobody has to keep alive. */
    executor?: ExecutorProvider;
    /** When absent, the settings files of the workspace and the user. */
    configuration?: ConfigurationProvider;
    /** When absent, a server that speaks OpenAI's protocol, where the variable BROOD_AI_URL names one. */
    ai?: AIProvider;
    attachments?: AttachmentsProvider;
    agents?: AgentsProvider;
    /** When absent, a store in memory, which is `host.threads`. */
    threads?: ThreadsProvider;
    /** When absent, a listener on 127.0.0.1 with a queue in a file of the user: `loopbackWebhooks()`. */
    webhooks?: WebhooksProvider;
}
/**
 * Draws dialogs. Text arrives cleaned: no control characters, at most `limits.text.uiTextCharsMax` characters.
 * A method that cannot ask rejects with `ui_not_available`; `undefined` means that the person cancelled.
 */
export interface UIProvider {
    /** Whether somebody is there to answer; told to plugins as they start. */
    readonly available: boolean;
    notify(request: NotifyRequest, context: AskContext): Promise<void>;
    input(request: InputRequest, context: AskContext): Promise<string | undefined>;
    confirm(request: ConfirmRequest, context: AskContext): Promise<boolean | undefined>;
    /** A confirm dialog with fields: the edited text fields by name. */
    form(request: FormRequest, context: AskContext): Promise<Record<string, string> | undefined>;
    select(request: SelectRequest, context: AskContext): Promise<string | undefined>;
}
export interface NotifyRequest {
    message: string;
}
export interface InputRequest {
    title?: string;
    helpText?: string;
    initialValue?: string;
    submitButtonText?: string;
    /**
     * The answer must not be shown. brood puts `[secret]` in its place, and in that of `initialValue`, in the log, the
     * errors and the trace of the plugin: a text of 3 to 5 characters where no letter or digit stands beside it, a longer
     * one everywhere, also as JSON, URLs and base64 (plain and URL-safe) write it. Not masked are results of tools and
     * answers of handlers, which arrive as they are, numbers, shorter texts, parts of the answer, and other encodings.
     */
    secret?: boolean;
    /** What the plugin calls the value, for a host that keeps known ones. */
    fieldName?: string;
    /** Only a person may answer: no default, rule or remembered answer of the host. */
    requireHuman?: boolean;
}
export interface ConfirmRequest {
    title: string;
    message?: string;
    confirmButtonText?: string;
    /** As in an input. */
    requireHuman?: boolean;
}
export interface FormRequest extends ConfirmRequest {
    fields: FormField[];
}
export interface FormField {
    /** Image fields are shown, never edited. */
    type: "text" | "image";
    name: string;
    label: string;
    value: string;
    multiline?: boolean;
    optional?: boolean;
}
export interface SelectRequest {
    title: string;
    /** No two are equal; empty only with allowOther. */
    options: string[];
    /** Whether a typed answer is allowed beside the options. */
    allowOther?: boolean;
    message?: string;
    /** One of the options, or absent. */
    initialValue?: string;
    /** As in an input. */
    requireHuman?: boolean;
}
/** The machine that the host runs on. */
export interface SystemProvider {
    /** Opens a URL for the person. */
    open(url: string, context: AskContext): Promise<void>;
    user?: User;
}

// host/contracts/services.d.ts
import type { ClientInfo } from "../../runtime/protocol.ts";
import type { WebhookCreateParams } from "../../runtime/protocol-providers.ts";
import type { JsonObject, SkillItem, StatusItem } from "../../runtime/records.ts";
import type { ThreadReference } from "../../runtime/threads.ts";
import type { PluginSpec } from "../spec.ts";
import type { AgentsProvider } from "./agents.ts";
import type { AIProvider, AskContext, AttachmentsProvider, ConfigurationProvider, ConfigurationTarget, ExecutorProvider, SystemProvider, UIProvider } from "./providers.ts";
import type { ThreadsProvider } from "./threads.ts";
/** What a backend needs of the host to answer the plugin it runs; host/host.ts wires it. */
export interface HostServices {
    /** The answer to a child's `client.info`. */
    clientInfo(spec: PluginSpec): ClientInfo;
    /** Dialogs, cleaned; rejects with `ui_not_available` where nobody answers. */
    ui: UIProvider;
    /** @throws BroodError `invalid_settings` */
    configuration: ConfigurationService;
    system: SystemProvider;
    executor: ExecutorProvider;
    status: StatusService;
    threads: ThreadsProvider;
    /** The thread that the person looks at. */
    activeThread(): ThreadReference | null;
    ai: AIProvider | undefined;
    attachments: AttachmentsProvider | undefined;
    agents: AgentsProvider | undefined;
    /** @throws BroodError `invalid_skill` */
    readSkill(spec: PluginSpec, path: string, spend: Spend): Promise<SkillItem>;
    webhooks: WebhookService;
}
/** The webhooks of all plugins. */
export interface WebhookService {
    /** @throws BroodError `webhooks_unavailable`, `busy` for one too many, or what the provider rejects with */
    open(webhook: WebhookCreateParams, context: AskContext): Promise<{
        url: string;
    }>;
    /** Hears what happens in the host: a plugin that is ready can be asked again. */
    hear(event: {
        type: string;
        plugin?: string;
        state?: string;
    }): void;
    /** The host ends: stops a plugin once what is under delivery to it has ended, or has had its time; nothing new begins. */
    finish(plugin: string, stop: () => Promise<void>): Promise<void>;
    /** Its plugins have ended. */
    close(): Promise<void>;
}
/** A configuration provider that counts what its work costs. */
export interface ConfigurationService extends Pick<ConfigurationProvider, "subscribe"> {
    get(context: AskContext, spend: Spend): Promise<JsonObject>;
    update?(partial: JsonObject, target: ConfigurationTarget, context: AskContext, spend: Spend): Promise<void>;
    delete?(key: string, target: ConfigurationTarget, context: AskContext, spend: Spend): Promise<void>;
}
/** Does work that this program cannot interrupt, and counts it against the plugin it is done for. */
export type Spend = <Result>(work: () => Result) => Result;
/** Status items of all plugins. */
export interface StatusService {
    /** A place for the items of one process of a plugin. */
    open(plugin: string): StatusBoard;
}
/** The status items of one process of a plugin. */
export interface StatusBoard {
    /** @throws BroodError `invalid_params` for one too many, or one too large */
    put(item: StatusItem): void;
    /** One that was removed stays so. */
    update(item: StatusItem): void;
    remove(id: number): void;
    /** Shows them from now on, in the place of those of another process of the plugin. */
    show(): void;
    /** The process has ended. */
    close(): void;
}
/** How a backend starts a process for a plugin. */
export interface Launch {
    command: string[];
    cwd: string;
    env: Record<string, string>;
    /** What the process speaks on: a socket at its descriptor 3, or its stdin and stdout. */
    wire: "socket" | "stdio";
    /** For people: `source`, `compiled`, `cached`, `be-bun`, `graph` or `custom`. */
    form: string;
    /** Whether Bun may fetch what the plugin imports and nobody installed; it may not when absent. */
    install?: LaunchInstall;
    /** Hears that the process ended before it said anything: what it runs may be broken. */
    mute?: () => void;
}
/** A child may fetch packages; `unavailable` where that is allowed and this form of launch cannot. */
export type LaunchInstall = "auto" | "unavailable";

// host/contracts/threads.d.ts
import type { Subscription } from "../../runtime/disposable.ts";
import type { AgentDefinitionParams } from "../../runtime/protocol-providers.ts";
import type { AssistantMessage, ThreadMessage, ThreadMessagesOptions, ThreadReference, ThreadState, ThreadVisibility } from "../../runtime/threads.ts";
import type { AskContext } from "./ask-context.ts";
/**
 * The conversations of a host, by id. Plugins make handles without asking, so that each method may be given an id that
 * there is none of: reject with an error that says so. What a method rejects with reaches the plugin.
 */
export interface ThreadsProvider {
    /** The thread that the person looks at; each change is told to every plugin. */
    readonly activeThread: {
        readonly current: ThreadReference | null;
        subscribe(listener: (thread: ThreadReference | null) => void): Subscription;
    };
    title(id: string, context: AskContext): Promise<string>;
    state(id: string, context: AskContext): Promise<ThreadState>;
    /** Hears each later change of one thread, until it is unsubscribed; the current values are asked apart. */
    subscribe(id: string, listener: (change: ThreadChange) => void, context: AskContext): Subscription;
    /** What answers in this thread; the mode `medium` when it is undefined. */
    agent(id: string, context: AskContext): Promise<ThreadAgent | undefined>;
    /** The thread that this one was started from, or null. */
    parentThreadID(id: string, context: AskContext): Promise<string | null>;
    /**
     * The last message of the assistant after the newest text of the user, once the thread is idle; at once when it
     * stands there already. Rejects when the thread fails or is cancelled first, or after `timeoutMs` milliseconds.
     */
    waitForResponse(id: string, options: {
        timeoutMs: number;
    }, context: AskContext): Promise<AssistantMessage>;
    cancel(id: string, context: AskContext): Promise<void>;
    setVisibility(id: string, visibility: ThreadVisibility, context: AskContext): Promise<void>;
    /** Lets others join for so many seconds; null ends it. */
    setMultiplayer(id: string, options: {
        ttlSeconds: number | null;
    }, context: AskContext): Promise<void>;
    /** One page of messages in the order of the thread; `pageOfMessages` makes it from all of them. */
    messages(id: string, options: Required<ThreadMessagesOptions>, context: AskContext): Promise<ThreadMessage[]>;
    /** Adds a message of the user; `steer` asks for it to be read before the turn under way goes on. */
    append(id: string, message: {
        content: string;
        steer: boolean;
    }, context: AskContext): Promise<void>;
}
/** An agent definition, or the key of a mode. */
export type ThreadAgent = AgentDefinitionParams | string;
/** What of a thread has changed, with the new value. */
export interface ThreadChange {
    title?: string;
    state?: ThreadState;
}

// host/contracts/webhooks.d.ts
import type { Limits } from "../../runtime/limits.ts";
import type { AskContext } from "./ask-context.ts";
/**
 * Receives requests for plugins and hands them over, each at least once. When absent, brood listens on 127.0.0.1 and
 * keeps what it received in a file of the user; see `loopbackWebhooks`.
 */
export interface WebhooksProvider {
    /**
     * Opens the webhook of one key of a plugin, as the plugin loads or later. The same workspace, plugin and key have the
     * same URL over restarts where that can be; a second open of them takes the place of the first, with its own headers
     * and its own `deliver`, and the first is not closed then. A webhook stays open while its plugin is disabled, crashed or
     * does not ask for the key any more: what comes waits. An answer has `limits.webhooks.openMs`.
     *
     * What it rejects with reaches the plugin.
     */
    open(request: WebhookRequest, context: AskContext): Promise<OpenWebhook>;
}
export interface WebhookRequest {
    workspaceRoot: string;
    /** 1 to 128 characters. */
    key: string;
    /** Names of the request headers to pass on, in lower case; no other is. */
    headers: string[];
    /** The bounds of this host, for a provider that keeps to them. */
    limits: Limits["webhooks"];
    /**
     * Hands an event to the plugin, and resolves when its handler is done with it. What it rejects with:
     * - `plugin_not_ready`: the plugin cannot be asked now, or was being stopped. That is no attempt: keep the event, and
     *   try again after the next `wake`.
     * - anything else is an attempt that failed: the handler threw or had no more time, or its process ended
     *   (`plugin_exited`).
     */
    deliver(event: WebhookDelivery, options: {
        signal: AbortSignal;
    }): Promise<void>;
    /** Leaves a warning in the log of the plugin; what `secret` or the URL hold is masked there. */
    problem(message: string): void;
    /** Leaves a line of level info there. */
    inform(message: string): void;
}
/** One request that was received. */
export interface WebhookDelivery {
    /** The same for each delivery of it. */
    id: string;
    body: Uint8Array;
    /** By lower-case name. */
    headers: Record<string, string>;
    receivedAt: Date;
    /** Counts its deliveries, from 1. */
    attempt: number;
}
/** A webhook that is open. */
export interface OpenWebhook {
    /** Begins with http:// or https://; may change where the way to this host does. */
    readonly url: string;
    /** The part of the URL that logs and traces must not show; all behind the host name when absent. */
    readonly secret?: string;
    /** Events that are not done yet, and those that were put aside since they failed too long. */
    counts?(): WebhookCounts | Promise<WebhookCounts>;
    /** The plugin has become ready, after a start, a crash or a reload. */
    wake?(): void;
    /** The host ends: nothing is delivered any more, and what is under delivery is given up by its signal, and kept. */
    close(): void | Promise<void>;
}
export interface WebhookCounts {
    pending: number;
    failed: number;
}

// host/diagnose.d.ts
import type { Finding } from "./contracts/findings.ts";
import type { HostOptions } from "./contracts/options.ts";
import type { Providers } from "./contracts/providers.ts";
/** What a diagnosis looks at; what a host of this program would be made with is given alike. */
export interface DiagnoseOptions extends Pick<HostOptions, "cwd" | "plugins" | "places" | "limits" | "env" | "launch" | "enablement" | "install"> {
    /**
     * Who answers plugins while they load. Of what is left out, settings are read and never written, no model is asked,
     * nothing is opened, and no webhook receives anything.
     */
    providers?: Providers;
    /** Whether each plugin is loaded once, to see whether it can be, and how fast; yes when absent. */
    load?: boolean;
    /**
     * Whether old files that no running host uses are removed; no when absent. Nothing is changed then, but that a load
     * keeps the code of children in the cache, as every host does.
     */
    fix?: boolean;
    /** Gives the diagnosis up; plugins that run for it are stopped first. */
    signal?: AbortSignal;
}
/**
 * Looks at everything that plugins depend on: Bun, folders, places, permissions, settings, state, and how each loads.
 * Nothing is fetched unless `install` says so, and nothing runs on when it resolves.
 *
 * @returns what was found, check by check, what is in order included
 * @throws BroodError `usage` when a path in `plugins` is no plugin; the reason of `signal`
 */
export declare function diagnose(options?: DiagnoseOptions): Promise<Finding[]>;

// host/host-api.d.ts
import type { Subscription } from "../runtime/disposable.ts";
import type { Kind } from "../runtime/records.ts";
import type { LogEntry } from "./base/log.ts";
import type { LogSink } from "./base/log-sink.ts";
import type { Calls } from "./calls/calls.ts";
import type { Skills } from "./calls/skills.ts";
import type { LoadFact } from "./contracts/backend.ts";
import type { HostOptions } from "./contracts/options.ts";
import type { PluginState } from "./lifecycle/machine.ts";
import type { PluginSnapshot } from "./plugin.ts";
import type { OwnedStatusItem } from "./providers/status.ts";
import type { ThreadStore } from "./providers/threads.ts";
import type { Entry, RegistryChange, Why } from "./registry.ts";
import type { ReloadReport } from "./reload/report.ts";
import type { Watch } from "./reload/watch.ts";
import type { SkippedCandidate } from "./spec.ts";
/** What happens in a host, as it happens. */
export type HostEvent = {
    type: "found";
    plugin: string;
    path: string;
} | {
    type: "fact";
    plugin: string;
    fact: LoadFact;
    ms: number;
} | {
    type: "state";
    plugin: string;
    state: PluginState;
    error?: Error;
} | {
    type: "log";
    entry: LogEntry;
}
/** How many dialogs of a plugin wait for a person, after that number changed. */
 | {
    type: "dialogs";
    plugin: string;
    open: number;
}
/** All status items, after one was shown, changed or taken away. */
 | {
    type: "statusItems";
    items: OwnedStatusItem[];
}
/** How many processes wait for a plugin, after that number changed; see `warm`. */
 | {
    type: "spares";
    waiting: number;
} | {
    type: "registry";
    change: RegistryChange;
}
/** What came of a change on disk; see `Host.watch`. */
 | {
    type: "reload";
    report: ReloadReport;
};
/** How a plugin is switched on or off. */
export interface SwitchOptions {
    /** Whether later hosts find it so too, as with `brood on` and `brood off`; no when absent. */
    persist?: boolean;
}
/** A set of plugins that run, and everything that they contribute. */
export interface Host extends AsyncDisposable, Calls {
    readonly plugins: {
        list(): PluginSnapshot[];
        /** @throws BroodError `plugin_not_found` */
        get(name: string): PluginSnapshot;
        /** The last lines of its log. @throws BroodError `plugin_not_found` */
        log(name: string): LogEntry[];
    };
    /** What lay in a plugin place and is no plugin, with the reason. */
    readonly skipped: readonly SkippedCandidate[];
    readonly skills: Skills;
    /** The threads in memory that plugins see; undefined when the embedder brought a provider of threads. */
    readonly threads: ThreadStore | undefined;
    readonly modes: {
        list(): readonly Entry<"mode">[];
    };
    /** A new instance takes the place of the running one. @throws BroodError when it fails; the old one serves on */
    reload(name: string): Promise<void>;
    /**
     * Starts a plugin that does not run, and forgets how often it crashed; resolves when it is ready or has failed.
     *
     * @throws BroodError `plugin_not_found`, or what keeps it from being kept; nothing has then happened
     */
    enable(name: string, options?: SwitchOptions): Promise<void>;
    /** Withdraws and stops a plugin; one of the same name that it hides stays hidden. @throws BroodError as `enable` does */
    disable(name: string, options?: SwitchOptions): Promise<void>;
    /** Who has a key and who lost it. */
    why(kind: Kind, key: string): Why;
    /** Hears each change of the registry. What the listener throws is thrown as by `observe`. */
    onChange(listener: (change: RegistryChange) => void): Subscription;
    /**
     * Lets the plugins follow their files: one whose files have changed is loaded anew as by `reload`, one that was added is
     * started, one whose file is gone is stopped. What comes of each change is told by the event `reload`. Watched are the
     * files that a plugin has loaded, but for those of packages, its package.json and tsconfig.json, and the plugin places.
     * Resolves when changes are heard; ends with the host, or before by `stop` of what it gives.
     */
    watch(): Promise<Watch>;
    /** Stops every plugin, all at once; resolves when their processes have ended. */
    stop(): Promise<void>;
}
export interface CreateHostOptions extends HostOptions {
    /**
     * Hears what happens from the first moment on. What it throws harms neither the host nor other listeners: it is an
     * uncaught error of the program, so `process.on("uncaughtException")` hears it, and where there is no such handler
     * the program ends with exit code 1, and the plugins with it.
     */
    observe?: (event: HostEvent) => void;
    /**
     * Takes the log entries of all plugins that pass the filter, as they come; `jsonLog` makes one that writes lines of
     * JSON. `plugins.log()` and the `log` events of `observe` are not filtered. What the sink throws, or rejects with,
     * reaches nobody else: the first failure is told as a warning in the log of the plugin whose entry it was about, and
     * the sink gets the next entries all the same.
     *
     * @example Into a file, which has all lines after the host has stopped:
     * ```ts
     * const file = Bun.file("plugins.log").writer();
     * const host = await createHost({ log: jsonLog((line) => file.write(line)), logFilter: "warn,notes=debug" });
     * // …
     * await host.stop();
     * await file.end();
     * ```
     */
    log?: LogSink;
    /**
     * Which entries `log` gets: parts with commas between, each a level for all plugins (`warn`) or one for those of a
     * name (`notes=debug`, `noisy-*=off`, where `*` stands for any text). The levels are `error`, `warn`, `info` and
     * `debug`, each with the graver ones before it, and `off` for nothing; case does not matter. A level for a name beats
     * the one for all, and of several that fit the last counts. Whatever nothing fits is at `debug`: everything passes.
     *
     * When absent, the variable `BROOD_LOG` says the same, but only where `log` is given, and one that cannot be used is
     * told by `process.emitWarning` and ignored. `""` lets everything pass whatever `BROOD_LOG` says. A filter given
     * here that cannot be used makes `createHost` reject with `usage`.
     */
    logFilter?: string;
}

// host/host.d.ts
import type { CreateHostOptions, Host } from "./host-api.ts";
export type { CreateHostOptions, Host, HostEvent, SwitchOptions } from "./host-api.ts";
/**
 * Finds plugins, starts each in a process of its own and resolves when each is ready or has failed; one that fails
 * keeps no other from loading.
 *
 * @throws BroodError `unsupported_platform`, or `usage` for an option that cannot be used and for a path in `plugins` that
 * is no plugin; nothing has then started
 */
export declare function createHost(options?: CreateHostOptions): Promise<Host>;

// host/index.d.ts
/** The contract `brood`: a host for plugins in any Bun program. */
export { BroodError, type ErrorCode, type ExitFacts, isBroodError, type SourcePosition, type Stage, } from "../runtime/errors.ts";
export type { LimitOverrides } from "../runtime/limits.ts";
export type { User } from "../runtime/protocol.ts";
export type * from "../runtime/records.ts";
export { createTap, type Tap, type TapFrame } from "../runtime/tap.ts";
export type * from "../runtime/threads.ts";
export type { LogEntry } from "./base/log.ts";
export { jsonLog, type LogSink } from "./base/log-sink.ts";
export { type ResolveAgentOptions, type ResolvedAgent, resolveAgent } from "./base/resolve-agent.ts";
export type { CallOptions, CommandResult, ToolCallOptions, ToolResult } from "./calls/dispatch.ts";
export type { EmitOptions, EventOutcome, HandlerReport } from "./calls/events.ts";
export type { FoundLink, Links } from "./calls/links.ts";
export type { SkillFile, Skills } from "./calls/skills.ts";
export type { ActivatedStatusItem, HostStatusItems } from "./calls/status-items.ts";
export type * from "./calls/turn-types.ts";
export type { WebhookContent, WebhookResult, Webhooks } from "./calls/webhooks.ts";
export type { LoadFact } from "./contracts/backend.ts";
export type { EnablementStore } from "./contracts/enablement.ts";
export type * from "./contracts/findings.ts";
export type { EnvironmentOption, HostOptions, InspectOption, InstallOption, LaunchOption, } from "./contracts/options.ts";
export type * from "./contracts/providers.ts";
export { type DiagnoseOptions, diagnose } from "./diagnose.ts";
export { type CreateHostOptions, createHost, type Host, type HostEvent, type SwitchOptions } from "./host.ts";
export type { PluginState } from "./lifecycle/machine.ts";
export type { PluginSnapshot } from "./plugin.ts";
export { type OpenAIOptions, openAI } from "./providers/openai.ts";
export type { OwnedStatusItem } from "./providers/status.ts";
export { pageOfMessages } from "./providers/thread-messages.ts";
export { createThreads, type NewMessage, type NewThread, type StoredThread, type ThreadAction, type ThreadStore, } from "./providers/threads.ts";
export { type LoopbackWebhooksOptions, loopbackWebhooks } from "./providers/webhooks/loopback.ts";
export type { HostWebhook } from "./providers/webhooks/service.ts";
export type { Entry, RegistryChange, Why } from "./registry.ts";
export type { PluginKey, PluginSystem, SkippedCandidate } from "./spec.ts";
export { noUI } from "./ui/none.ts";
export { type ScriptedAnswer, scriptedUI } from "./ui/scripted.ts";
export { terminalUI } from "./ui/terminal.ts";
export type * from "./validate/types.ts";
export { validatePlugins } from "./validate/validate.ts";

// host/lifecycle/instance.d.ts
import type { Items, Kind } from "../../runtime/records.ts";
import { type Backend, type BackendEvents, type BackendLog, type Capabilities, type LoadFact } from "../contracts/backend.ts";
/** One launch of a plugin: its backend and what is known of it. */
export interface Instance {
    readonly backend: Backend;
    /** Aborts a start under way. */
    readonly abort: AbortController;
    /** Milliseconds since the spawn at which each fact of the load was reached. */
    readonly facts: Partial<Record<LoadFact, number>>;
    /** When it was made, in milliseconds since 1970. */
    readonly launchedAt: number;
    capabilities: Capabilities;
    /** Whether its load succeeded. */
    loaded: boolean;
    /** Whether its process answers; one that does not cannot run dispose callbacks. */
    responsive: boolean;
    /** Calls under way. */
    calls: number;
    /** Hears when the last call under way has ended. */
    idle: (() => void) | undefined;
    /** Settles with its end, once that is under way. */
    ending: Promise<unknown> | undefined;
    /** Notes that its capabilities are visible now. */
    published(): void;
}
export interface InstanceListener {
    fact(name: LoadFact, ms: number): void;
    changed<K extends Kind>(instance: Instance, kind: K, items: Items[K][]): void;
    loadedMore(instance: Instance): void;
    log(entry: BackendLog): void;
    responsive(instance: Instance, isResponsive: boolean): void;
}
/** Makes an instance; nothing runs before its backend is started. */
export declare function createInstance(createBackend: (events: BackendEvents) => Backend, listener: InstanceListener, now: () => number): Instance;

// host/lifecycle/machine.d.ts
import type { BroodError } from "../../runtime/errors.ts";
import { type Limits } from "../../runtime/limits.ts";
/** Every state that a plugin of any system can be in. */
export type PluginState = "discovered" | "shadowed" | "disabled" | "idle" | "starting" | "ready" | "unresponsive" | "restarting" | "stopping" | "stopped" | "failed" | "incompatible" | "rejected";
/** What the machine knows of one plugin. */
export interface Machine {
    readonly state: PluginState;
    /** Launches since the last deliberate start; health takes none away, unless the policy says after how long. */
    readonly launches: number;
    /** Why it is not ready, when something went wrong. */
    readonly error: BroodError | undefined;
    /** The state that a stop under way leads to. */
    readonly target: RestState;
}
/** Where a plugin rests after a stop. */
export type RestState = "stopped" | "disabled";
export type MachineEvent = 
/** Somebody wants it to run: at the host's start, by enable or reload. */
{
    type: "start";
}
/** The same, and what is being loaded may be old. */
 | {
    type: "start_anew";
} | {
    type: "loaded";
} | {
    type: "load_failed";
    error: BroodError;
}
/** The process of a loaded plugin ended, and nobody had asked it to; it had served for so many milliseconds. */
 | {
    type: "crashed";
    error: BroodError;
    servedMs?: number;
} | {
    type: "backoff_over";
}
/** A reload has a new instance ready beside the old one. */
 | {
    type: "swapped";
} | {
    type: "silent";
} | {
    type: "answered";
} | {
    type: "stop";
    target: RestState;
}
/** The process that a stop was about has ended. */
 | {
    type: "ended";
};
export type MachineEffect = {
    type: "launch";
} | {
    type: "publish";
} | {
    type: "withdraw";
} | {
    type: "arm_backoff";
    ms: number;
} | {
    type: "cancel_backoff";
}
/** Ends the process; only a graceful end runs dispose callbacks. */
 | {
    type: "terminate";
    graceful: boolean;
};
export interface Decision {
    machine: Machine;
    effects: MachineEffect[];
}
/** A plugin that was found and has not run. */
export declare function newMachine(state?: PluginState, error?: BroodError): Machine;
/** Decides what an event means in a state. Pure: the supervisor performs the effects. */
export declare function decide(machine: Machine, event: MachineEvent, policy?: Limits["restart"]): Decision;

// host/lifecycle/reload.d.ts
/** One reload under way. */
export interface Reload {
    /**
     * Resolves when what it has loaded serves; with a newer reload, where its load was given up for that.
     *
     * @throws BroodError when it does not load; an old instance that ran serves on
     */
    readonly ended: Promise<Reload | undefined>;
    /** Resolves when its load takes longer than one of this plugin should, so that a newer reload need not wait for it. */
    readonly overlong: Promise<void>;
}

// host/lifecycle/supervisor-parts.d.ts
import type { BroodError } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { Items, Kind } from "../../runtime/records.ts";
import type { Clock } from "../base/clock.ts";
import type { Gate } from "../base/gate.ts";
import type { Backend, BackendEvents, BackendLog, Capabilities, LoadFact } from "../contracts/backend.ts";
import type { Machine, PluginState } from "./machine.ts";
/** What a supervisor needs of the world around it. */
export interface SupervisorParts {
    plugin: string;
    initialState: PluginState;
    /** Why it is in that state, when something is wrong. */
    initialError?: BroodError | undefined;
    createBackend(events: BackendEvents): Backend;
    limits: Limits;
    clock: Clock;
    /** Limits how many plugins start at once. */
    gate: Gate;
    /** Aborts when the host kills instead of stopping. */
    hurry: AbortSignal;
    /** Makes these capabilities the plugin's visible ones, in one step. */
    publish(capabilities: Capabilities): void;
    withdraw(): void;
    changed<K extends Kind>(kind: K, items: Items[K][]): void;
    /** To whoever has asked for its modules: the plugin has loaded more. */
    loadedMore(): void;
    state(machine: Machine): void;
    fact(name: LoadFact, ms: number): void;
    log(entry: BackendLog): void;
}

// host/lifecycle/supervisor.d.ts
import type { Backend } from "../contracts/backend.ts";
import { type Instance } from "./instance.ts";
import { type Machine, type RestState } from "./machine.ts";
import type { SupervisorParts } from "./supervisor-parts.ts";
/** Performs what the machine decides, for one plugin. */
export declare class Supervisor {
    #private;
    constructor(parts: SupervisorParts);
    get machine(): Machine;
    /** How often somebody wanted it to stop. */
    get stops(): number;
    /** The launch that serves, or served last. */
    get instance(): Instance | undefined;
    /** Starts the plugin unless it runs; resolves when it is ready, or is not going to be. */
    start(): Promise<void>;
    /** As `start`, but what is being loaded is given up for a load that begins now. */
    startAnew(): Promise<void>;
    /** Stops the plugin; resolves when every process of it has ended. */
    stop(target?: RestState): Promise<void>;
    /** Kills every process of the plugin at once, without waiting. */
    kill(): void;
    /** Uses the running instance. @throws BroodError `plugin_not_ready` */
    use<Result>(task: (backend: Backend) => Promise<Result>): Promise<Result>;
    /**
     * Loads a second instance beside the running one.
     *
     * @param superseded aborts when a newer load takes the place of this one
     * @throws BroodError of its load; the running one serves on
     */
    prepare(superseded?: AbortSignal): Promise<Instance>;
    /** Puts a prepared instance in the place of the running one, which ends when its calls are done. */
    adopt(instance: Instance): boolean;
}

// host/plugin.d.ts
import { type BroodError } from "../runtime/errors.ts";
import type { CommandItem, EventName, LinkItem, ModeItem, SkillItem, ToolItem } from "../runtime/records.ts";
import type { Redactor } from "../runtime/redact.ts";
import { type LogEntry, type PluginLog } from "./base/log.ts";
import type { Backend, BackendFacts, Capabilities, LoadFact } from "./contracts/backend.ts";
import type { PluginState } from "./lifecycle/machine.ts";
import type { Reload } from "./lifecycle/reload.ts";
import { Supervisor } from "./lifecycle/supervisor.ts";
import type { SupervisorParts } from "./lifecycle/supervisor-parts.ts";
import type { OwnedStatusItem } from "./providers/status.ts";
import type { PluginSpec } from "./spec.ts";
/** All that can be known of one plugin at one moment. */
export interface PluginSnapshot extends Pick<PluginSpec, "name" | "system" | "scope" | "path" | "description"> {
    state: PluginState;
    /** Of its process, or null when none runs. */
    pid: number | null;
    /** Launches since it was last started on purpose. */
    launches: number;
    /** Why it is not ready, or why its last reload failed. */
    error?: BroodError;
    /** What is odd about it and did not keep it from loading. */
    warnings: string[];
    /** Milliseconds since the spawn, or null for what was not reached. */
    facts: Record<LoadFact, number | null>;
    commands: CommandItem[];
    tools: ToolItem[];
    skills: SkillItem[];
    events: EventName[];
    modes: ModeItem[];
    links: LinkItem[];
    statusItems: OwnedStatusItem[];
    /** Its dialogs that wait for a person. */
    openDialogs: number;
    /** Calls of its tools, commands and handlers that have not ended; those of an instance that was replaced are not counted. */
    openCalls: number;
    /** How its process was started. */
    process?: BackendFacts;
}
export interface PluginParts extends Omit<SupervisorParts, "plugin" | "log"> {
    spec: PluginSpec;
    /** What it has registered now. */
    ledger(): Capabilities;
    statusItems(): OwnedStatusItem[];
    openDialogs(): number;
    /** Knows the secrets of the plugin, over all its launches. */
    redactor: Redactor;
    logged(entry: LogEntry): void;
    /** How it is reloaded. */
    createSwap(supervisor: Supervisor, plugin: string): {
        begin(): Reload;
    };
}
/** One plugin of a host: its spec, its supervisor, its log. */
export declare class Plugin {
    #private;
    readonly supervisor: Supervisor;
    readonly log: PluginLog;
    readonly redactor: Redactor;
    constructor(parts: PluginParts);
    /** Puts a new instance in the place of the running one. @throws BroodError; the old one then serves on */
    reload(): Promise<void>;
    /** As `reload`, for whoever wants to know when a newer one takes its place. */
    beginReload(): Reload;
    get spec(): PluginSpec;
    /** What can be read of its file without running it has changed. */
    describe(spec: PluginSpec): void;
    get state(): PluginState;
    get error(): BroodError | undefined;
    /** When the process that serves was launched, in milliseconds since 1970; nothing when none was. */
    get launchedAt(): number | undefined;
    /** What it has registered now. */
    ledger(): Capabilities;
    /** The files that it has loaded, those of packages left out. @throws BroodError */
    modules(): Promise<string[]>;
    start(): Promise<void>;
    stop(): Promise<void>;
    use<Result>(task: (backend: Backend) => Promise<Result>): Promise<Result>;
    /** How often somebody wanted it to stop. */
    get stops(): number;
    /** Leaves a warning of brood in its log. */
    warn(message: string): void;
    /** Leaves a line of brood in its log that needs no action. */
    inform(message: string): void;
    /** What it has as a secret from now on is not shown in its log, its errors and its trace. */
    learn(secret: string): void;
    snapshot(): PluginSnapshot;
}
/** The plugin of a name. @throws BroodError `plugin_not_found` */
export declare function pluginOf(plugins: ReadonlyMap<string, Plugin>, name: string): Plugin;
/** Those of these plugins that serve nobody now, and the state of each. */
export declare function absentOf(plugins: Iterable<Plugin>): {
    plugin: string;
    state: PluginState;
}[];
/** What an error says before it quotes the output of the plugin. */
export declare function headlineOf({ message }: Pick<BroodError, "message">): string;

// host/providers/openai.d.ts
import { type Limits } from "../../runtime/limits.ts";
import type { AIProvider } from "../contracts/ai.ts";
export interface OpenAIOptions {
    /** Of the server, with or without its path: `/v1` is added where there is none, and then `/chat/completions`. */
    url: string;
    /** Asked where a plugin names no model; without both the server chooses. */
    model?: string | undefined;
    /** Sent as a bearer token, and never shown. */
    key?: string | undefined;
    /** Other bounds than the defaults. */
    limits?: Partial<Limits["ai"]>;
}
/**
 * An AI provider that asks a server which speaks OpenAI's protocol. Neither the key nor a prompt or an answer is logged.
 *
 * @throws BroodError `usage` when `url` is no http or https URL, and for another option that cannot be used
 */
export declare function openAI(options: OpenAIOptions): AIProvider;

// host/providers/status.d.ts
import { type Subscription } from "../../runtime/disposable.ts";
import { type Limits } from "../../runtime/limits.ts";
import type { StatusItem } from "../../runtime/records.ts";
import type { StatusService } from "../contracts/services.ts";
/** A status item and the plugin that shows it. */
export interface OwnedStatusItem extends StatusItem {
    plugin: string;
}
/** Status items of all plugins. */
export interface StatusItems extends StatusService {
    /** What is shown, plugin by plugin, in the order in which the items of each were made. */
    list(): OwnedStatusItem[];
    /** Shows nothing of a plugin any more until a process of it shows its own. */
    clear(plugin: string): void;
    onChange(listener: (items: OwnedStatusItem[]) => void): Subscription;
}
/** Makes the status items of a host; those of one plugin are bounded in number and size. */
export declare function createStatusItems(bounds?: Limits["text"]): StatusItems;

// host/providers/stored-thread.d.ts
import { type Emitter } from "../../runtime/disposable.ts";
import type { AssistantMessage, InfoMessage, ThreadMessage, ThreadState, ThreadVisibility, UserMessage } from "../../runtime/threads.ts";
import type { ThreadAgent, ThreadChange } from "../contracts/threads.ts";
/** A message to be added: text alone stands for one block of it, and an id is made where there is none. */
export type NewMessage = NewOf<UserMessage> | NewOf<AssistantMessage> | NewOf<InfoMessage>;
type NewOf<Message extends ThreadMessage> = {
    role: Message["role"];
    id?: string;
    content: string | Message["content"];
};
export interface NewThread {
    /** A new one when absent. */
    id?: string;
    /** Empty when absent. */
    title?: string;
    /** `idle` when absent. */
    state?: ThreadState;
    parentThreadID?: string | null;
    /** What answers in it; the mode `medium` when absent. */
    agent?: ThreadAgent;
    /** `private` when absent. */
    visibility?: ThreadVisibility;
    messages?: NewMessage[];
}
/** One thread of the store, as host code drives it. */
export interface StoredThread {
    readonly id: string;
    readonly title: string;
    readonly state: ThreadState;
    readonly parentThreadID: string | null;
    readonly agent: ThreadAgent | undefined;
    readonly visibility: ThreadVisibility;
    /** Whether others may join, and for how long after that was said; null when they may not. */
    readonly multiplayer: {
        ttlSeconds: number;
    } | null;
    /** A copy. */
    readonly messages: ThreadMessage[];
    setTitle(title: string): void;
    setState(state: ThreadState): void;
    /** Adds a message at the end; text alone stands for one block of it. @returns the message with its id */
    addMessage(message: NewMessage): ThreadMessage;
}
/** A thread as its store holds it. */
export interface OwnedThread {
    readonly handle: StoredThread;
    /** Not a copy. */
    readonly messages: readonly ThreadMessage[];
    readonly changes: Emitter<ThreadChange>;
    setVisibility(visibility: ThreadVisibility): void;
    setMultiplayer(ttlSeconds: number | null): void;
    /** Ends the turn under way; whoever waits for its response hears so. */
    cancel(): void;
    /** @throws BroodError `timeout`, `cancelled`, or `plugin_error` when the thread comes to the state `error` */
    waitForResponse(timeoutMs: number, signal: AbortSignal): Promise<AssistantMessage>;
}
/** Makes a thread; nobody hears of its first values. */
export declare function createStoredThread({ id, ...options }: NewThread & {
    id: string;
}): OwnedThread;
export {};

// host/providers/thread-messages.d.ts
import type { AssistantMessage, ThreadMessage, ThreadMessagesOptions } from "../../runtime/threads.ts";
/**
 * The page of messages that a plugin asked for: those of the roles, counted from one end, in the order of the thread.
 * Without `full`, each text in a thought, a tool input or a tool output is cut after `excerptCharsMax` characters and says how
 * many are missing; what people and models said to each other is never cut.
 */
export declare function pageOfMessages(messages: readonly ThreadMessage[], options?: ThreadMessagesOptions, excerptCharsMax?: number): ThreadMessage[];
/** The last message of the assistant after the newest text of the user, if it is there. */
export declare function responseIn(messages: readonly ThreadMessage[]): AssistantMessage | undefined;

// host/providers/threads.d.ts
import { type Subscription } from "../../runtime/disposable.ts";
import type { ThreadVisibility } from "../../runtime/threads.ts";
import type { ThreadsProvider } from "../contracts/threads.ts";
import { type NewThread, type StoredThread } from "./stored-thread.ts";
/** Threads in memory. Host code, tests and the command line drive them; plugins see them and act on them. */
export interface ThreadStore extends ThreadsProvider {
    /** @throws BroodError `usage` when there is a thread with this id */
    create(options?: NewThread): StoredThread;
    /** All threads, in the order in which they were made. */
    list(): StoredThread[];
    get(id: string): StoredThread | undefined;
    /** Makes a thread the active one, or none. @throws BroodError `thread_not_found` */
    setActive(id: string | null): void;
    /** What plugins did, oldest first; the last thousand. */
    readonly actions: readonly ThreadAction[];
    /** Hears what plugins do, after it was done. */
    onAction(listener: (action: ThreadAction) => void): Subscription;
}
/** Something that a plugin did to a thread. */
export type ThreadAction = {
    plugin: string;
    threadID: string;
} & ({
    type: "user-message";
    content: string;
    steer: boolean;
} | {
    type: "cancel";
} | {
    type: "visibility";
    visibility: ThreadVisibility;
} | {
    type: "multiplayer";
    ttlSeconds: number | null;
});
/**
 * Makes an empty store; long texts in messages are cut at `messageExcerptCharsMax` where a plugin wants no full ones.
 *
 * @throws BroodError `usage` for another option
 */
export declare function createThreads(options?: {
    messageExcerptCharsMax?: number;
}): ThreadStore;
export type { NewMessage, NewThread, StoredThread } from "./stored-thread.ts";

// host/providers/webhooks/loopback.d.ts
import { type Clock } from "../../base/clock.ts";
import type { WebhooksProvider } from "../../contracts/webhooks.ts";
export interface LoopbackWebhooksOptions {
    /**
     * Where webhooks and their events are kept: `$XDG_STATE_HOME/brood/webhooks.sqlite` when absent, or the same under
     * `~/.local/state`. Several hosts may use one file at a time.
     */
    file?: string;
    /** The port of 127.0.0.1; when absent or 0 the one of last time, and any free one where somebody else has that. */
    port?: number;
    /**
     * What leads from outside to that port, such as `https://hooks.example.com`, for whoever has a tunnel; the URLs of
     * webhooks begin with it.
     */
    publicURL?: string;
    /**
     * Whether this host receives: listens, and delivers what comes and what waits; yes when absent. With `false` webhooks
     * have the URLs that they have in hosts which do, and nothing else happens.
     */
    receive?: boolean;
}
/**
 * Webhooks over a listener on 127.0.0.1, with a queue in a file. Nothing is opened before a plugin asks for a webhook.
 *
 * A sender is answered with 202 and the event's id once the event is on the disk; a request with an Idempotency-Key that
 * is known is answered alike and not stored again. 404: no such webhook; 405: not POST; 408: too slow; 413: too large;
 * 429 with Retry-After: too many; 503: cannot be stored. The events of one webhook are delivered one at a time in the
 * order of their arrival; one that failed is delivered again after `limits.webhooks.retryFirstMs`, doubled each time, and
 * later ones pass it meanwhile. After `limits.webhooks.failingMs` of failures it is put aside.
 *
 * Of several hosts with one file one listens for all, and another takes over when it ends; each delivers what is for its
 * own workspace, and no event is under delivery in two of them. A host with `receive: false` takes no part in that.
 *
 * @throws BroodError `usage` for an option that cannot be used
 */
export declare function loopbackWebhooks(options?: LoopbackWebhooksOptions): WebhooksProvider;
/** What a test puts in the place of the machine's own. */
export interface LoopbackParts {
    clock?: Clock;
    /** Milliseconds of the wall clock. */
    wall?(): number;
    /** From 0 to 1. */
    random?(): number;
}
export declare function createLoopbackWebhooks({ file, port, publicURL, receive }: LoopbackWebhooksOptions, { clock, wall, random }?: LoopbackParts): WebhooksProvider;

// host/providers/webhooks/service.d.ts
import type { Limits } from "../../../runtime/limits.ts";
import type { ThreadReference } from "../../../runtime/threads.ts";
import type { Backend } from "../../contracts/backend.ts";
import type { WebhookService } from "../../contracts/services.ts";
import type { WebhooksProvider } from "../../contracts/webhooks.ts";
/** A webhook that a plugin has asked for. */
export interface KnownWebhook {
    plugin: string;
    key: string;
    /** Names of the request headers that are passed on, in lower case. */
    headers: readonly string[];
}
export interface HostWebhook extends KnownWebhook {
    /** A secret: whoever knows it can send. */
    url: string;
    /** Events that wait or are under delivery; absent where the provider does not count. */
    pending?: number;
    /** Events that were put aside since they failed too long. */
    failed?: number;
}
/** What of a plugin it takes to hand it an event. */
export interface WebhookOwner {
    /** @throws BroodError `plugin_not_ready` */
    use<Result>(task: (backend: Backend) => Promise<Result>): Promise<Result>;
    /** How often somebody wanted it to stop. */
    readonly stops: number;
    /** Leaves a warning in its log. */
    warn(message: string): void;
    /** Leaves a line there that needs no action. */
    inform(message: string): void;
    /** It has a secret from now on. */
    learn(secret: string): void;
}
export interface WebhookServiceParts {
    provider: WebhooksProvider;
    workspaceRoot: string;
    limits: Limits["webhooks"];
    /** How long the end of the host waits for a delivery that is under way. */
    finishMs: number;
    /** @throws BroodError `plugin_not_found` */
    owner(plugin: string): WebhookOwner;
    activeThread(): ThreadReference | null;
}
/** What a host asks about the webhooks of all plugins. */
export interface OpenWebhooks {
    list(): Promise<HostWebhook[]>;
    /** Those whose provider has answered. */
    known(): KnownWebhook[];
}
/** Brings webhooks of plugins and what receives for them together. */
export declare function createWebhookService(parts: WebhookServiceParts): WebhookService & OpenWebhooks;

// host/registry.d.ts
import { type Subscription } from "../runtime/disposable.ts";
import { type EventName, type Items, type Kind } from "../runtime/records.ts";
import type { Capabilities } from "./contracts/backend.ts";
import { type Rank } from "./spec.ts";
/** One item that a plugin contributes, and under which key everybody finds it. */
export interface Entry<K extends Kind = Kind> {
    kind: K;
    key: string;
    plugin: string;
    item: Items[K];
}
/** What changed in one step. */
export interface RegistryChange {
    /** Grows by one with each change. */
    generation: number;
    added: Entry[];
    removed: Entry[];
    /** The same key, with another item or owner. */
    changed: Entry[];
}
/** Why a key leads where it does. */
export interface Why {
    kind: Kind;
    key: string;
    /** Who has the key, or null when nobody has. */
    plugin: string | null;
    /** Who registered it too, and what became of that. */
    refused: {
        plugin: string;
        reason: string;
    }[];
}
/** All that is visible of all plugins. Every registration sits in its owner's ledger. */
export interface Registry {
    /** Makes these the owner's registrations, in one step, in the place of those it had. */
    publish(owner: Owner, capabilities: Partial<Capabilities>): void;
    /** Removes exactly the owner's ledger. */
    withdraw(plugin: string): void;
    /** What is effective, in rank order; never changes under the reader. */
    list<K extends Kind>(kind: K): readonly Entry<K>[];
    find<K extends Kind>(kind: K, key: string): Entry<K> | undefined;
    /** Who hears an event, in rank order; never changes under the reader. */
    handlers(event: EventName): readonly Entry<"event">[];
    /** What one plugin has registered, refused ones included. */
    ledger(plugin: string): Capabilities;
    why(kind: Kind, key: string): Why;
    /**
     * Who had a key, or a command's id, until it was withdrawn, and has not registered anything since; of those who have
     * the key now, only a better rank's.
     */
    lastOwners(kind: Kind, key: string): string[];
    onChange(listener: (change: RegistryChange) => void): Subscription;
}
export interface Owner {
    plugin: string;
    rank: Rank;
}
/**
 * Makes an empty registry. Of two registrations with one key the better rank has it, whoever was ready first; the other
 * is refused. It is not revived when the winner goes, which may come back, but when the winner registers without the key.
 */
export declare function createRegistry(): Registry;
/** The key under which an item is found; what cannot clash carries its plugin's name. */
export declare function keyOf(kind: Kind, plugin: string, item: Items[Kind]): string;
/** How the keys of a plugin begin: its name up to the first colon, so that no two plugins can make the same key. */
export declare function keyPrefix(plugin: string): string;

// host/reload/plugin-watch.d.ts
import { type BroodError } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { Clock } from "../base/clock.ts";
import type { Capabilities } from "../contracts/backend.ts";
import type { PluginState } from "../lifecycle/machine.ts";
import type { Reload } from "../lifecycle/reload.ts";
import type { PluginSpec } from "../spec.ts";
import { type ReloadReport } from "./report.ts";
import type { Watcher } from "./watcher.ts";
/** A plugin as a watch sees it. */
export interface WatchedPlugin {
    readonly spec: PluginSpec;
    readonly state: PluginState;
    /** Why it does not serve. */
    readonly error: BroodError | undefined;
    /** When the process that serves was launched, in milliseconds since 1970; nothing when none was. */
    readonly launchedAt: number | undefined;
    /** What it has registered now. */
    ledger(): Capabilities;
    /** The files that it has loaded. @throws BroodError */
    modules(): Promise<string[]>;
    /** Withdraws what it has registered at once; resolves when every process of it has ended. */
    stop(): Promise<void>;
    /** Puts a new instance in the place of the running one, or starts it, once nothing else of it loads as it should. */
    beginReload(): Reload;
    warn(message: string): void;
}
export interface PluginWatchParts {
    plugin: WatchedPlugin;
    watcher: Pick<Watcher, "watch">;
    clock: Clock;
    limits: Limits["reload"];
    report(report: ReloadReport): void;
}
/** Loads one plugin anew when what it is made of has changed. */
export declare class PluginWatch {
    #private;
    constructor(parts: PluginWatchParts);
    /** A file was written, appeared or went away, or may have; nothing happens when it is none of this plugin's. */
    heard(path: string): void;
    /** Loads it for the first time; resolves when it serves, or is not going to, and that is told. */
    begin(since: number): Promise<void>;
    /** What it has loaded may be other files than before. */
    refresh(): Promise<void>;
    close(): void;
}

// host/reload/report.d.ts
import type { BroodError } from "../../runtime/errors.ts";
import { type Kind } from "../../runtime/records.ts";
import type { Capabilities } from "../contracts/backend.ts";
/** What came of a change on disk for one plugin. */
export interface ReloadReport extends Difference {
    plugin: string;
    /**
     * `ready`: a plugin that did not run serves; `reload`: a new version serves; `kept`: the new version failed, and the old
     * one serves on; `failed`: it failed, and nothing serves; `removed`: its file is gone.
     */
    outcome: "ready" | "reload" | "kept" | "failed" | "removed";
    /** Milliseconds from the first sign of the change until then; of the newest, where loads were given up for it. */
    ms: number;
    /** The files that changed, absolute; also those whose load was given up for this one. */
    files: string[];
    /** Why it failed. */
    error?: BroodError;
}
/** Registrations by kind and name, as in "tool hello". */
export interface Difference {
    added: string[];
    removed: string[];
    changed: string[];
}
/** What of a plugin's registrations is other than before. */
export declare function differenceOf(before: Capabilities, after: Capabilities): Difference;
/** A registration by kind and name, as in "tool hello". */
export declare function registrationName(kind: Kind, item: Capabilities[Kind][number]): string;

// host/reload/watch.d.ts
import type { Limits } from "../../runtime/limits.ts";
import type { Clock } from "../base/clock.ts";
import { type WatchedPlugin } from "./plugin-watch.ts";
import { type ReloadReport } from "./report.ts";
/** Reloads plugins as their files change, and starts and stops them as they come and go. */
export interface Watch extends AsyncDisposable {
    /** Ends it; what runs stays. Resolves when nothing is watched any more. */
    stop(): Promise<void>;
}
/** What a watch does of its own accord while it lasts. */
export interface RunningWatch extends Watch {
    /** A plugin has been published, by whatever brought it about, or has loaded more files. */
    published(plugin: string): void;
}
export interface WatchParts {
    /** Those that are there now, shadowed ones left out. */
    plugins(): WatchedPlugin[];
    /** Folders whose entries may be plugins; each may be missing. */
    places: string[];
    /** Paths of plugins that were named; each may be missing. */
    named: string[];
    /** Looks for plugins anew: those that came are to be started, those that went to be stopped. */
    rediscover(mayRemove: boolean, isOver: () => boolean): Promise<Rediscovered>;
    /** One that went does not run any more. */
    left(plugin: WatchedPlugin): void;
    clock: Clock;
    limits: Limits["reload"];
    report(report: ReloadReport): void;
    /** Hears that watching has become slower, and why. */
    slowed(reason: string): void;
}
export interface Rediscovered {
    added: WatchedPlugin[];
    removed: WatchedPlugin[];
    /** Whether some have gone that it was too early to remove. */
    isSomeGone: boolean;
}
/** Begins to watch; resolves when changes are heard. */
export declare function startWatch(parts: WatchParts): Promise<RunningWatch>;

// host/reload/watcher.d.ts
/** Hears of changes of files, each of which may be missing, be replaced, or be behind links; and of the entries of folders. */
export interface Watcher {
    /** Watches these files for somebody, in place of those that it watched for them before. */
    watch(whose: string, files: Iterable<string>): void;
    /** Resolves when changes of what is watched now are heard. */
    ready(): Promise<void>;
    close(): Promise<void>;
}
export interface WatcherParts {
    /** Folders that are watched as such, with the folders in them; each may be missing. */
    places: readonly string[];
    /** Paths of plugins that were named; each may be missing. */
    named: readonly string[];
    /** A file that is watched was written, appeared, went away or leads elsewhere, or may have done so. */
    changed(path: string): void;
    /** What was named, an entry of a place, or one of a folder there appeared or went away. */
    moved(): void;
    /** Watching goes on in a slower way, for this reason. */
    slowed(reason: string): void;
}
/** Makes a watcher of single files, so that a folder beside them costs nothing, however large. */
export declare function createWatcher(parts: WatcherParts): Watcher;

// host/sources/skill-files.d.ts
/** A skill on disk: the folder of its plugin, and its own below that, both absolute. */
export interface SkillPlace {
    root: string;
    folder: string;
}
/** A file that a skill brings along. */
export interface SkillFile {
    /** Relative to the skill's folder, such as `scripts/check.sh`. */
    path: string;
    bytes: number;
}
/** The text after the front matter, without blank lines before it. @throws Error whose message is the reason */
export declare function readSkillBody(place: SkillPlace): Promise<string>;
/**
 * The files one level below the folders of a skill, by path; what is no file, or leads out of the plugin, is left out.
 *
 * @throws Error whose message is the reason
 */
export declare function listSkillFiles(place: SkillPlace, filesMax: number): Promise<SkillFile[]>;
/** The bytes of one of these files. @throws Error whose message is the reason */
export declare function readSkillFile(place: SkillPlace, path: string, bytesMax: number): Promise<Uint8Array>;

// host/spec.d.ts
import type { PluginKind, Scope } from "../runtime/protocol.ts";
/** Which of the three plugin systems a plugin belongs to. */
export type PluginSystem = "amp" | "external" | "package";
/**
 * The place of a plugin in every order that brood keeps; fixed before anything starts.
 * System first, then the place within it, then the name by code unit.
 */
export type Rank = readonly [system: number, place: number, name: string];
/** One plugin that a source found on disk; nothing of it has run. */
export interface PluginSpec {
    system: PluginSystem;
    /** File name without its ending, or the directory's name. */
    name: string;
    scope: Scope;
    kind: PluginKind;
    /** Absolute path of the file that is imported; a link is kept as it is. */
    path: string;
    /** Absolute path of the plugin's folder: working directory and border of its files. */
    root: string;
    rank: Rank;
    /** The static `description` export, read without running the file. */
    description?: string;
    /** Agent modes that comments announce, read without running the file. */
    announcedModes: AnnouncedMode[];
    /** What is odd about the file and does not keep it from loading. */
    warnings: string[];
}
/** Says which plugin is meant in any host and workspace, also where others have its name. */
export interface PluginKey {
    system: PluginSystem;
    scope: Scope;
    /** The folder that it lies in, with every link on the way followed. */
    directory: string;
    name: string;
}
/** A mode named by a comment `// @amp-agent-mode {"key":"…","label":"…"}`. */
export interface AnnouncedMode {
    key: string;
    label: string;
    /** Counts from 1. */
    line: number;
}
/** Something in a plugin place that is no plugin, and why. */
export interface SkippedCandidate {
    path: string;
    reason: string;
}
/** What a source found in its places. */
export interface Discovery {
    /** In rank order; of two with the same name the first is used and the other is shadowed. */
    plugins: PluginSpec[];
    skipped: SkippedCandidate[];
}
/** Orders by rank. */
export declare function compareRank(a: Rank, b: Rank): number;

// host/ui/dialog.d.ts
import type { AskContext } from "../contracts/providers.ts";
/** The dialogs that wait for a person. */
export declare const dialogKinds: readonly ["input", "confirm", "form", "select"];
export type DialogKind = (typeof dialogKinds)[number];
/** A dialog as messages name it: `select dialog "Pick one"`. */
export declare function describeDialog(kind: DialogKind, title: string | undefined): string;
/**
 * Waits for the answer as long as somebody wants it; what comes of `ask` later is dropped.
 *
 * @throws BroodError `cancelled` as soon as `context.signal` aborts; `ask` is not called when it already has
 */
export declare function whileWanted<Answer>(context: AskContext, dialog: string, ask: () => Promise<Answer>): Promise<Answer>;
/** Whether a dialog is withdrawn because the process that asked has ended, rather than by its caller. */
export declare function hasPluginEnded({ signal }: AskContext): boolean;

// host/ui/none.d.ts
import type { UIProvider } from "../contracts/providers.ts";
/** The UI of a host that nobody watches: every method rejects with `ui_not_available`. */
export declare function noUI(): UIProvider;

// host/ui/recording.d.ts
import type { Json } from "../../runtime/records.ts";
import type { FormField, UIProvider } from "../contracts/providers.ts";
import type { DialogKind } from "./dialog.ts";
/** One dialog or message as it was asked; while it is open it has none of `answer`, `cancelled` and `error`. */
export interface UIRecord {
    kind: DialogKind | "notify";
    plugin: string;
    title?: string;
    message?: string;
    helpText?: string;
    options?: string[];
    fields?: FormField[];
    /** What the person answered; `[secret]` for a secret input. */
    answer?: Json;
    /** The person cancelled. */
    cancelled?: true;
    error?: {
        code?: string;
        message: string;
    };
}
/**
 * Passes everything on to another UI and keeps a record of it, in the order of asking, without secrets that it saw.
 *
 * @param secrets what is not recorded either
 */
export declare function recordingUI(inner: UIProvider, secrets?: string[]): {
    ui: UIProvider;
    record: UIRecord[];
};

// host/ui/scripted.d.ts
import type { Json } from "../../runtime/records.ts";
import type { UIProvider } from "../contracts/providers.ts";
import { type DialogKind } from "./dialog.ts";
/**
 * One prepared answer: text for input and select, true or false for confirm, an object of fields for a form, `null` for
 * a person who cancels. An object with nothing but `kind`, `title` and one of `answer` and `cancel` also says which
 * dialog is expected; a form with a field named `answer` needs that second form.
 */
export type ScriptedAnswer = Json | ScriptedDialog;
/** A prepared answer with the dialog that it belongs to. */
export interface ScriptedDialog {
    kind?: DialogKind;
    /** Must equal the title of the dialog. */
    title?: string;
    answer?: Json;
    /** The person cancels; stands in place of `answer`. */
    cancel?: true;
}
/** A UI of prepared answers. */
export interface ScriptedUI extends UIProvider {
    /** The answers that no dialog has taken so far, in order. */
    readonly left: readonly ScriptedAnswer[];
}
/**
 * Answers dialogs from a list, in order; a dialog takes one answer, also when it does not fit. `notify` takes none.
 * Methods reject with `invalid_answer` when the next answer does not fit, and with `ui_not_available` when none is left.
 *
 * @param options.source where the answers come from, as messages name it
 */
export declare function scriptedUI(answers: ScriptedAnswer[], options?: {
    source?: string;
}): ScriptedUI;
/**
 * Reads the content of a file of answers.
 *
 * @throws BroodError `usage` that names the file and the number of the answer
 */
export declare function parseAnswers(json: unknown, file: string): ScriptedAnswer[];
/** A prepared answer as a message names it, with the dialogs that it can be for: `true for a confirm dialog`. */
export declare function describeAnswer(scripted: ScriptedAnswer): string;

// host/ui/terminal.d.ts
import type { Readable, Writable } from "node:stream";
import type { UIProvider } from "../contracts/providers.ts";
/**
 * Draws dialogs in a terminal, one at a time, each under the name of its plugin; those of one plugin in the order of
 * asking, and several plugins take turns.
 *
 * Escape and Ctrl-C cancel a dialog. `notify` is printed at once, or behind the dialogs that were asked before, and
 * never waits for them. Buttons have no place here: `submitButtonText` is not shown.
 *
 * @param options.input the keyboard; stdin unless given
 * @param options.output the screen; stderr unless given, since stdout carries results
 * @param options.interrupt called on Ctrl-C, after the dialog was answered as cancelled and those that wait behind it
 *   with it; a terminal in which a dialog is open turns Ctrl-C into a key, so nothing else tells the program
 */
export declare function terminalUI(options?: {
    input?: Readable;
    output?: Writable;
    interrupt?: () => void;
}): UIProvider;

// host/validate/types.d.ts
import type { Stage } from "../../runtime/errors.ts";
import type { Scope } from "../../runtime/protocol.ts";
import type { CommandItem, EventName, LinkItem, ModeItem, SkillItem, ToolItem } from "../../runtime/records.ts";
import type { HostOptions } from "../contracts/options.ts";
import type { SkippedCandidate } from "../spec.ts";
/** How plugins are examined: like a host would load them. */
export interface ValidateOptions extends Pick<HostOptions, "cwd" | "env" | "install" | "launch" | "limits" | "client" | "endWithProgram"> {
    /** Gives up: every process is ended, and `validatePlugins` rejects with the signal's reason. */
    signal?: AbortSignal;
}
/** What is wrong with a plugin, for programs to branch on. */
export type ProblemCode = "not_a_plugin" | "syntax_error" | "missing_package" | "missing_file" | "no_default_export" | "load_failed" | "launch_failed" | "ready_timeout" | "exited_before_ready" | "incompatible_protocol" | "unhandled_rejection" | "uncaught_exception" | "invalid_registration" | "invalid_skill" | "invalid_schema" | "unknown_event" | "odd_registration" | "duplicate_registration" | "name_taken" | "case_clash" | "mode_not_registered" | "mode_not_announced" | "mode_label_differs" | "mode_comment_ignored" | "description_ignored" | "schema_part_ignored" | "file_skipped" | "shadowed" | "warned";
export interface PluginProblem {
    /** An error keeps the plugin, or a part of it, from working. */
    severity: "error" | "warning";
    code: ProblemCode;
    plugin: string;
    /** When in its life a host would see it; `discover` is before anything of it runs. */
    stage: Stage;
    /** What is wrong, in one sentence. */
    message: string;
    /** Absolute path. */
    file?: string;
    /** Counts from 1, as the column does. */
    line?: number;
    column?: number;
    /** What to do next, in one sentence. */
    hint?: string;
    /** Code frame, ready to print. */
    frame?: string;
}
/** One plugin, and all that is wrong with it. */
export interface ValidatedPlugin {
    name: string;
    scope: Scope;
    path: string;
    /** Whether it has no error; it may have warnings. */
    ok: boolean;
    /** Whether it loads, refused registrations apart; one that it does not catch keeps it from loading in a host. */
    loads: boolean;
    /** Errors first, then by stage, file and line. */
    problems: PluginProblem[];
    /** What it has registered, refused ones left out. */
    commands: CommandItem[];
    tools: ToolItem[];
    skills: SkillItem[];
    events: EventName[];
    modes: ModeItem[];
    links: LinkItem[];
}
/** What came out of examining plugins. */
export interface ValidationReport {
    /** Whether no plugin has an error. */
    ok: boolean;
    /** In rank order; a path that is no plugin stands behind them, with the reason as its problem. */
    plugins: ValidatedPlugin[];
    /** What lies in a folder of plugins and is no plugin, with the reason. */
    skipped: SkippedCandidate[];
}

// host/validate/validate.d.ts
import type { ValidateOptions, ValidationReport } from "./types.ts";
/**
 * Examines plugins: reads their sources, loads each in a process of its own without publishing anything, and tells all
 * that is wrong with them at once. Dispose callbacks run, and nothing is left: no process, no file, no setting.
 *
 * @param paths plugin files, directory plugins or folders of plugins; none means the places of the workspace and the user
 * @throws BroodError `unsupported_platform`; `usage` for an option that cannot be used; the reason of `options.signal`
 */
export declare function validatePlugins(paths?: readonly string[], options?: ValidateOptions): Promise<ValidationReport>;

// runtime/bytes.d.ts
/**
 * Bytes in a message. They travel raw to a side that reads parts; every other JSON of them, also that of a log, is a
 * text of base64. No member shows them, so that whoever walks a message passes them like an empty object.
 */
export declare class Bytes {
    #private;
    /** Without a copy: what it is given must not change until it has left. */
    constructor(view: Uint8Array<ArrayBuffer>);
    get view(): Uint8Array<ArrayBuffer>;
    toJSON(): string | null;
}
/** The JSON of a value with null for the bytes in it; `metBytes` then says whether there were any. */
export declare function stringifyWithoutBytes(value: unknown): string | undefined;
export declare function metBytes(): boolean;

// runtime/call.d.ts
import { type WireError } from "./wire-error.ts";
/** The id of a call, as JSON-RPC allows it and JSON can carry it unchanged. */
export type Id = number | string;
export declare function isId(id: unknown): id is Id;
/** One message that passed through a peer. */
export interface Frame {
    direction: "in" | "out";
    message: unknown;
    bytes: number;
}
export type Handler = (params: unknown, context: HandlerContext) => unknown;
export interface HandlerContext {
    /** Aborts when the caller gives up, with an `AbortError` or `TimeoutError`, or when the connection ends. */
    signal: AbortSignal;
    /** The caller's id of this call. */
    id: number | string;
}
export interface CallOptions {
    /** Aborting it cancels the call; a BroodError as its reason is what the call rejects with. */
    signal?: AbortSignal | undefined;
    /** Milliseconds until the call is given up; none when absent. */
    timeoutMs?: number | undefined;
    /** Passes the limits of waiting calls and queued bytes. */
    urgent?: boolean;
    /** Hears the id of the call as it is sent. */
    sent?: (id: number) => void;
}
/** An aborted call rejects with the BroodError it was aborted with, else as cancelled. */
export declare function abortError(method: string, signal: AbortSignal): Error;
/** A call whose caller has given it up. */
export interface Cancel {
    id: Id;
    reason: Error;
}
/** What `$/cancel` carries; a caller that just gave up is no reason worth telling. */
export declare function cancelParams(id: Id, error: Error): {
    id: Id;
    error?: WireError;
};
/** Reads a `$/cancel`; the reason has the name that other signals of the platform give it. */
export declare function readCancel(params: unknown): Cancel | undefined;

// runtime/channel-memory.d.ts
import type { Channel, ChannelListener } from "./channel.ts";
/** One end of an in-memory pair, before somebody listens. */
export type MemoryEnd = (listener: ChannelListener) => Channel;
/**
 * Two linked channels in one process. Messages are copied through JSON, so that each side sees exactly
 * what the wire would have carried, and arrive in a later microtask, as they would from a process.
 */
export declare function memoryChannels(): [MemoryEnd, MemoryEnd];

// runtime/channel.d.ts
import type { Codec } from "./codec/codec.ts";
import { type BroodError } from "./errors.ts";
import type { Limits } from "./limits.ts";
import type { ByteWire } from "./wire.ts";
/** Messages in both directions between two sides that need not share a process. */
export interface Channel {
    /**
     * Queues a message; messages leave in this order, but calls and answers may pass a large message. An urgent one is small and passes the queue limit:
     * an error or a cancellation that must not be lost because the queue is full. One largest message past that limit,
     * or with too many of them, the channel closes.
     * @throws BroodError `channel_closed`, `busy` past the write queue limit, `not_serializable`, `message_too_large`
     */
    send(message: unknown, urgent?: boolean): void;
    /** Resolves when all that was sent has left this side, or at the close. */
    flush(): Promise<void>;
    /** Ends both directions; what is queued is given up. */
    close(reason: BroodError): void;
}
/** A channel of a process that may end at any moment. */
export interface ByteChannel extends Channel {
    /**
     * Gives what is queued to the wire in this very moment instead of the next microtask; may be called until it has.
     * @returns whether everything has left
     */
    handOver(): boolean;
    /** Writes in this codec from now on: the other side has said that it reads it. */
    speak(codec: Codec): void;
}
/** What a channel tells its one listener. */
export interface ChannelListener {
    message(value: unknown, bytes: number): void;
    /** A message was queued to be sent. */
    sent(message: unknown, bytes: number): void;
    /** Something that is no message stood on the stream. */
    noise(excerpt: string, reason: string): void;
    /** Called once; nothing comes after it. */
    closed(reason: BroodError): void;
}
export interface ByteChannelOptions {
    wire: ByteWire;
    /** Reads, and writes until another one is agreed. */
    codec: Codec;
    limits: Limits["wire"];
    listener: ChannelListener;
    /** What somebody who had the wire before has read and not understood; decoded first. */
    received?: Uint8Array[] | undefined;
    /** What somebody who had the wire before could not write yet; leaves first. */
    unsent?: Uint8Array[] | undefined;
}
/** A channel over a wire; knows no process. Starts reading in the next microtask. */
export declare function openByteChannel(options: ByteChannelOptions): ByteChannel;
/**
 * Gives a value back that JSON has a form for; JSON.stringify leaves a member of another type out without a word.
 * @throws BroodError `not_serializable`
 */
export declare function carried(value: unknown): unknown;

// runtime/codec/codec.d.ts
/** One thing that a decoder found in a stream. */
export type Decoded = {
    kind: "message";
    value: unknown;
    bytes: number;
}
/** Bytes between two message ends that are no message; `excerpt` shows their beginning. */
 | {
    kind: "noise";
    excerpt: string;
    reason: string;
    bytes: number;
}
/** A message grew past a limit, of bytes unless `values` is set; nothing after it can be trusted. */
 | {
    kind: "too_large";
    bytes: number;
    values?: true;
};
/** Turns a stream of byte chunks into messages; keeps what is not complete yet. */
export interface Decoder {
    /** @returns what became complete with this chunk, in order */
    push(chunk: Uint8Array): Decoded[];
    /** Ends the stream; a rest without an end is noise. */
    end(): Decoded[];
}
/** One framing of messages on a byte stream. */
export interface Codec {
    /** @throws what JSON.stringify throws for a value that cannot be carried */
    encode(message: unknown): Encoded;
    decoder(limits: DecoderLimits): Decoder;
    /** Where a part of a chunk ends that reaches at least to `least`: at the end of a message, or of the chunk. */
    cut(chunk: Uint8Array, least: number): number;
}
/** A message as it goes over the wire: one line with its end, or one that parts follow. */
export type Encoded = string | PartedMessage;
/** A message with parts that follow its line in slices; whole other messages may go between two slices. */
export interface PartedMessage {
    /** The line with its end, which must go before the slices. */
    line: string;
    /** What its parts have together. */
    partBytes: number;
    /** Text of a part that is JSON; it counts for the limit of values as the line does. */
    json?: string;
    /** Makes the slices, each when it is asked for. */
    slices(): Iterator<Slice>;
}
/** Some of the bytes of a message's parts, with the line that goes before them. */
export interface Slice {
    heading: Uint8Array;
    bytes: Uint8Array;
}
export interface DecoderLimits {
    /** Of a line, and of a line with its parts. */
    lineBytesMax: number;
    valuesMax: number;
    noiseExcerptCharsMax: number;
}

// runtime/codec/ndjson.d.ts
import type { CodecName } from "../protocol.ts";
import type { Codec } from "./codec.ts";
/** A codec whose messages are lines alone. */
export interface LineCodec extends Codec {
    encode(message: unknown): string;
}
/**
 * Newline-delimited JSON: one value a line, only 0x0A ends a line, CR before it and blank lines are accepted,
 * one byte order mark at the start is dropped, a line that is not UTF-8 is noise. Work is linear in the bytes
 * read, whatever the chunks. Bytes are written as base64; what is read is the same as in `ndjsonParts`.
 */
export declare const ndjson: LineCodec;
/**
 * "ndjson+parts": the same lines, and beside them messages whose bytes and long texts follow as parts, in slices that let other messages
 * between them. Both codecs read both; a side writes this one once the other has said that it reads it.
 *
 *     message = JSON LF
 *     opening = SOH [[kind, bytes, ...path], ...] STX JSON LF    null stands in the JSON at each path
 *     slice   = SOH bytes LF so many bytes                       of the parts of the opened message, in their order
 *
 * `kind` is "bytes", "text" (UTF-8) or "json"; the last stands at the empty path for all of a long message. One message is
 * open at a time. No line of JSON begins with SOH, and a path says where a part belongs, so that nothing a message holds
 * can be taken for either.
 */
export declare const ndjsonParts: Codec;
/** The codec that a side writes in to one that reads the codecs of these names; it may know others than this side. */
export declare function agreedCodec(names?: readonly string[]): CodecName;
/** The codec of a name; of one that this side does not know, the one that every side reads. */
export declare function codecOf(name: string): Codec;

// runtime/disposable.d.ts
/** What `on` and every `register…` call return: `unsubscribe` undoes that one registration, once. */
export interface Subscription extends Disposable {
    unsubscribe(): void;
}
/** Makes a subscription whose `undo` runs at most once. */
export declare function subscription(undo: () => void): Subscription;
/** Listeners of one kind of happening; one that throws does not keep the others from hearing. */
export interface Emitter<Event> {
    emit(event: Event): void;
    listen(listener: (event: Event) => void): Subscription;
}
/** Makes an emitter; `onError` hears what a listener throws. */
export declare function emitter<Event>(onError?: (error: unknown) => void): Emitter<Event>;

// runtime/error-table.d.ts
/** What the text of an error is made of. */
export interface TextFacts {
    plugin?: string;
    /** The tool, command, method or file that it is about. */
    subject?: string;
    /** The provider of the host that is to blame, such as `ai`. */
    provider?: string;
    /** What exactly was wrong, as a clause. */
    reason?: string;
    ms?: number;
}
/** One row a code: the JSON-RPC number on the wire, the exit code of the CLI, the text. */
export declare const errorTable: {
    readonly internal: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly parse_error: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly invalid_request: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly method_not_found: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly invalid_params: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly plugin_error: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly cancelled: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly timeout: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly busy: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly channel_closed: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly not_serializable: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly invalid_answer: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly message_too_large: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly launch_failed: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly ready_timeout: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly load_failed: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly no_default_export: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly invalid_registration: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly exited_before_ready: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly incompatible_protocol: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly plugin_exited: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly plugin_not_found: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly plugin_not_ready: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly tool_not_found: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly command_not_found: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly command_disabled: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly invalid_input: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly invalid_schema: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly tool_rejected: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly ui_not_available: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly provider_missing: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly provider_failed: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly invalid_skill: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly skill_not_found: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly skill_unreadable: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly thread_not_found: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly invalid_settings: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly invalid_state: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly setting_not_found: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly webhook_not_found: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly webhooks_unavailable: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly invalid_plugin: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly budget_exceeded: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly host_stopped: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly unsupported_platform: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
    readonly usage: {
        jsonRpcCode: number;
        exitCode: number;
        text: (facts: TextFacts) => string;
    };
};
/** Stable name of a kind of failure; scripts and plugins may branch on it. */
export type ErrorCode = keyof typeof errorTable;

// runtime/errors.d.ts
import { type ErrorCode, type TextFacts } from "./error-table.ts";
export { type ErrorCode, errorTable, type TextFacts } from "./error-table.ts";
/** Where in a plugin's life something went wrong. */
export type Stage = "discover" | "spawn" | "client.info" | "import" | "activate" | "ready" | "fetch" | "call" | "stop";
/** A place in a source file; line and column count from 1. */
export interface SourcePosition {
    file: string;
    line: number;
    column: number;
    /** The text of that line, when it is known. */
    lineText?: string;
    /** What is wrong there. */
    message?: string;
}
/** What `BroodError` carries beside its message. */
export interface ErrorFacts {
    plugin?: string | undefined;
    stage?: Stage | undefined;
    /** What to do next, in one sentence. */
    hint?: string | undefined;
    /** How the process ended, when it did. */
    exit?: ExitFacts | undefined;
    /** The end of what it had written to stderr, when it had not ended; else `exit` has it. */
    stderrTail?: string | undefined;
    positions?: SourcePosition[] | undefined;
    /** Code frame, ready to print. */
    frame?: string | undefined;
    cause?: unknown;
}
/** How a process ended; exactly one of `code` and `signal` is set unless it never started. */
export interface ExitFacts {
    code: number | null;
    signal: string | null;
    /** The end of what it wrote to stderr, at most `limits.text.stderrTailBytesMax` bytes. */
    stderrTail: string;
    /** Why the host ended it; absent when it ended by itself or somebody else ended it. */
    endedFor?: string | undefined;
}
declare const brand: unique symbol;
/** The one error family of brood, the same class on both sides of the wire. */
export declare class BroodError extends Error {
    readonly [brand] = true;
    readonly code: ErrorCode;
    readonly plugin: string | undefined;
    readonly stage: Stage | undefined;
    readonly hint: string | undefined;
    readonly exit: ExitFacts | undefined;
    /** The end of what the process wrote to stderr, at most `limits.text.stderrTailBytesMax` bytes. */
    readonly stderrTail: string | undefined;
    readonly positions: SourcePosition[] | undefined;
    readonly frame: string | undefined;
    constructor(code: ErrorCode, message: string, facts?: ErrorFacts);
    /** What is worth keeping of it in JSON, the hint beside the message; that of an Error is left out otherwise. */
    toJSON(): Pick<ErrorFacts, "plugin" | "stage" | "hint"> & {
        code: ErrorCode;
        message: string;
        positions?: Place[];
    };
}
type Place = Pick<SourcePosition, "file" | "line" | "column">;
/** The message without the hint that ends it. */
export declare function withoutHint({ message, hint }: Pick<BroodError, "message" | "hint">): string;
/** Makes an error whose text comes from the table. */
export declare function failure(code: ErrorCode, facts?: ErrorFacts & TextFacts): BroodError;
/** Recognises an error of brood by its brand, so that two copies of the package understand each other. */
export declare function isBroodError(error: unknown, code?: ErrorCode): error is BroodError;
/** A short, safe sentence for anything that can be thrown, errors included. */
export declare function messageOf(thrown: unknown): string;
/** Whether something reads like an error, of whatever realm or library. */
export declare function isErrorLike(thrown: unknown): thrown is object;
/** The sentence for what was thrown and is no error. */
export declare function describeThrown(thrown: unknown): string;
/** Reads a property of a foreign object, whose getters may throw. */
export declare function read(object: object, key: string | symbol): unknown;
/** Reads a text of a foreign error; a code may be a number. */
export declare function readText(object: object, key: string): string | undefined;

// runtime/index.d.ts
/** The contract `brood/runtime`: the protocol, its peer and its codecs, for other programs that speak it. */
export { Bytes } from "./bytes.ts";
export type { ByteChannel, ByteChannelOptions, Channel, ChannelListener } from "./channel.ts";
export { openByteChannel } from "./channel.ts";
export { type MemoryEnd, memoryChannels } from "./channel-memory.ts";
export type { Codec, Decoded, Decoder, Encoded, PartedMessage, Slice } from "./codec/codec.ts";
export { agreedCodec, codecOf, type LineCodec, ndjson, ndjsonParts } from "./codec/ndjson.ts";
export { type Subscription, subscription } from "./disposable.ts";
export type { ErrorCode, ExitFacts, SourcePosition, Stage } from "./errors.ts";
export { BroodError, errorTable, isBroodError } from "./errors.ts";
export { type Limits, limits } from "./limits.ts";
export type { CallOptions, Frame, HandlerContext, Peer, PeerOptions } from "./peer.ts";
export { createPeer } from "./peer.ts";
export type * from "./protocol.ts";
export { protocolVersion } from "./protocol.ts";
export type * from "./records.ts";
export { createTap, type Tap, type TapFrame } from "./tap.ts";
export { type Handlers, type Remote, remote, serve } from "./typed.ts";
export type { ByteWire, WireListener } from "./wire.ts";
export { fromWireError, toWireError, type WireError } from "./wire-error.ts";
export { socketWire } from "./wire-socket.ts";
export { type ByteSink, streamWire } from "./wire-stream.ts";

// runtime/limits.d.ts
/** Every bound of brood, its unit in the name and its reason beside it. */
export declare const limits: {
    wire: {
        /** A larger message is a bug or an attack; a whole image or source file fits with room. */
        lineBytesMax: number;
        /** Bytes accepted by a writer and not yet taken by the other side; past it a call fails with `busy`. */
        writeQueueBytesMax: number;
        /** Errors and cancellations that may wait beyond the queue; past it nobody reads them, and the connection ends. */
        urgentMessagesMax: number;
        /** Calls without an answer, per plugin and direction; past it a call fails with `busy`. */
        pendingCallsMax: number;
        /** Values of one message; each costs far more memory than its bytes, and time of whoever walks them. */
        valuesMax: number;
        /** Items of one kind that a plugin may register; each costs every change of the registry. */
        itemsMax: number;
        /** Handlers of one event that a plugin may have; they are asked one after the other, each by a message. */
        handlersPerEventMax: number;
        /** Milliseconds of a second that may go into lists of one plugin that registers without pause. */
        listingMsPerSecondMax: number;
        /** Titles and states of threads that one process of a plugin may hear at a time. */
        threadSubscriptionsMax: number;
        /** Bytes of a plugin's calls that wait for an answer; past it they fail with `busy`. */
        askedBytesMax: number;
        /** Answers that a plugin leaves unread beyond the queue; past it its calls fail with `busy`. */
        unsentAnswersMax: number;
        /** Milliseconds of a second that may go into files and answers which one plugin asks for. */
        askingMsPerSecondMax: number;
        /** What a log entry quotes of a line that is no message. */
        noiseExcerptCharsMax: number;
    };
    load: {
        /** Spawn to `runtime.ready`; Amp's own deadline. */
        readyMs: number;
        /** What a plugin that may fetch packages has beside; Bun gives up on a registry that says nothing after 30 s. */
        installMs: number;
        /** A start keeps its place among those that run at once this long, and less where it only waits: it holds up nobody. */
        startPlaceMs: number;
        /** How long the tail of stderr may lag behind the exit it explains. */
        exitDrainMs: number;
        /** Plugins that a diagnosis loads; more are a folder that nobody meant to be a place, and each is a process. */
        diagnosedMax: number;
    };
    call: {
        /** An event handler that needs longer holds up the agent; time with a dialog on screen is not counted. */
        eventHandlerMs: number;
        /** How often in a row `agent.end` may continue a turn, unless the answer says otherwise. */
        continuationsMax: number;
        /** Rounds of a turn that is played, whatever plugins allow themselves. */
        turnRoundsMax: number;
        /** The link patterns of a plugin have this long for a text; a hostile one blocks its own process for longer. */
        linkResolveMs: number;
        /** A plugin whose patterns took longer is not asked again this long. */
        linkPauseMs: number;
    };
    stop: {
        /** Dispose callbacks have this long together; Amp's own bound. */
        disposeMs: number;
        /** SIGINT may be handled this long before SIGKILL follows; Amp's own bound. */
        interruptMs: number;
        /** Calls in flight may finish this long on an instance that a reload has replaced. */
        drainMs: number;
    };
    liveness: {
        /** How often a child is asked for a sign of life: rare enough to cost an idle one nothing. */
        pingEveryMs: number;
        /** Without an answer for this long it counts, and is shown, as unresponsive. */
        silentMs: number;
        /** Then it is killed: plugins in the wild block their loop for many seconds with spawnSync. */
        giveUpMs: number;
    };
    restart: {
        /** Three restarts, four launches in all; Amp's own count. */
        retriesMax: number;
        /** The wait before each restart; the last one repeats. */
        delaysMs: number[];
        /** One that served this long before it crashed begins its count anew; no length does, as in Amp, unless set. */
        stableAfterMs: number;
    };
    reload: {
        /** A save is over when nothing was written for this long: editors write in several steps. */
        settleMs: number;
        /** What is written without pause is loaded all the same after this long. */
        longestMs: number;
        /** A file may be away or empty for this long before it counts as removed or emptied: editors delete and write anew. */
        goneMs: number;
        /** Files that are watched for the first time are looked at again after this long: it takes a moment until changes are heard. */
        checkMs: number;
    };
    text: {
        /** A log line is cut here, so that one plugin cannot fill a terminal. */
        logLineBytesMax: number;
        /** Log lines of one plugin in a second; each costs the host, so that a faster one has the rest counted and dropped. */
        logLinesPerSecondMax: number;
        /** Log entries kept in memory per plugin. */
        logEntriesMax: number;
        /** A message or stack that a plugin throws is cut here; all texts of one error may take eight times as many. */
        errorTextCharsMax: number;
        /** The end of stderr that a failure quotes. */
        stderrTailBytesMax: number;
        /** Plugin text in a dialog is cut here. */
        uiTextCharsMax: number;
        /** A text in which links are looked for; a message of an agent is far shorter. */
        linkTextCharsMax: number;
        /** Options of a select; nobody finds one among more. */
        uiOptionsMax: number;
        /** Fields of a form, which are asked one by one. */
        uiFieldsMax: number;
        /** Dialogs of a plugin that wait for a person at once, and messages that wait behind them. */
        uiDialogsMax: number;
        /** Status items of a plugin; a screen has no room for more. */
        statusItemsMax: number;
        /** A longer description in a plugin file is ignored, as in Amp. */
        descriptionCharsMax: number;
        /** How much of a plugin file is read to find its description and mode comments. */
        headBytesMax: number;
        /** A SKILL.md or settings file past this is refused before it is parsed. */
        documentBytesMax: number;
        /** A file of a skill past this is not read. */
        skillFileBytesMax: number;
        /** Files of a skill that are listed; nobody reads a longer list. */
        skillFilesMax: number;
        /** A longer text in a thought, tool input or tool output is cut here when a plugin reads messages and not `full`. */
        messageExcerptCharsMax: number;
        /** Frames that a tap keeps. */
        tapFramesMax: number;
        /** Bytes of messages that a tap keeps; one message alone may be as large as a whole line. */
        tapBytesMax: number;
    };
    ai: {
        /** One answer, with its retries; models that reason take minutes. */
        answerMs: number;
        /** What a server sends for one answer; no model writes as much. */
        answerBytesMax: number;
        /** The longest `Retry-After` of a server that is waited for. */
        retryAfterMsMax: number;
    };
    validate: {
        /** How long a plugin that is only examined is watched after its load, for what it left unawaited to fail. */
        settleMs: number;
        /** What is told of one plugin; nobody reads more. */
        findingsMax: number;
        /** Source files of one plugin that are read; real ones have some dozens. */
        filesMax: number;
    };
    attachments: {
        /** Images past this are refused, as in Amp. */
        imageBytesMax: number;
        /** Width and height of an image, as in Amp. */
        imageSidePixelsMax: number;
        /** One upload. */
        uploadMs: number;
    };
    configuration: {
        /** One answer of a provider of settings, which may ask a server. */
        answerMs: number;
        /** Subscriptions of one process of a plugin; it needs one, however many of its parts listen. */
        subscriptionsMax: number;
        /** The lock of a settings file is waited for so long; who holds it writes one small file. */
        lockMs: number;
    };
    webhooks: {
        /** One answer of a provider of webhooks to `createWebhook`, which may ask a server. */
        openMs: number;
        /** A delivery has this long, as in Amp; time with a dialog of it on screen is not counted. */
        handlerMs: number;
        /** New events that one webhook takes at once, as in Amp. */
        burstEventsMax: number;
        /** New events that one webhook takes in a minute, as in Amp. */
        eventsPerMinuteMax: number;
        /** Eight times what Amp takes, since senders such as GitHub send more. */
        bodyBytesMax: number;
        /** A request must have come whole within this; a slower sender holds a place for nothing. */
        receiveMs: number;
        /** Events of one webhook that wait, as in Amp; more than a day of failures brings. */
        pendingEventsMax: number;
        /** The wait after the first failure of an event, as in Amp; each further one doubles it. */
        retryFirstMs: number;
        /** The longest wait between two deliveries of an event, as in Amp. */
        retryLastMs: number;
        /** An event whose first failure is older is put aside when it fails again: whoever mends a handler has a day. */
        failingMs: number;
        /** An event during which the process ended so often is put aside: one more would use up the plugin's restarts. */
        crashesMax: number;
        /** An Idempotency-Key is remembered at least this long; senders retry for hours. */
        rememberedMs: number;
        /** Events that nobody took, and those that were put aside, are dropped after this. */
        keptMs: number;
        /** A webhook that no host has opened for this long is forgotten; its URL is the same when it is opened again. */
        forgottenMs: number;
        /** A host that does not renew its hold on an event for this long has ended; renewed three times as often. */
        leaseMs: number;
        /** Webhooks of one plugin; some have one for each thread. */
        webhooksMax: number;
    };
    executor: {
        /** One answer of a provider of the executor, which may ask a server. */
        answerMs: number;
        /** What one process of a plugin may keep alive at once; one is enough for any length of work. */
        keepAlivesMax: number;
    };
};
/** The longest time that a timer of the platform can count, some 24 days; a longer one would fire at once. */
export declare const longestTimerMs: number;
/**
 * A member of a message that nests deeper is dropped: whoever walks it later would exhaust the stack. No host may change
 * it, since both sides keep to it from the first message on, and since that stack is the engine's and not the host's.
 */
export declare const messageDepthMax = 1000;
/** The bounds that a host may change, for every plugin alike. */
export type Limits = typeof limits;
/** Some bounds, by group; what is left out keeps its default. */
export type LimitOverrides = {
    [Group in keyof Limits]?: Partial<Limits[Group]>;
};
/**
 * The defaults with a host's own bounds laid over them; `undefined` leaves the default.
 *
 * @throws BroodError `usage` for a name that is no bound, and for what is no value of one
 */
export declare function withOverrides(overrides?: LimitOverrides): Limits;

// runtime/peer.d.ts
import { type CallOptions, type Frame, type Handler } from "./call.ts";
import { type Channel, type ChannelListener } from "./channel.ts";
import { type BroodError } from "./errors.ts";
import { type RunningBounds } from "./running.ts";
/** One side of a symmetric JSON-RPC 2.0 connection: both sides call, answer and notify. */
export interface Peer {
    /**
     * Calls a method of the other side.
     * @throws BroodError `timeout`, `cancelled`, `busy`, `channel_closed`, `not_serializable`, `invalid_answer`,
     * or the error that the other side answered with
     */
    call(method: string, params: unknown, options?: CallOptions): Promise<unknown>;
    /**
     * Sends a notification; a closed channel swallows it. Since nobody would miss it, it passes the limit of queued bytes,
     * unless `dropped` is there to hear that it was not sent.
     */
    notify(method: string, params: unknown, dropped?: () => void): void;
    /** Waits for the answer to a call that was sent before this peer was there; its own calls have higher ids. */
    resume(id: number, method: string): Promise<unknown>;
    /** Serves a method; the last handler of a name wins. */
    handle(method: string, handler: Handler): void;
    /** Hears notifications of one name. */
    listen(method: string, listener: (params: unknown) => void): void;
    /** Calls that wait for an answer. */
    readonly pending: number;
    /** Resolves when all that was sent has left this side. */
    flush(): Promise<void>;
    /** Fails every waiting call with `reason`, aborts every running handler, and ends the channel. */
    close(reason: BroodError): void;
    /** Resolves with the reason once the connection has ended. */
    readonly closed: Promise<BroodError>;
}
export type { CallOptions, Frame, Handler, HandlerContext } from "./call.ts";
export interface PeerOptions extends RunningBounds {
    /** Answers that may wait for the other side to read; past it its calls fail with `busy`. No bound when absent. */
    unsentAnswersMax?: number;
    /** A text of an error that the other side answers with is cut here. */
    errorTextCharsMax?: number;
    /** Hears what is wrong with the other side's messages; nothing of it ends the connection. */
    problem?: (text: string) => void;
    /** Hears what is no message; as a problem when absent. */
    noise?: (excerpt: string, reason: string) => void;
    /** Sees every message, before it is handled or sent. */
    observe?: (frame: Frame) => void;
}
/** Opens a peer over the channel that `open` makes. */
export declare function createPeer(open: (listener: ChannelListener) => Channel, options: PeerOptions): Peer;

// runtime/protocol-load.d.ts
import type { SourcePosition } from "./errors.ts";
import type { WireError } from "./wire-error.ts";
export interface StageParams {
    stage: "import" | "activate";
    /** The child's clock as the stage begins. */
    ms: number;
}
export interface FailedParams {
    stage: "client.info" | "import" | "activate";
    error: WireError;
    positions: SourcePosition[];
    /** What could not be found, when the load failed on an import. */
    missing?: MissingModule;
    /** The member of the API that was meant, when one was called that does not exist. */
    meant?: string;
}
export interface MissingModule {
    /** As the import names it. */
    specifier: string;
    /** The file that imports it; empty where Bun tells none. */
    referrer: string;
    /** Why it could not be fetched, in Bun's words. */
    note?: string;
}
/** The child's clock, in milliseconds since it started, at each step of the load. */
export interface ReadyTimings {
    imported: number;
    activated: number;
    registered: number;
    ready: number;
}
/** The files that a plugin has loaded from disk, those of packages left out; absolute, with links followed. */
export interface ModuleList {
    /** Grows with each file that is loaded. */
    revision: number;
    modules: string[];
}

// runtime/protocol-providers.d.ts
import type { Bytes } from "./bytes.ts";
import type { Json, JsonObject } from "./records.ts";
/** What a plugin says with a question or a prompt; a provider makes of it what its models know. */
export interface AIOptionsParams {
    threadID?: string;
    /** `provider/model`, or a name that the provider knows. */
    model?: string;
    reasoningEffort?: string;
    system?: string;
    /** A positive integer. */
    maxTokens?: number;
}
export interface AIAskParams extends AIOptionsParams {
    question: string;
}
export interface AIGenerateParams extends AIOptionsParams {
    prompt: string;
    schema?: AISchemaParams;
}
/** The object that is asked for. */
export interface AISchemaParams {
    name: string;
    description?: string;
    /** A JSON Schema of type object. */
    jsonSchema: JsonObject;
}
export interface AIAnswerResult {
    result: "yes" | "no" | "uncertain";
    /** From 0 to 1. */
    probability: number;
    reason: string;
}
/** The layer of settings that is changed. */
export type ConfigurationTarget = "workspace" | "global";
export interface ConfigurationUpdateParams {
    partial: JsonObject;
    target: ConfigurationTarget;
}
export interface ConfigurationDeleteParams {
    key: string;
    target: ConfigurationTarget;
}
/** The settings now; told to a child as long as its call of `configuration.subscribe` goes on, first of all at once. */
export interface ConfigurationChange {
    settings: JsonObject;
}
/** One wish of a plugin that the executor lives on; its id is the host's. */
export interface KeepAlive {
    id: number;
}
/** An agent as a plugin defined it; what it extends is a definition again, or the key of a built-in mode. */
export interface AgentDefinitionParams {
    name?: string;
    extends?: string | AgentDefinitionParams;
    /** `provider/model` */
    model?: string;
    instructions?: string;
    tools?: ToolSelectionParams;
    reasoningEffort?: string;
    oracle?: Json;
    subagents?: Json;
    compactionThresholdTokens?: number;
    features?: Json;
    display?: {
        label?: string;
        color?: string;
    };
}
/**
 * The tools of an agent, by name or by a pattern with `*` and `?`: exactly these, all, or those of `include` (when
 * absent, of what is extended, else all), then those of `add`, without those of `exclude`.
 */
export type ToolSelectionParams = string[] | "all" | {
    include?: string[] | "all";
    add?: string[];
    exclude?: string[];
};
export interface AgentRunParams {
    definition: AgentDefinitionParams;
    message: string;
    options?: JsonObject;
}
export interface AgentThreadParams {
    definition: AgentDefinitionParams;
    options?: JsonObject;
}
export interface AgentRunResult {
    threadID: string;
    /** What the agent answered. */
    text: string;
}
export interface AttachmentParams {
    /** Base64 where the wire carries no bytes. */
    data: string | Bytes;
    mimeType: string;
}
export interface WebhookCreateParams {
    key: string;
    /** Names of the request headers that are passed on, in lower case. */
    headers: string[];
}
export interface WebhookExecuteParams {
    key: string;
    event: WebhookEventParams;
    thread: {
        id: string;
    };
}
export interface WebhookEventParams {
    id: string;
    /** Base64. */
    body: string;
    headers: Record<string, string>;
    metadata: JsonObject;
    /** ISO 8601. */
    receivedAt: string;
}

// runtime/protocol-validation.d.ts
import type { Kind } from "./records.ts";
import type { WireError } from "./wire-error.ts";
/** What a child that only examines its plugin tells of, beside how the load ends. */
export declare const findingCodes: readonly [
/** Something was registered; the stack says where. */
"registered", 
/** A registration was refused, and the plugin goes on as if it had not been. */
"refused", 
/** A mode of an agent that was refused; nothing is wrong with it that is not told already. */
"spoilt", 
/** A second registration of the same kind and key took the place of the first. */
"duplicate", 
/** An event of a name that does not exist. */
"unknown_event", 
/** A member that the API does not have was called; the failure of the load follows. */
"unknown_member", 
/** What was registered is odd, and was taken. */
"odd", 
/** The default export failed; what it had registered by then stays. */
"failed", "unhandled_rejection", "uncaught_exception", 
/** The plugin ends its process; the exit follows. */
"exit"];
export type FindingCode = (typeof findingCodes)[number];
export interface ValidationFinding {
    code: FindingCode;
    /** What was to be registered. */
    kind?: Kind;
    /** Its name, id or key; of a member or an event its name. */
    key?: string;
    /** What is wrong, and by its stack where. */
    error: WireError;
}

// runtime/protocol.d.ts
/**
 * The protocol "brood/1": what host and child say to each other, in the order in which they say it.
 * JSON-RPC 2.0, one UTF-8 JSON object a line. Method names follow Amp's where Amp has one.
 */
import type { FailedParams, ModuleList, ReadyTimings, StageParams } from "./protocol-load.ts";
import type { AgentRunParams, AgentRunResult, AgentThreadParams, AIAnswerResult, AIAskParams, AIGenerateParams, AttachmentParams, ConfigurationDeleteParams, ConfigurationUpdateParams, KeepAlive, WebhookCreateParams, WebhookExecuteParams } from "./protocol-providers.ts";
import type { ValidationFinding } from "./protocol-validation.ts";
import type { ContentBlock, EventName, Items, Json, JsonObject, Kind, SkillItem, StatusItem } from "./records.ts";
import type { ThreadCallParams, ThreadReference, ThreadSubscribed, ThreadSubscribeParams } from "./threads.ts";
import type { WireError } from "./wire-error.ts";
/** Version of the wire, independent of the product's; the same major version means compatible. */
export declare const protocolVersion = "1.0.0";
/** The argument that makes a compiled host be a child: `binary --brood-child PLUGIN`. */
export declare const childSwitch = "--brood-child";
/** The argument after the plugin's path that tells a child that the wire is a socket at its descriptor 3, not stdin and stdout. */
export declare const socketWireFlag = "--wire=3";
/**
 * What a host sets in the environment of a child of its own, which hides it from its plugin. The signs tell these values
 * from those that somebody else has set. An idle Bun looks for garbage so many milliseconds apart, each time waking several
 * threads; and it reads modules in the thread that waits for them, which is faster for all but very many.
 */
export declare const childVariables: {
    readonly BUN_GC_TIMER_INTERVAL: "+30000";
    readonly BUN_FEATURE_FLAG_DISABLE_ASYNC_TRANSPILER: "+1";
};
/** Set on globalThis once `brood/child` was imported, so that a host knows that its program can be a child: an `InstalledChild`. */
export declare const childSwitchInstalled: unique symbol;
/** How a side writes. Every side reads lines of JSON; parts beside them go to one that said that it reads them. */
export type CodecName = "ndjson" | "ndjson+parts";
/** How the wire is kept from the plugin: as a socket of its own, by moving descriptors, or, without ffi, by console alone. */
export type GuardKind = "socket" | "descriptors" | "console";
/** A child that tells nothing of itself is taken for one of this protocol. */
export interface ClientInfoParams {
    /** `protocolVersion` of the child. */
    protocol?: string;
    /** Version of Bun in the child. */
    runtimeVersion?: string;
    pid?: number;
    /** Names of the codecs that the child reads; "ndjson" alone when absent. A host skips what it does not know. */
    codecs?: string[];
    guard?: GuardKind;
    /** The child's clock, in milliseconds since it started, when it sent this. */
    ms?: number;
    /** It was started before there was a plugin for it; the answer brings one. */
    spare?: boolean;
}
export interface ClientInfo {
    protocol: string;
    client: {
        name: string;
        version: string;
    };
    plugin: {
        name: string;
        path: string;
        root: string;
        scope: Scope;
        kind: PluginKind;
    };
    workspaceRoot: string | null;
    ampURL: string;
    user: User | null;
    executor: {
        kind: "local" | "remote" | "unknown";
    };
    activeThread: {
        id: string;
    } | null;
    /** Whether dialogs can be answered. */
    ui: boolean;
    /** Names of the providers that answer in this host; what needs another one is refused. */
    providers: string[];
    /** What the host reads, and writes itself once the child is ready; this answer is a line in any case. */
    codec: CodecName;
    /** The bounds of this wire; a side of another host that does not tell them has the defaults. */
    limits?: WireLimits;
    /** The plugin is only examined: the load goes on after a refusal, which `validation.found` tells. */
    validate?: true;
}
/** What both sides of a wire keep to. */
export interface WireLimits {
    lineBytesMax: number;
    writeQueueBytesMax: number;
    pendingCallsMax: number;
}
/** Where a plugin was found; not where it runs. */
export type Scope = "explicit" | "project" | "user";
/** A plugin is one file, or a directory with an index file. */
export type PluginKind = "file" | "directory";
export interface User {
    id: string;
    email: string;
    firstName: string | null;
    lastName: string | null;
    username: string | null;
    workspace: {
        id: string;
        name: string;
        displayName: string;
    } | null;
}
export type * from "./protocol-load.ts";
export interface LogParams {
    level: LogLevel;
    message: string;
}
export type LogLevel = "error" | "warn" | "info" | "debug";
export interface List<K extends Kind> {
    /** Grows with each change of this kind in this child. */
    revision: number;
    items: Items[K][];
}
/** What a child had registered when it became ready: each kind of which it ever registered something. */
export type Listings = {
    [K in Kind]?: List<K>;
};
export interface ToolExecuteParams {
    name: string;
    input: JsonObject;
    thread: {
        id: string;
    };
}
export interface CommandExecuteParams {
    id: string;
    thread: {
        id: string;
    } | null;
}
export interface EventDispatchParams {
    event: EventName;
    handler: number;
    payload: JsonObject;
}
/** What a link pattern finds in a text; `start` and `end` count UTF-16 code units. */
export interface LinkMatch {
    id: string;
    start: number;
    end: number;
    href: string;
}
/** Says which call a request was made in: the id of that call on the wire; absent when made outside of one. */
export interface Asked {
    call?: number;
}
export interface UiNotifyParams extends Asked {
    message: string;
}
export interface UiInputParams extends Asked {
    title?: string;
    helpText?: string;
    initialValue?: string;
    submitButtonText?: string;
    secret?: boolean;
    fieldName?: string;
    requireHuman?: boolean;
}
export interface UiConfirmParams extends Asked {
    title: string;
    message?: string;
    confirmButtonText?: string;
    requireHuman?: boolean;
    fields?: ConfirmField[];
}
export interface ConfirmField {
    type: "text" | "image";
    name: string;
    label: string;
    value: string;
    multiline?: boolean;
    optional?: boolean;
}
export interface UiSelectParams extends Asked {
    title: string;
    options: string[];
    allowOther?: boolean;
    message?: string;
    initialValue?: string;
    requireHuman?: boolean;
}
/** Value that an answer carries; absent when the person cancelled. */
export interface Answer<Value> {
    value?: Value;
}
type Empty = Record<string, never>;
type Method<Params, Result> = {
    params: Params;
    result: Result;
};
/** Calls from child to host. */
export interface ChildCalls {
    "client.info": Method<ClientInfoParams, ClientInfo>;
    "ui.notify": Method<UiNotifyParams, Empty>;
    "ui.input": Method<UiInputParams, Answer<string>>;
    "ui.confirm": Method<UiConfirmParams, Answer<boolean | Record<string, string>>>;
    "ui.select": Method<UiSelectParams, Answer<string>>;
    "status.create": Method<StatusItem, Empty>;
    "status.update": Method<StatusItem, Empty>;
    "status.remove": Method<{
        id: number;
    }, Empty>;
    "skill.register": Method<{
        path: string;
    }, SkillItem>;
    "system.open": Method<{
        url: string;
    }, Empty>;
    "configuration.get": Method<Empty, JsonObject>;
    "configuration.update": Method<ConfigurationUpdateParams, Empty>;
    "configuration.delete": Method<ConfigurationDeleteParams, Empty>;
    /** Keeps the executor alive until it is released, or the process of the plugin ends. */
    "executor.keepAlive": Method<Empty, KeepAlive>;
    "executor.release": Method<KeepAlive, Empty>;
    /** Goes on, with `configuration.change` for each change, until it is cancelled. */
    "configuration.subscribe": Method<Empty, never>;
    "ai.ask": Method<AIAskParams, {
        value: AIAnswerResult;
    }>;
    "ai.generate": Method<AIGenerateParams, {
        value: Json;
    }>;
    "attachments.upload": Method<AttachmentParams, {
        url: string;
    }>;
    "agent.run": Method<AgentRunParams, {
        value: AgentRunResult;
    }>;
    "agent.createThread": Method<AgentThreadParams, {
        value: ThreadReference;
    }>;
    "thread.call": Method<ThreadCallParams, {
        value?: Json;
    }>;
    "thread.subscribe": Method<ThreadSubscribeParams, ThreadSubscribed>;
    "thread.unsubscribe": Method<ThreadSubscribeParams, Empty>;
    "activeThread.subscribe": Method<Empty, {
        value: ThreadReference | null;
    }>;
    "webhook.create": Method<WebhookCreateParams, {
        url: string;
    }>;
}
/** Notifications from child to host. */
export interface ChildNotifications {
    "runtime.stage": StageParams;
    "runtime.ready": {
        timings: ReadyTimings;
        lists?: Listings;
    };
    "runtime.failed": FailedParams;
    log: LogParams;
    "validation.found": ValidationFinding;
    "commands.changed": {
        revision: number;
    };
    "tools.changed": {
        revision: number;
    };
    "skills.changed": {
        revision: number;
    };
    "events.changed": {
        revision: number;
    };
    "modes.changed": {
        revision: number;
    };
    "links.changed": {
        revision: number;
    };
    /** To a host that has asked for `module.list`: there are more files than it was told of. */
    "modules.changed": {
        revision: number;
    };
}
/** Calls from host to child. */
export interface HostCalls {
    "command.list": Method<Empty, List<"command">>;
    "tool.list": Method<Empty, List<"tool">>;
    "skill.list": Method<Empty, List<"skill">>;
    "event.list": Method<Empty, List<"event">>;
    "mode.list": Method<Empty, List<"mode">>;
    "link.list": Method<Empty, List<"link">>;
    "module.list": Method<Empty, ModuleList>;
    "command.execute": Method<CommandExecuteParams, Empty>;
    "tool.execute": Method<ToolExecuteParams, {
        content: ContentBlock[];
    }>;
    "event.dispatch": Method<EventDispatchParams, {
        answer?: Json;
    }>;
    "webhook.execute": Method<WebhookExecuteParams, Empty>;
    "link.resolve": Method<{
        text: string;
    }, {
        matches: LinkMatch[];
    }>;
    ping: Method<Empty, "pong">;
    dispose: Method<Empty, Empty>;
}
/** Notifications that either side may send. */
export interface CommonNotifications {
    /** Aborts the signal of the handler that serves this id, for that reason if one is told; the handler still answers. */
    "$/cancel": {
        id: number | string;
        error?: WireError;
    };
}
/** The notification that tells of a change of one kind. */
export type ChangedNotification = `${Kind}s.changed`;

// runtime/records.d.ts
/**
 * What a plugin registers, as the host lists it: one record a kind, and what its tools answer with.
 */
/** What JSON can carry. */
export type Json = null | boolean | number | string | Json[] | {
    [key: string]: Json;
};
/** A JSON object whose members the other side defines. */
export type JsonObject = {
    [key: string]: Json;
};
export interface ToolItem {
    name: string;
    title?: string;
    description: string;
    /** A JSON Schema of type object. */
    inputSchema: JsonObject;
    transcriptGroup?: {
        active: string;
        complete: string;
    };
}
export interface CommandItem {
    id: string;
    title: string;
    category?: string;
    description?: string;
    availability: Availability;
}
export type Availability = {
    type: "enabled";
} | {
    type: "disabled";
    reason: string;
} | {
    type: "hidden";
};
export interface SkillItem {
    /** `<plugin>:<skill>` */
    name: string;
    description: string;
    /** Absolute path of the skill's folder. */
    path: string;
}
/** One handler of one event; the same event may have several. */
export interface EventItem {
    name: EventName;
    handler: number;
}
export interface ModeItem {
    key: string;
    label: string;
    description?: string;
    color?: string;
    agent: JsonObject;
}
export interface LinkItem {
    id: string;
    pattern: string;
    href: string;
}
/** A short text that the host shows for a plugin; `command:ID` as its URL runs a command. */
export interface StatusItem {
    id: number;
    text: string;
    url?: string;
}
/** What a plugin has registered, by kind. */
export interface Items {
    command: CommandItem;
    tool: ToolItem;
    skill: SkillItem;
    event: EventItem;
    mode: ModeItem;
    link: LinkItem;
}
export type Kind = keyof Items;
/** The six kinds, in the order in which they are listed. */
export declare const kinds: ["command", "tool", "skill", "event", "mode", "link"];
export type ContentBlock = {
    type: "text";
    text: string;
} | {
    type: "image";
    mimeType: string;
    data: string;
} | {
    type: "image";
    mimeType: string;
    url: string;
};
/** The events that a plugin can handle. */
export declare const eventNames: readonly ["session.start", "tool.call", "tool.result", "agent.start", "agent.end", "changes.prompt"];
export type EventName = (typeof eventNames)[number];

// runtime/redact.d.ts
/** Takes what it knows to be secret out of what is kept or shown, and puts `[secret]` in its place. */
export interface Redactor {
    /**
     * Learns a secret of at least 3 characters: it, its longer lines, and the forms that JSON, URLs and base64 give it. A
     * form of less than 6 characters is masked only where no letter or digit stands beside it.
     */
    learn(secret: string): void;
    /** The text without secrets, and without a half of one at an end where the text was cut. */
    text(text: string, cut?: {
        start?: boolean;
        end?: boolean;
    }): string;
    /** The same value when it holds no secret, else a copy of what JSON keeps of it. */
    value(value: unknown): unknown;
    /** Changes an error in place: its texts, its causes and what it holds; gives the same error. */
    error<Thrown>(error: Thrown): Thrown;
}
/** What stands in the place of a secret. */
export declare const secretMark = "[secret]";
/** Makes a redactor that knows no secret yet. */
export declare function createRedactor(): Redactor;

// runtime/running.d.ts
import type { Cancel, HandlerContext, Id } from "./call.ts";
import type { BroodError } from "./errors.ts";
/** How much of the other side's calls may run at once. */
export interface RunningBounds {
    pendingCallsMax: number;
    /** Bytes of the messages that carried them; no bound when absent. One call alone may always run. */
    runningBytesMax?: number | undefined;
}
/** The calls of the other side that are being answered. */
export declare class Running {
    #private;
    constructor(bounds: RunningBounds);
    has(id: Id): boolean;
    /** Why there is no room for another call of so many bytes; undefined when there is. */
    whyFull(bytes: number): string | undefined;
    begin(id: Id, bytes: number): RunningCall;
    /** Nothing happens for one that was abandoned, also when another call has its id by now. */
    end(call: RunningCall): void;
    /** A handler that its caller gave up may never end; it holds no place any more. */
    abandon({ id, reason }: Cancel): void;
    abandonAll(reason: BroodError): void;
}
/** One such call, as its handler sees it. */
export declare class RunningCall implements HandlerContext {
    #private;
    readonly id: Id;
    readonly bytes: number;
    constructor(id: Id, bytes: number);
    /** Made when it is first touched, which most handlers never do. */
    get signal(): AbortSignal;
    abort(reason: Error): void;
}

// runtime/stream-reader.d.ts
import type { WireListener } from "./wire.ts";
/** The reading half of a wire over a stream. */
export interface StreamReader {
    /** Chunks that were read so far. */
    readonly chunks: number;
    /** Whether it waits for a chunk, all that came before was given. */
    readonly isWaiting: boolean;
    /** Begins to read; called again, the new listener takes the place of the old one. */
    open(listener: Pick<WireListener, "data" | "closed">): void;
    pause(): void;
    resume(): void;
    /** Nothing is heard any more. */
    end(): void;
}
/** Reads a stream as it comes. A child starts with it: it has little to set up. */
export declare function readStream(readable: ReadableStream<Uint8Array>): StreamReader;

// runtime/tap.d.ts
import type { Frame } from "./peer.ts";
import { type Redactor } from "./redact.ts";
/** One message as a tap recorded it. */
export interface TapFrame {
    direction: "in" | "out";
    kind: "call" | "result" | "error" | "notification" | "invalid";
    /** Of a call or notification, and of the call that an answer belongs to. */
    method?: string;
    id?: number | string;
    bytes: number;
    /** Milliseconds since the tap began. */
    ms: number;
    /** The message with secrets as `[secret]`; a text about its size in its place when it is larger than all that is kept. */
    message: unknown;
}
/** Watches a peer without touching it. */
export interface Tap {
    /** Give it to a peer as its `observe`. */
    observe(frame: Frame): void;
    /** The last frames, oldest first. */
    frames(): TapFrame[];
    /** Messages and bytes of both directions since the beginning. */
    totals(): {
        messages: number;
        bytes: number;
    };
}
export interface TapOptions {
    /** How many frames are kept at most. */
    framesMax?: number;
    /** How many bytes of messages they hold together at most. */
    bytesMax?: number;
    /** A clock in milliseconds. */
    now?: () => number;
    /** Hears each frame as it comes. */
    each?: (frame: TapFrame) => void;
}
/** Makes a tap that keeps the last frames, and of a secret input neither the answer nor what was proposed as one. */
export declare function createTap(options?: TapOptions): Tap;
/**
 * Takes secrets out of frames: the answer to a secret input, what was proposed as one, and whatever else the redactor
 * knows. It learns from the frames that it sees; the messages themselves stay as they are.
 */
export declare function withholdSecrets(redactor: Redactor): (frame: Frame) => Frame;

// runtime/threads.d.ts
import type { Json, JsonObject } from "./records.ts";
/** Conversations of an agent, as host and plugins name them. */
export interface ThreadReference {
    id: string;
}
export declare const threadStates: readonly ["idle", "running", "awaiting-approval", "error"];
/** What a thread is doing. */
export type ThreadState = (typeof threadStates)[number];
/** Who may read a thread. */
export type ThreadVisibility = "private" | "workspace";
/** Text of a message. */
export interface TextContent {
    type: "text";
    text: string;
}
/** What a model thought before it answered. */
export interface ThinkingContent {
    type: "thinking";
    thinking: string;
}
/** A call of a tool by the model. */
export interface ToolUseContent {
    type: "tool_use";
    id: string;
    name: string;
    input: JsonObject;
}
/** How far a tool call has come; the first three are terminal. */
export type ToolResultStatus = "done" | "error" | "cancelled" | "running" | "pending";
/** What became of the tool call with the id `toolUseID`. */
export interface ToolResultContent {
    type: "tool_result";
    toolUseID: string;
    output?: Json;
    status: ToolResultStatus;
}
export interface UserMessage {
    role: "user";
    id: string;
    content: (TextContent | ToolResultContent)[];
}
export interface AssistantMessage {
    role: "assistant";
    id: string;
    content: (TextContent | ThinkingContent | ToolUseContent)[];
}
/** A remark of the host. */
export interface InfoMessage {
    role: "info";
    id: string;
    content: TextContent[];
}
export type ThreadMessage = UserMessage | AssistantMessage | InfoMessage;
export type ThreadRole = ThreadMessage["role"];
/** Which messages of a thread are wanted. */
export interface ThreadMessagesOptions {
    /** Whether long thoughts, tool inputs and tool outputs come whole; shortened when absent. */
    full?: boolean;
    /** Where `offset` counts from; the newest message when absent. The page is in the order of the thread either way. */
    from?: "start" | "end";
    /** How many messages to pass over; 0 when absent. */
    offset?: number;
    /** 1 to 20; 10 when absent. */
    limit?: number;
    /** Only messages of these roles, before anything is counted; all when absent. */
    roles?: ThreadRole[];
}
/** Parameters of `thread.call`. */
export interface ThreadCallParams {
    id: string;
    method: string;
    args: Json[];
}
/** The members of a thread that change by themselves. */
export type ThreadValueName = "title" | "state";
/** Parameters of `thread.subscribe` and `thread.unsubscribe`. */
export interface ThreadSubscribeParams {
    id: string;
    name: ThreadValueName;
}
/** Answer to `thread.subscribe`: the value as it is; a later one has a higher revision. */
export interface ThreadSubscribed {
    value: Json;
    revision: number;
}
/** What the host tells of threads unasked. */
export interface ThreadPushes {
    "activeThread.change": {
        thread: ThreadReference | null;
    };
    "thread.title.change": {
        id: string;
        title: string;
        revision: number;
    };
    "thread.state.change": {
        id: string;
        state: ThreadState;
        revision: number;
    };
}

// runtime/typed.d.ts
import type { CallOptions, HandlerContext, Peer } from "./peer.ts";
/** A table of methods: what each takes and gives. */
export type MethodTable<Table> = {
    [Name in keyof Table]: {
        params: unknown;
        result: unknown;
    };
};
/** The other side of a peer, with the names and types of its methods. */
export interface Remote<Calls extends MethodTable<Calls>, Notifications> {
    call<Name extends keyof Calls & string>(name: Name, params: Calls[Name]["params"], options?: CallOptions): Promise<Calls[Name]["result"]>;
    notify<Name extends keyof Notifications & string>(name: Name, params: Notifications[Name], dropped?: () => void): void;
}
/** One function a method; all of them must be there. */
export type Handlers<Calls extends MethodTable<Calls>> = {
    [Name in keyof Calls]: (params: Calls[Name]["params"], context: HandlerContext) => Calls[Name]["result"] | Promise<Calls[Name]["result"]>;
};
/**
 * Types for a side that is trusted, as the host is for the child. The host does not use it to hear a child:
 * it parses each result and each parameter first.
 */
export declare function remote<Calls extends MethodTable<Calls>, Notifications>(peer: Peer): Remote<Calls, Notifications>;
/** Serves every method of a table; the compiler refuses a table with one missing. */
export declare function serve<Calls extends MethodTable<Calls>>(peer: Peer, handlers: Handlers<Calls>): void;

// runtime/wire-error.d.ts
/** An error as JSON-RPC carries it. */
export interface WireError {
    code: number;
    message: string;
    data?: WireErrorData;
}
/** What is kept of an error beside its number and message. */
export interface WireErrorData {
    name: string;
    /** brood's own code, or the `code` of the plugin's error. */
    code?: string;
    stack?: string;
    hint?: string;
    stage?: string;
    cause?: WireError;
    /** What an AggregateError, or an error like it, holds. */
    errors?: WireError[];
}
/** Turns whatever was thrown into an error object for the wire; never throws itself. */
export declare function toWireError(thrown: unknown): WireError;
/** Makes the error that `toWireError` was given again: same class, name, message, code, stack, cause and errors. */
export declare function fromWireError(wire: WireError): Error;
/**
 * Reads an error object that a foreign side sent; what has the wrong type is left out, what is too long is cut.
 *
 * @param textCharsMax of each text; all texts of the error together may take eight times as many
 */
export declare function readWireError(value: unknown, textCharsMax?: number): WireError | undefined;

// runtime/wire-socket.d.ts
import type { ByteWire } from "./wire.ts";
declare module "bun" {
    function connect(options: {
        fd: number;
        socket: SocketHandler<undefined, "uint8array">;
    }): Promise<Socket>;
}
/**
 * A wire over a connected socket, which it owns from now on. One that is not held lets this program end by itself.
 * What is no socket closes as it is opened.
 */
export declare function socketWire(fd: number, isHeld?: boolean): ByteWire;

// runtime/wire-stream.d.ts
import { type StreamReader } from "./stream-reader.ts";
import type { LeavableWire } from "./wire-switch.ts";
/** Where a stream wire writes to: the sinks of Bun fit. */
export interface ByteSink {
    write(bytes: Uint8Array): unknown;
    /** A promise while the other side has not taken the bytes. */
    flush(): unknown;
    end(): unknown;
}
/**
 * A wire over a stream and a sink, for a side that speaks on its stdin and stdout. When bytes are given again before it
 * was drained, as at an exit, it may write blank lines behind them.
 *
 * @param readable may have been read before
 * @param flushing what the sink has been given before and the other side has not taken
 */
export declare function streamWire(readable: ReadableStream<Uint8Array> | StreamReader, sink: ByteSink, flushing?: Promise<unknown>): LeavableWire;
/** The name of the error of a wire whose other side does not read any more. */
export declare const unreadError = "UnreadError";

// runtime/wire-switch.d.ts
import type { ByteWire } from "./wire.ts";
/** A wire that can tell when it may be left for another one to the same side. */
export interface LeavableWire extends ByteWire {
    /** Ends, unless something is on its way through this side of it. @returns whether it has */
    leave(): boolean;
}
/** How much must come to be busy. */
export interface Busyness {
    chunks: number;
    /** Milliseconds in which they come. */
    ms: number;
    /** A clock in milliseconds. */
    now?: () => number;
}
/**
 * A wire that is `quiet` until enough comes to be busy; from then on, as soon as nothing would be lost or change places, it
 * is the one that `busy` makes.
 */
export declare function switchingWire(quiet: LeavableWire, busy: () => ByteWire, busyness?: Busyness): ByteWire;

// runtime/wire.d.ts
/** A stream of bytes in both directions, to a side that need not be a process of Bun. Knows no messages. */
export interface ByteWire {
    /** Begins to give what comes to the listener; called again, the new listener takes the place of the old one. */
    open(listener: WireListener): void;
    /**
     * Gives bytes to the other side, in order, at once if it can. Throws nothing: a side that is gone takes nothing.
     * @returns how many of them were taken; once `drained` was heard the rest must be given again, more may follow it
     */
    write(bytes: Uint8Array): number;
    /** Holds the other side up once what lies between is full; what is on its way may still come. */
    pause(): void;
    resume(): void;
    /** Ends both directions; nothing is heard any more. What was taken still arrives. */
    end(): void;
}
/** What a wire tells its one listener. */
export interface WireListener {
    /** The bytes are the listener's to keep. */
    data(bytes: Uint8Array): void;
    /** More can be written; heard after each write that was not taken whole, and sometimes when none was. */
    drained(): void;
    /** The other side has ended, all that it said was given before; or the wire has failed, with the error. Once. */
    closed(error?: unknown): void;
}

// test/kit/clock.d.ts
import type { TapFrame } from "../../runtime/tap.ts";
/** The time of a plugin that was loaded with a clock of its own. It stands still until it is moved. */
export interface TestClock {
    /** Milliseconds since 1970, as the plugin's `Date.now()` gives them. */
    now(): number;
    /**
     * Moves the time on, and runs the timers of the plugin that are due meanwhile, one after the other. Resolves when what
     * they began has had its turn.
     */
    advance(ms: number): Promise<void>;
}
/** A clock that graphs can be given. */
export interface GraphClock extends TestClock {
    /** Sees each message of the plugin. */
    observe(frame: Pick<TapFrame, "direction" | "kind">): void;
    /** Gives it to a graph, whose `Bun` this is. */
    join(bun: typeof Bun): ClockedGraph;
}
export interface ClockedGraph {
    /** The global names of the graph that tell time by the clock. */
    globals: Record<string, unknown>;
    /** Forgets the timers of the graph. */
    leave(): void;
}
/** @param start milliseconds since 1970 */
export declare function createGraphClock(start: number): GraphClock;

// test/kit/index.d.ts
/** The contract `brood/test`: loads a plugin in a test, and answers it with what the test gives. */
export type { LogEntry } from "../../host/base/log.ts";
export type { UIRecord } from "../../host/ui/recording.ts";
export type { ScriptedAnswer } from "../../host/ui/scripted.ts";
export type { TapFrame } from "../../runtime/tap.ts";
export type { TestClock } from "./clock.ts";
export type { TestPluginOptions } from "./options.ts";
export type { TestSettings } from "./settings.ts";
export { type Registrations, type TestedPlugin, testPlugin } from "./test-plugin.ts";

// test/kit/options.d.ts
import type { Providers, UIProvider } from "../../host/contracts/providers.ts";
import type { ScriptedAnswer } from "../../host/ui/scripted.ts";
import type { LimitOverrides } from "../../runtime/limits.ts";
import type { JsonObject } from "../../runtime/records.ts";
/**
 * What a test gives a plugin. Its places for a user's configuration, data, state and cache (`XDG_…_HOME`) are new, empty,
 * and removed with it. Of a provider it gives the members that the plugin needs. What is left out, and a plugin asks for
 * all the same, fails the test; see `strict`.
 */
export interface TestPluginOptions extends Omit<PartialProviders, "ui" | "configuration"> {
    /** Answers to dialogs, in order, all of which must be asked for; or what draws them, such as `scriptedUI([…])` of brood. */
    ui?: ScriptedAnswer[] | Partial<UIProvider>;
    /** The settings of the user; none when absent. */
    settings?: JsonObject;
    /**
     * Where the plugin runs. `process`, which is what it means when absent: in a process of its own, as with any host.
     * `graph`: in this program, in a `Bun.ModuleGraph`, in a fraction of the time. Nothing keeps it apart there: a plugin
     * shares memory, the global object, the modules of Bun and Node, the working directory and the event loop with the
     * test, one that never lets go of the loop hangs the test, and one that calls `process.exit` from `node:process` ends
     * it. Its own are `process`, `Bun` and `console` as global names, its modules, its timers and what it opens. Under
     * `bun test --isolate`, which `--parallel` means too, Bun reads a file once in a run: a test that writes a plugin anew
     * needs `process`.
     */
    isolation?: "process" | "graph";
    /**
     * A clock that stands still until `plugin.clock` moves it, from now on or from that time: `setTimeout`, `setInterval`,
     * `Date`, `performance.now` and `Bun.sleep` as the plugin's modules name them. With the isolation `graph` alone; the
     * modules of Node and `AbortSignal.timeout` keep the real time.
     */
    clock?: true | Date | number;
    /**
     * Whether what does not agree with what the test gave fails the test: a member of the API that needs what is not there,
     * by its name, an answer that does not fit, a turn in which something fails or is not as its script expects, and answers
     * that are left. What the test was doing then rejects, or else the test fails when it ends. Yes when absent; otherwise
     * only the plugin hears of it, and a turn has it in its outcome.
     */
    strict?: boolean;
    /** Where the workspace is looked for; the working directory when absent. */
    cwd?: string;
    /** Variables of the plugin's environment beside those of this program. */
    env?: Record<string, string>;
    /** Other bounds than those of a host. */
    limits?: LimitOverrides;
}
/** Providers of which a test writes what its plugin needs. */
type PartialProviders = {
    [Name in keyof Providers]?: Partial<NonNullable<Providers[Name]>>;
};
/** @throws BroodError `usage` for what is no option, or could have no effect */
export declare function checkTestOptions(options: TestPluginOptions): void;
/** The path of a plugin that is given as one, or as the URL of a file. @throws BroodError `usage` */
export declare function pathOf(plugin: string | URL): string;
export {};

// test/kit/settings.d.ts
import type { ConfigurationProvider } from "../../host/contracts/configuration.ts";
import type { JsonObject } from "../../runtime/records.ts";
/** The settings that a plugin under test sees. */
export interface TestSettings {
    /** As the plugin reads them. */
    all(): JsonObject;
    /** Changes some of the user's, as the user would; the plugin is told. */
    update(partial: JsonObject): void;
    /** Takes one of the user's away. */
    delete(key: string): void;
}
/** Settings in memory, in the layers of a host: what stands in the workspace's hides the user's of the same key. */
export declare function memorySettings(user: JsonObject): {
    settings: TestSettings;
    provider: ConfigurationProvider;
};

// test/kit/test-plugin.d.ts
import type { LogEntry } from "../../host/base/log.ts";
import type { Calls } from "../../host/calls/calls.ts";
import type { Host } from "../../host/host.ts";
import type { PluginSnapshot } from "../../host/plugin.ts";
import type { UIRecord } from "../../host/ui/recording.ts";
import type { TapFrame } from "../../runtime/tap.ts";
import type { TestClock } from "./clock.ts";
import { type TestPluginOptions } from "./options.ts";
import type { TestSettings } from "./settings.ts";
/**
 * A plugin that runs, for a test to use. Its disposal stops it, removes what was made for it, and lets the test fail for
 * what nobody was told of: at its end, so that no other failure of it is hidden. Where no test runs that has loaded the
 * plugin, as in `afterAll`, the disposal rejects; where tests run at once, the run fails.
 */
export interface TestedPlugin extends AsyncDisposable, Pick<Calls, "emit" | "turn"> {
    /** As a host finds it in a place of plugins: that of the folder, where the file is an index. */
    readonly name: string;
    /** As `host.tools.call`: what the plugin answers is in the result, and a call that could not be made rejects. */
    readonly tools: Pick<Calls["tools"], "call">;
    readonly commands: Pick<Calls["commands"], "run">;
    /** What it has registered now. */
    readonly registrations: Registrations;
    /** Its dialogs and messages so far, each with how it was answered. */
    readonly ui: readonly UIRecord[];
    readonly settings: TestSettings;
    /** Lines of its log so far: what it printed, what its logger was given, what brood says about it. */
    readonly logs: readonly LogEntry[];
    /** The last messages on its wire, secrets left out. */
    readonly frames: readonly TapFrame[];
    /** Its time. @throws BroodError `usage` when the test gave it none by the option `clock` */
    readonly clock: TestClock;
    /** The host around it, for what stands in no member above; its threads are in `host.threads`. */
    readonly host: Host;
}
export type Registrations = Pick<PluginSnapshot, "commands" | "tools" | "skills" | "events" | "modes" | "links" | "statusItems">;
/**
 * Loads a plugin for a test: nothing that is installed on this machine is seen, no settings of the user are read, and
 * nobody but the test answers.
 *
 * @param plugin its file or directory; a path is relative to the working directory, so that a test beside it rather gives
 * `new URL("./hello.ts", import.meta.url)` or `import.meta.resolve("./hello.ts")`
 * @throws BroodError when it does not load, with the stage and a code frame, and `usage` for what is no plugin or option
 *
 * @example
 * ```ts
 * test("greets", async () => {
 * 	await using plugin = await testPlugin(new URL("./hello.ts", import.meta.url), { isolation: "graph" });
 * 	expect((await plugin.tools.call("hello", { name: "Ada" })).text).toBe("Hello, Ada!");
 * });
 * ```
 */
export declare function testPlugin(plugin: string | URL, options?: TestPluginOptions): Promise<TestedPlugin>;
