import { describe, expect, test } from "bun:test";
import { createThreads, type ThreadStore } from "../../../../host/providers/threads.ts";
import { isBroodError } from "../../../../runtime/errors.ts";

const context = () => ({ plugin: "one", signal: new AbortController().signal });
const minute = { timeoutMs: 60_000 };

async function codeOf(promise: Promise<unknown>): Promise<string> {
	try {
		return `resolved: ${JSON.stringify(await promise)}`;
	} catch (error) {
		return isBroodError(error) ? error.code : String(error);
	}
}

/** Whether a promise has settled, after all that is due has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
	const waiting = Symbol();
	await new Promise((resolve) => setImmediate(resolve));
	return (await Promise.race([promise.catch(() => {}), Promise.resolve(waiting)])) !== waiting;
}

const respond = (store: ThreadStore, text: string) =>
	store.get("T")?.addMessage({ role: "assistant", id: text, content: text });

describe("a store of threads", () => {
	test("gives a new thread its defaults, and makes an id where none is given", () => {
		const store = createThreads();
		const { id, title, state, parentThreadID, visibility, multiplayer, messages, agent } = store.create();
		expect({ title, state, parentThreadID, visibility, multiplayer, messages, agent }).toEqual({
			title: "",
			state: "idle",
			parentThreadID: null,
			visibility: "private",
			multiplayer: null,
			messages: [],
			agent: undefined,
		});
		expect(id).toStartWith("T-");
		expect(store.list().map((thread) => thread.id)).toEqual([id]);
		expect(store.get(id)?.id).toBe(id);
		expect(store.get("other")).toBeUndefined();
	});

	test("refuses a second thread with an id, and an active thread that there is none of", () => {
		const store = createThreads();
		store.create({ id: "T" });
		expect(() => store.create({ id: "T" })).toThrow('There is a thread "T" already');
		expect(() => store.setActive("U")).toThrow('There is no thread "U"');
		expect(store.activeThread.current).toBeNull();
	});

	test("answers every question about an unknown thread with the same named error", async () => {
		const store = createThreads();
		const { title, state, agent, parentThreadID, cancel } = store;
		const asked = [title, state, agent, parentThreadID, cancel].map((ask) => codeOf(ask("none", context())));
		asked.push(codeOf(store.waitForResponse("none", minute, context())));
		asked.push(codeOf(store.append("none", { content: "x", steer: false }, context())));
		expect(new Set(await Promise.all(asked))).toEqual(new Set(["thread_not_found"]));
		expect(() => store.subscribe("none", () => {}, context())).toThrow("There is no thread");
		expect(store.actions).toEqual([]);
	});

	test("tells changes of title, state and active thread, and nothing that stays as it was", () => {
		const store = createThreads();
		const thread = store.create({ id: "T", title: "a" });
		const heard: unknown[] = [];
		const subscription = store.subscribe("T", (change) => heard.push(change), context());
		store.activeThread.subscribe((active) => heard.push(active));
		thread.setTitle("a");
		thread.setTitle("b");
		thread.setState("idle");
		thread.setState("running");
		store.setActive("T");
		store.setActive("T");
		store.setActive(null);
		subscription.unsubscribe();
		thread.setTitle("c");
		expect(heard).toEqual([{ title: "b" }, { state: "running" }, { id: "T" }, null]);
	});

	test("notes what plugins do, after it was done, and keeps the last thousand", async () => {
		const store = createThreads();
		const thread = store.create({ id: "T" });
		const seen: unknown[] = [];
		store.onAction((action) => seen.push([action.type, thread.messages.length, thread.visibility, thread.multiplayer]));
		await store.append("T", { content: "hello", steer: true }, context());
		await store.setVisibility("T", "workspace", context());
		await store.setMultiplayer("T", { ttlSeconds: 60 }, context());
		await store.setMultiplayer("T", { ttlSeconds: null }, context());
		expect(seen).toEqual([
			["user-message", 1, "private", null],
			["visibility", 1, "workspace", null],
			["multiplayer", 1, "workspace", { ttlSeconds: 60 }],
			["multiplayer", 1, "workspace", null],
		]);
		const [first] = store.actions;
		expect(first).toEqual({ plugin: "one", threadID: "T", type: "user-message", content: "hello", steer: true });
		for (let count = 0; count < 1_000; count++) await store.cancel("T", context());
		expect(store.actions).toHaveLength(1_000);
		expect(store.actions[0]?.type).toBe("cancel");
	});

	test("gives messages away as copies", () => {
		const thread = createThreads().create({ messages: [{ role: "user", content: "a" }] });
		const [message] = thread.messages;
		message?.content.pop();
		expect(thread.messages[0]?.content).toEqual([{ type: "text", text: "a" }]);
		expect(thread.messages[0]?.id).toStartWith("M-");
	});
});

describe("waiting for a response", () => {
	test("is over at once when the newest text of the user is answered and the thread is idle", async () => {
		const store = createThreads();
		store.create({
			id: "T",
			messages: [
				{ role: "user", content: "q" },
				{ role: "assistant", id: "first", content: "a" },
				{ role: "user", content: [{ type: "tool_result", toolUseID: "t", status: "done" }] },
				{ role: "assistant", id: "last", content: "b" },
				{ role: "info", content: "i" },
			],
		});
		expect((await store.waitForResponse("T", minute, context())).id).toBe("last");
	});

	test("goes on past the answers to older messages, and until the thread is idle", async () => {
		const store = createThreads();
		const thread = store.create({ id: "T", messages: [{ role: "assistant", id: "old", content: "a" }] });
		await store.append("T", { content: "q", steer: false }, context());
		const response = store.waitForResponse("T", minute, context());
		expect(await isSettled(response)).toBe(false);
		thread.setState("running");
		respond(store, "part");
		thread.setState("awaiting-approval");
		expect(await isSettled(response)).toBe(false);
		respond(store, "whole");
		thread.setState("idle");
		expect((await response).id).toBe("whole");
	});

	test("ends with a named error: time over, cancelled, thread failed, nobody waits any more", async () => {
		const store = createThreads();
		for (const id of ["late", "cancelled", "failed", "gone"]) store.create({ id, state: "running" });
		const abort = new AbortController();
		const waits = [
			codeOf(store.waitForResponse("late", { timeoutMs: 1 }, context())),
			codeOf(store.waitForResponse("cancelled", minute, context())),
			codeOf(store.waitForResponse("failed", minute, context())),
			codeOf(store.waitForResponse("gone", minute, { plugin: "one", signal: abort.signal })),
		];
		await store.cancel("cancelled", context());
		store.get("failed")?.setState("error");
		abort.abort(new Error("given up"));
		expect(await Promise.all(waits)).toEqual(["timeout", "cancelled", "plugin_error", "Error: given up"]);
		expect(store.get("cancelled")?.state).toBe("idle");
	});
});
