import type { Json, JsonObject } from "./records.ts";

/** Conversations of an agent, as host and plugins name them. */
export interface ThreadReference {
	id: string;
}

export const threadStates = ["idle", "running", "awaiting-approval", "error"] as const;

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
	"activeThread.change": { thread: ThreadReference | null };
	"thread.title.change": { id: string; title: string; revision: number };
	"thread.state.change": { id: string; state: ThreadState; revision: number };
}
