import { emitter, type Subscription } from "../../runtime/disposable.ts";
import { failure } from "../../runtime/errors.ts";
import type { ThreadReference, ThreadVisibility } from "../../runtime/threads.ts";
import { aNumber, checkOptions } from "../base/options.ts";
import type { ThreadsProvider } from "../contracts/threads.ts";
import { createStoredThread, type NewThread, type OwnedThread, type StoredThread } from "./stored-thread.ts";
import { pageOfMessages } from "./thread-messages.ts";

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
export type ThreadAction = { plugin: string; threadID: string } & (
	| { type: "user-message"; content: string; steer: boolean }
	| { type: "cancel" }
	| { type: "visibility"; visibility: ThreadVisibility }
	| { type: "multiplayer"; ttlSeconds: number | null }
);

/**
 * Makes an empty store; long texts in messages are cut at `messageExcerptCharsMax` where a plugin wants no full ones.
 *
 * @throws BroodError `usage` for another option
 */
export function createThreads(options: { messageExcerptCharsMax?: number } = {}): ThreadStore {
	checkOptions("createThreads", options, { messageExcerptCharsMax: aNumber });
	const threads = new Map<string, OwnedThread>();
	const activeChanges = emitter<ThreadReference | null>();
	const acted = emitter<ThreadAction>();
	const actions: ThreadAction[] = [];
	let active: ThreadReference | null = null;

	function need(id: string): OwnedThread {
		const thread = threads.get(id);
		if (thread !== undefined) return thread;
		throw failure("thread_not_found", { subject: id });
	}

	function act(action: ThreadAction): void {
		actions.push(action);
		if (actions.length > actionsMax) actions.shift();
		acted.emit(action);
	}

	return {
		create(options = {}) {
			const { id = `T-${crypto.randomUUID()}` } = options;
			if (threads.has(id)) throw failure("usage", { reason: `There is a thread "${id}" already` });
			const thread = createStoredThread({ ...options, id });
			threads.set(id, thread);
			return thread.handle;
		},
		list: () => [...threads.values()].map(({ handle }) => handle),
		get: (id) => threads.get(id)?.handle,
		setActive(id) {
			if (id !== null) need(id);
			if (id === (active?.id ?? null)) return;
			active = id === null ? null : { id };
			activeChanges.emit(active);
		},
		actions,
		onAction: acted.listen,

		activeThread: {
			get current() {
				return active;
			},
			subscribe: activeChanges.listen,
		},
		title: async (id) => need(id).handle.title,
		state: async (id) => need(id).handle.state,
		subscribe: (id, listener) => need(id).changes.listen(listener),
		agent: async (id) => need(id).handle.agent,
		parentThreadID: async (id) => need(id).handle.parentThreadID,
		waitForResponse: async (id, { timeoutMs }, { signal }) => need(id).waitForResponse(timeoutMs, signal),
		async cancel(id, { plugin }) {
			need(id).cancel();
			act({ plugin, threadID: id, type: "cancel" });
		},
		async setVisibility(id, visibility, { plugin }) {
			need(id).setVisibility(visibility);
			act({ plugin, threadID: id, type: "visibility", visibility });
		},
		async setMultiplayer(id, { ttlSeconds }, { plugin }) {
			need(id).setMultiplayer(ttlSeconds);
			act({ plugin, threadID: id, type: "multiplayer", ttlSeconds });
		},
		messages: async (id, page) => pageOfMessages(need(id).messages, page, options.messageExcerptCharsMax),
		async append(id, { content, steer }, { plugin }) {
			need(id).handle.addMessage({ role: "user", content });
			act({ plugin, threadID: id, type: "user-message", content, steer });
		},
	};
}

export type { NewMessage, NewThread, StoredThread } from "./stored-thread.ts";

// A plugin that acts without pause must not fill the memory of the host.
const actionsMax = 1_000;
