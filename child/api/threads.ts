import type { Peer } from "../../runtime/peer.ts";
import type { ClientInfo } from "../../runtime/protocol.ts";
import type { Json } from "../../runtime/records.ts";
import type { ThreadPushes } from "../../runtime/threads.ts";
import type { ActiveThreadPushes } from "../active-thread.ts";
import { type Ask, apiRejection } from "../ask.ts";
import type { Log } from "../log.ts";
import type { ActiveThread, PluginThread, ThreadState, Threads, ThreadValue } from "../types/threads.ts";
import { agentOfThread } from "./agents.ts";
import { createObservable } from "./observable.ts";
import { createSharedValues, type SharedValues } from "./thread-values.ts";

/** Makes `amp.threads`: handles that ask the host, and hear it as long as somebody subscribes. */
export function createThreads(parts: { ask: Ask; listen: Peer["listen"]; log: Log }): Threads {
	const { ask, listen } = parts;
	const values = createSharedValues(parts);
	listen("thread.title.change", (params) => {
		const { id, title, revision } = params as ThreadPushes["thread.title.change"];
		values.push(id, "title", title, revision);
	});
	listen("thread.state.change", (params) => {
		const { id, state, revision } = params as ThreadPushes["thread.state.change"];
		values.push(id, "state", state, revision);
	});
	const handles: Threads = { get: (id) => threadOf(ask, values, handles, String(id)) };
	return handles;
}

/** Makes `amp.activeThread`, which starts with what the host said in its hello. */
export function createActiveThread(info: ClientInfo, pushes: ActiveThreadPushes): ActiveThread {
	const current = () => (pushes.told === undefined ? info.activeThread : pushes.told);
	const observable = createObservable<{ id: string } | null>((observer) => {
		observer.next?.(current());
		const subscription = pushes.listen((thread) => observer.next?.(thread));
		return () => subscription.unsubscribe();
	});
	return {
		...observable,
		get current() {
			return current();
		},
	};
}

function threadOf(ask: Ask, values: SharedValues, handles: Threads, id: string): PluginThread {
	// What is not awaited must not throw: a value that JSON cannot carry rejects the call like any other mistake.
	const call = async <Result>(method: string, ...args: unknown[]): Promise<Result> => {
		const { value } = await ask("thread.call", { id, method, args: carried(args) });
		return value as Result;
	};
	const thread = { id };
	const observed = <Value extends Json>(
		name: "title" | "state",
		shown = (value: Value) => value,
	): ThreadValue<Value> => ({
		...createObservable<Value>((observer) =>
			values.subscribe<Value>(id, name, { ...observer, next: (value) => observer.next?.(shown(value)) }),
		),
		get: async () => shown(await values.newest<Value>(id, name, () => call(`${name}.get`))),
	});
	const members: Omit<PluginThread, "id"> = {
		// A host has no other way to say that there is none.
		title: observed<string | null>("title", (title) => (title === "" ? null : title)),
		state: observed<ThreadState>("state"),
		agent: async () => agentOfThread(ask, handles, await call("agent")),
		parentThreadID: () => call("parentThreadID"),
		waitForResponse: (options) => call("waitForResponse", options),
		cancel: () => call("cancel"),
		setVisibility: (visibility) => call("setVisibility", visibility),
		setMultiplayer: (options) => call("setMultiplayer", options),
		messages: (options) => call("messages", options),
		append: (messages) => call("append", messages),
		appendUserMessage: (message, options) => call("appendUserMessage", message, options),
	};
	// A handle is often returned, cloned or sent on: all of it that is data is the id.
	for (const [name, value] of Object.entries(members)) Object.defineProperty(thread, name, { value, writable: true });
	return thread as PluginThread;
}

function carried(args: unknown[]): Json[] {
	try {
		return JSON.parse(JSON.stringify(args));
	} catch (error) {
		throw apiRejection(error, "thread.call");
	}
}
