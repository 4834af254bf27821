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
	waitForResponse(options?: { timeoutMs?: number }): Promise<ThreadAssistantMessage>;
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
	display?: { label?: string; color?: string };
}

/**
 * Tools by name or by a pattern with `*` and `?`: exactly these, all, or those of `include` (when absent, of what is
 * extended, else all), then those of `add`, without those of `exclude`.
 */
export type ToolSelection =
	| readonly string[]
	| "all"
	| { include?: readonly string[] | "all"; add?: readonly string[]; exclude?: readonly string[] };

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
	run(message: string, options?: Record<string, unknown>): Promise<{ threadID: string; text: string }>;
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
