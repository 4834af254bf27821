import { expect, test } from "bun:test";
import { createThreadPush } from "../../../../host/backends/thread-push.ts";
import { type BroodError, failure } from "../../../../runtime/errors.ts";
import type { Peer } from "../../../../runtime/peer.ts";

/** A peer whose queue can be full, and what it has sent. */
function fakePeer() {
	const sent: unknown[] = [];
	const closed = Promise.withResolvers<BroodError>();
	let waiting: (() => void)[] = [];
	let isFull = false;
	const refuse = () => {
		throw new Error("not part of this test");
	};
	const peer: Peer = {
		call: refuse,
		resume: refuse,
		handle: refuse,
		listen: refuse,
		close: refuse,
		pending: 0,
		closed: closed.promise,
		notify(method, params, dropped) {
			if (isFull) dropped?.();
			else sent.push([method, params]);
		},
		flush: () => new Promise((resolve) => waiting.push(resolve)),
	};
	return {
		peer,
		sent,
		fill() {
			isFull = true;
		},
		async drain() {
			isFull = false;
			for (const resolve of waiting) resolve();
			waiting = [];
			await Promise.resolve();
		},
		async end() {
			closed.resolve(failure("channel_closed"));
			await closed.promise;
		},
		waits: () => waiting.length,
	};
}

const title = (text: string, revision: number) => ({ id: "T", title: text, revision });

test("a child that reads is told each value; one that does not gets the newest of each once it reads again", async () => {
	const { peer, sent, fill, drain } = fakePeer();
	const push = createThreadPush(peer);
	push("thread.title.change", "T", title("a", 1));
	push("thread.title.change", "T", title("b", 2));
	fill();
	for (let revision = 3; revision <= 100; revision++) push("thread.title.change", "T", title("c", revision));
	push("activeThread.change", "", { thread: { id: "T" } });
	push("activeThread.change", "", { thread: null });
	await drain();
	expect(sent).toEqual([
		["thread.title.change", title("a", 1)],
		["thread.title.change", title("b", 2)],
		["thread.title.change", title("c", 100)],
		["activeThread.change", { thread: null }],
	]);
});

test("a child that has gone is told nothing more", async () => {
	const { peer, sent, fill, drain, end, waits } = fakePeer();
	const push = createThreadPush(peer);
	fill();
	push("thread.title.change", "T", title("a", 1));
	await end();
	push("thread.title.change", "T", title("b", 2));
	expect(waits()).toBe(1);
	await drain();
	expect(sent).toEqual([]);
});
