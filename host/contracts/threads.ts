import type { Subscription } from "../../runtime/disposable.ts";
import type { AgentDefinitionParams } from "../../runtime/protocol-providers.ts";
import type {
	AssistantMessage,
	ThreadMessage,
	ThreadMessagesOptions,
	ThreadReference,
	ThreadState,
	ThreadVisibility,
} from "../../runtime/threads.ts";
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
	waitForResponse(id: string, options: { timeoutMs: number }, context: AskContext): Promise<AssistantMessage>;
	cancel(id: string, context: AskContext): Promise<void>;
	setVisibility(id: string, visibility: ThreadVisibility, context: AskContext): Promise<void>;
	/** Lets others join for so many seconds; null ends it. */
	setMultiplayer(id: string, options: { ttlSeconds: number | null }, context: AskContext): Promise<void>;
	/** One page of messages in the order of the thread; `pageOfMessages` makes it from all of them. */
	messages(id: string, options: Required<ThreadMessagesOptions>, context: AskContext): Promise<ThreadMessage[]>;
	/** Adds a message of the user; `steer` asks for it to be read before the turn under way goes on. */
	append(id: string, message: { content: string; steer: boolean }, context: AskContext): Promise<void>;
}

/** An agent definition, or the key of a mode. */
export type ThreadAgent = AgentDefinitionParams | string;

/** What of a thread has changed, with the new value. */
export interface ThreadChange {
	title?: string;
	state?: ThreadState;
}
