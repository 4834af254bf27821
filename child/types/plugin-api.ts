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
	registerCommand(
		id: string,
		command: CommandDefinition,
		handler: (context: CommandContext) => unknown,
	): CommandSubscription;
	/** Directory plugins only; `path` is relative to the plugin's folder and holds SKILL.md. */
	registerSkill(skill: { path: string }): Promise<Subscription>;
	registerAgentMode(mode: AgentMode): Subscription;
	registerLinkPattern(link: { id: string; pattern: string; href: string }): Subscription;
	/** Runs on unload, reload and host stop, about three seconds at most; not after a crash. */
	onDispose(callback: () => unknown): Subscription;
	createAgent(definition: AgentDefinition): Agent;
	/** One of the modes of the host, with another effort where one is given. */
	getBuiltinAgent(mode: string, options?: { reasoningEffort?: string }): Agent;
	createStatusItem(initial?: StatusText): StatusItem;
	/**
	 * Receives requests from outside, each at least once: one is stored before its sender hears that it was accepted, and
	 * waits while the plugin cannot take it. The URL is a secret; whoever knows it can send.
	 *
	 * @throws BroodError `invalid_registration`, and `webhooks_unavailable` where the host cannot store or receive
	 */
	createWebhook(webhook: Webhook): Promise<{ url: string }>;
}

export type Experimental = Pick<
	PluginAPI,
	"createAgent" | "getBuiltinAgent" | "registerAgentMode" | "createStatusItem" | "activeThread" | "threads"
>;

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
	shellCommandFromToolCall(call: unknown): { command: string; dir?: string } | null;
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
