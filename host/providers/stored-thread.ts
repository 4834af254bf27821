import { type Emitter, emitter } from "../../runtime/disposable.ts";
import { failure } from "../../runtime/errors.ts";
import type {
	AssistantMessage,
	InfoMessage,
	ThreadMessage,
	ThreadState,
	ThreadVisibility,
	UserMessage,
} from "../../runtime/threads.ts";
import { startCountdown } from "../base/countdown.ts";
import type { ThreadAgent, ThreadChange } from "../contracts/threads.ts";
import { responseIn } from "./thread-messages.ts";

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
	readonly multiplayer: { ttlSeconds: number } | null;
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
export function createStoredThread({ id, ...options }: NewThread & { id: string }): OwnedThread {
	const { parentThreadID = null, agent } = options;
	const changes = emitter<ThreadChange>();
	/** Hears that waiting may be over: a message or a state came, or, with true, the turn was cancelled. */
	const progress = emitter<boolean>();
	const messages: ThreadMessage[] = (options.messages ?? []).map(completeMessage);
	let { title = "", state = "idle", visibility = "private" } = options;
	let multiplayer: StoredThread["multiplayer"] = null;

	function setState(next: ThreadState): void {
		if (next === state) return;
		state = next;
		changes.emit({ state });
		progress.emit(false);
	}

	const handle: StoredThread = {
		id,
		get title() {
			return title;
		},
		get state() {
			return state;
		},
		parentThreadID,
		agent,
		get visibility() {
			return visibility;
		},
		get multiplayer() {
			return multiplayer;
		},
		get messages() {
			return structuredClone(messages);
		},
		setTitle(next) {
			if (next === title) return;
			title = next;
			changes.emit({ title });
		},
		setState,
		addMessage(message) {
			const added = completeMessage(message);
			messages.push(added);
			progress.emit(false);
			return structuredClone(added);
		},
	};

	return {
		handle,
		messages,
		changes,
		setVisibility(next) {
			visibility = next;
		},
		setMultiplayer(ttlSeconds) {
			multiplayer = ttlSeconds === null ? null : { ttlSeconds };
		},
		cancel() {
			setState("idle");
			progress.emit(true);
		},
		waitForResponse(timeoutMs, signal) {
			const response = () => (state === "idle" ? responseIn(messages) : undefined);
			const isFailed = () => state === "error";
			return waitFor({ id, response, isFailed, progress, timeoutMs, signal });
		},
	};
}

interface Wait {
	id: string;
	response(): AssistantMessage | undefined;
	isFailed(): boolean;
	progress: Emitter<boolean>;
	timeoutMs: number;
	signal: AbortSignal;
}

async function waitFor({ id, response, isFailed, progress, timeoutMs, signal }: Wait): Promise<AssistantMessage> {
	const { promise, resolve, reject } = Promise.withResolvers<AssistantMessage>();
	const subject = `the response in thread "${id}"`;
	const look = (isCancelled: boolean) => {
		const found = response();
		if (found !== undefined) resolve(structuredClone(found));
		else if (isFailed()) reject(failure("plugin_error", { subject, reason: "the thread is in the state error" }));
		else if (isCancelled) reject(failure("cancelled", { subject, reason: "the thread was cancelled" }));
	};
	const given = () => reject(signal.reason);
	const countdown = startCountdown(timeoutMs, () => reject(failure("timeout", { subject, ms: timeoutMs })));
	const listening = progress.listen(look);
	signal.addEventListener("abort", given, { once: true });
	if (signal.aborted) given();
	look(false);
	try {
		return await promise;
	} finally {
		countdown.clear();
		listening.unsubscribe();
		signal.removeEventListener("abort", given);
	}
}

function completeMessage(message: NewMessage): ThreadMessage {
	const { role, id = `M-${crypto.randomUUID()}`, content } = message;
	const blocks = typeof content === "string" ? [{ type: "text", text: content }] : structuredClone(content);
	// Role and blocks were of one message, which the compiler does not follow through the branch.
	return { role, id, content: blocks } as ThreadMessage;
}
