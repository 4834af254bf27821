import type { AI } from "./ai.ts";
import type { Logger, Shell } from "./common.ts";
import type { System } from "./system.ts";
import type { ThreadMessage } from "./thread-messages.ts";
import type { PluginThread, ThreadReference } from "./threads.ts";
import type { PluginUI } from "./ui.ts";

/** What each event carries and what its handler may answer with. */
export interface PluginEvents {
	"session.start": { payload: { thread: ThreadReference }; answer: undefined };
	"tool.call": { payload: ToolCallEvent; answer: ToolCallAnswer | undefined };
	"tool.result": { payload: ToolResultEvent; answer: ToolResultAnswer | undefined };
	"agent.start": { payload: AgentStartEvent; answer: AgentStartAnswer | undefined };
	"agent.end": { payload: AgentEndEvent; answer: AgentEndAnswer | undefined };
	"changes.prompt": { payload: ChangesPromptEvent; answer: { append?: string } | undefined };
}

export type PluginEventName = keyof PluginEvents;

export type PluginEventHandler<Name extends PluginEventName> = (
	event: PluginEvents[Name]["payload"],
	context: EventContext,
	// biome-ignore lint/suspicious/noConfusingVoidType: a handler may end without a return
) => PluginEvents[Name]["answer"] | void | Promise<PluginEvents[Name]["answer"] | void>;

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

export type ToolCallAnswer =
	| { action: "allow" }
	/** The tool does not run; the agent reads the message and goes on. */
	| { action: "reject-and-continue"; message: string }
	/** The tool runs with this input. */
	| { action: "modify"; input: Record<string, unknown> }
	/** The tool does not run; this is its result. */
	| { action: "synthesize"; result: { output: string; exitCode?: number } }
	/** The tool does not run and the turn ends with this error. */
	| { action: "error"; message: string };

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
	message?: { content: string; display?: boolean };
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
