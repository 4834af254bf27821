import type { Subscription } from "../../runtime/disposable.ts";
import { failure, isBroodError, messageOf } from "../../runtime/errors.ts";
import type { Peer } from "../../runtime/peer.ts";
import {
	type ThreadReference,
	type ThreadState,
	type ThreadSubscribed,
	type ThreadValueName,
	threadStates,
} from "../../runtime/threads.ts";
import { providerFailure } from "../base/provider-failure.ts";
import type { AskContext } from "../contracts/ask-context.ts";
import type { ThreadChange, ThreadsProvider } from "../contracts/threads.ts";
import { answerThreadCall, parseThreadCall, parseThreadSubscribe, threadSubject } from "./thread-calls.ts";
import { createThreadPush } from "./thread-push.ts";

export interface ThreadAskParts {
	plugin: string;
	threads: ThreadsProvider;
	activeThread(): ThreadReference | null;
	subscriptionsMax: number;
	/** A longer title is cut in what the child is told unasked. */
	titleCharsMax: number;
	handle(method: string, handler: (params: unknown, context: AskContext) => unknown): void;
	/** What is wrong with the provider. */
	problem(message: string): void;
}

/** Serves what a child asks of threads, and tells it of those that it subscribed to and of the active one. */
export function serveThreads(peer: Peer, parts: ThreadAskParts): void {
	const { plugin, threads, handle, problem } = parts;
	const push = createThreadPush(peer);
	const subscribed = new Map<string, Subscription>();
	const told = new Map<string, ThreadSubscribed>();
	let revision = 0;
	const active = attempt(
		() => threads.activeThread.subscribe((thread) => push("activeThread.change", "", { thread: referenceOf(thread) })),
		problem,
	);
	void peer.closed.then(() => {
		active?.unsubscribe();
		for (const subscription of subscribed.values()) subscription.unsubscribe();
		subscribed.clear();
	});

	function tell(id: string, name: ThreadValueName, value: string): void {
		revision += 1;
		told.set(`${name} ${id}`, { value, revision });
		if (name === "title") push("thread.title.change", id, { id, title: value, revision });
		else push("thread.state.change", id, { id, state: value as ThreadState, revision });
	}

	function subscribe(id: string, name: ThreadValueName, context: AskContext): Subscription {
		const hear = ({ title, state }: ThreadChange) => {
			if (name === "title" && typeof title === "string") tell(id, name, title.slice(0, parts.titleCharsMax));
			else if (name === "state" && threadStates.some((known) => known === state)) tell(id, name, String(state));
		};
		return threads.subscribe(id, hear, context);
	}

	handle("activeThread.subscribe", () => ({ value: parts.activeThread() }));
	handle("thread.call", async (params, context) => {
		const call = await parseThreadCall(plugin, params);
		const value = await blaming({ plugin, member: call.method, problem }, () =>
			answerThreadCall(threads, call, context),
		);
		return value === undefined ? {} : { value };
	});
	handle("thread.subscribe", async (params, context) => {
		const { id, name } = await parseThreadSubscribe(plugin, params);
		const key = `${name} ${id}`;
		return blaming({ plugin, member: name, problem }, async () => {
			if (!subscribed.has(key)) {
				if (subscribed.size >= parts.subscriptionsMax) throw tooMany(plugin, parts.subscriptionsMax);
				subscribed.set(key, subscribe(id, name, context));
			}
			const before = told.get(key);
			const value = (await answerThreadCall(threads, { id, method: `${name}.get`, given: [] }, context)) ?? null;
			const now = told.get(key);
			// What was told while this was asked is the newer one.
			if (now !== undefined && now !== before) return now;
			revision += 1;
			return { value, revision } satisfies ThreadSubscribed;
		});
	});
	handle("thread.unsubscribe", async (params) => {
		const { id, name } = await parseThreadSubscribe(plugin, params);
		subscribed.get(`${name} ${id}`)?.unsubscribe();
		subscribed.delete(`${name} ${id}`);
		told.delete(`${name} ${id}`);
		return {};
	});
}

/** Does work of the provider; what goes wrong beyond an answer of its own is told in the log too. */
async function blaming<Result>(
	{ plugin, member, problem }: { plugin: string; member: string; problem: (message: string) => void },
	work: () => Promise<Result>,
): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		if (isBroodError(error) && error.code !== "invalid_answer") throw error;
		const told = providerFailure(error, { provider: "threads", subject: threadSubject(member), plugin });
		problem(told.message);
		throw told;
	}
}

function attempt<Result>(work: () => Result, problem: (message: string) => void): Result | undefined {
	try {
		return work();
	} catch (error) {
		problem(`the threads provider failed at activeThread: ${messageOf(error)}`);
		return undefined;
	}
}

function referenceOf(thread: ThreadReference | null): ThreadReference | null {
	return thread === null ? null : { id: String(thread.id) };
}

function tooMany(plugin: string, max: number): Error {
	const reason = `a plugin hears of at most ${max} titles and states of threads at a time`;
	return failure("busy", { plugin, subject: "thread.subscribe", reason });
}
