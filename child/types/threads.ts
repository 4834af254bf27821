import type { Observable } from "./common.ts";
import type { ThreadReference } from "./events.ts";

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

/** A thread of the host. */
export interface PluginThread {
	readonly id: string;
	readonly title: ThreadValue<string>;
	readonly state: ThreadValue<ThreadState>;
	/** What answers in it, as the host describes it. */
	agent(): Promise<unknown>;
	/** The thread that it was started from, or null. */
	parentThreadID(): Promise<string | null>;
	/**
	 * The last message of the assistant after the newest text of the user, once the thread is idle; at once when it
	 * stands there already. Rejects when the thread fails or is cancelled first, or after ten minutes unless said otherwise.
	 */
	waitForResponse(options?: { timeoutMs?: number }): Promise<AssistantMessage>;
	cancel(): Promise<void>;
	setVisibility(visibility: "private" | "workspace"): Promise<void>;
	/** Lets others join for so many seconds; null ends it. */
	setMultiplayer(options: { ttlSeconds: number | null } | null): Promise<void>;
	/** A page of messages, in the order of the thread. */
	messages(options?: ThreadMessagesOptions): Promise<ThreadMessage[]>;
	append(messages: UserMessageInput[]): Promise<void>;
	/** `steer` asks for the message to be read before the turn under way goes on. */
	appendUserMessage(message: string | UserMessageInput, options?: { steer?: boolean }): Promise<void>;
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
	/** 1 to 20; 10 when absent. */
	limit?: number;
	/** Only messages of these roles, before anything is counted; all when absent. */
	roles?: ThreadMessage["role"][];
}

export type ThreadMessage = UserMessage | AssistantMessage | InfoMessage;

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
