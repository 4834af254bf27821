import { describe, expect, test } from "bun:test";
import { openByteChannel } from "../../../runtime/channel.ts";
import { ndjson } from "../../../runtime/codec/ndjson.ts";
import { failure } from "../../../runtime/errors.ts";
import { limits } from "../../../runtime/limits.ts";
import { createPeer } from "../../../runtime/peer.ts";
import { streamWire } from "../../../runtime/wire-stream.ts";
import { playedSide } from "./channel-support.ts";
import { barePeer, peerPair, rejection, turn } from "./support.ts";

describe("a call that is given up", () => {
	test("aborting its signal rejects it, sends $/cancel with its id, and drops the late answer", async () => {
		const { peer, sent, receive } = barePeer();
		const controller = new AbortController();
		const call = peer.call("slow", {}, { signal: controller.signal });
		const rejected = rejection(call);
		controller.abort();
		expect(await rejected).toMatchObject({ code: "cancelled" });
		expect(peer.pending).toBe(0);
		await turn();
		expect(sent.slice(1)).toEqual([{ jsonrpc: "2.0", method: "$/cancel", params: { id: 1 } }]);
		await receive({ jsonrpc: "2.0", id: 1, result: "late" });
		expect(sent).toHaveLength(2);
	});

	test("a BroodError as the reason of the abort is what it rejects with", async () => {
		const { peer } = barePeer();
		const controller = new AbortController();
		const reason = failure("host_stopped");
		const call = peer.call("slow", {}, { signal: controller.signal });
		controller.abort(reason);
		expect(await rejection(call)).toBe(reason);
	});

	test("one whose signal was aborted before is not sent", async () => {
		const { peer, sent } = barePeer();
		expect(await rejection(peer.call("slow", {}, { signal: AbortSignal.abort() }))).toMatchObject({
			code: "cancelled",
		});
		await turn();
		expect(sent).toEqual([]);
	});

	test("an abort after the answer sends nothing", async () => {
		const { peer, sent, receive } = barePeer();
		const controller = new AbortController();
		const call = peer.call("quick", {}, { signal: controller.signal });
		await receive({ jsonrpc: "2.0", id: 1, result: 1 });
		await call;
		controller.abort();
		await turn();
		expect(sent).toHaveLength(1);
	});

	test("an answer in time ends the timer, so that no $/cancel follows", async () => {
		const { peer, sent, receive } = barePeer();
		const call = peer.call("quick", {}, { timeoutMs: 1 });
		await receive({ jsonrpc: "2.0", id: 1, result: 1 });
		expect(await call).toBe(1);
		await new Promise((resolve) => setTimeout(resolve, 5));
		expect(sent).toHaveLength(1);
	});

	test("one that is not answered in its time rejects with that time and sends $/cancel", async () => {
		const { peer, sent } = barePeer();
		expect(await rejection(peer.call("slow", {}, { timeoutMs: 1 }))).toMatchObject({
			code: "timeout",
			message: expect.stringMatching(/slow did not answer within 1 ms/),
		});
		await turn();
		const error = {
			code: -32002,
			message: "slow did not answer within 1 ms.",
			data: { name: "BroodError", code: "timeout" },
		};
		expect(sent.slice(1)).toEqual([{ jsonrpc: "2.0", method: "$/cancel", params: { id: 1, error } }]);
		expect(peer.pending).toBe(0);
	});

	test.each([Number.POSITIVE_INFINITY, 2 ** 31])(
		"a time of %p ms, longer than a timer can be, is no limit",
		async (ms) => {
			const { peer, receive } = barePeer();
			const call = peer.call("slow", {}, { timeoutMs: ms });
			// A timer that overflows fires after one millisecond, before this one.
			await new Promise((resolve) => setTimeout(resolve, 5));
			await receive({ jsonrpc: "2.0", id: 1, result: "answered" });
			expect(await call).toBe("answered");
		},
	);

	test("its handler's signal aborts as cancelled, and the answer that still comes is dropped", async () => {
		const frames: unknown[] = [];
		const [left, right] = peerPair({ observe: ({ message }) => frames.push(message) });
		const aborted = Promise.withResolvers<unknown>();
		const answered = Promise.withResolvers<string>();
		right.handle("slow", (_, { signal }) => {
			signal.addEventListener("abort", () => aborted.resolve(signal.reason));
			return answered.promise;
		});
		const controller = new AbortController();
		const call = left.call("slow", {}, { signal: controller.signal });
		const rejected = rejection(call);
		await turn();
		controller.abort();
		expect(await aborted.promise).toMatchObject({ code: "cancelled" });
		answered.resolve("late");
		expect(await rejected).toMatchObject({ code: "cancelled" });
		await turn();
		expect(frames).toContainEqual({ jsonrpc: "2.0", id: 1, result: "late" });
	});

	test("a $/cancel for an unknown or senseless id, or without params, changes nothing", async () => {
		const { peer, sent, receive } = barePeer();
		let aborted = false;
		const answer = Promise.withResolvers<string>();
		peer.handle("slow", (_, { signal }) => {
			signal.addEventListener("abort", () => {
				aborted = true;
			});
			return answer.promise;
		});
		await receive({ jsonrpc: "2.0", id: 1, method: "slow" });
		for (const params of [{ id: 2 }, { id: "1" }, { id: null }, { id: {} }, {}, null, 1, "1", [1]]) {
			await receive({ jsonrpc: "2.0", method: "$/cancel", params });
		}
		await receive({ jsonrpc: "2.0", method: "$/cancel" });
		answer.resolve("done");
		await turn();
		expect(sent).toEqual([{ jsonrpc: "2.0", id: 1, result: "done" }]);
		expect(aborted).toBe(false);
	});
});

describe("the end of the connection", () => {
	test("closing fails every waiting call on both sides and aborts every running handler", async () => {
		const [left, right] = peerPair();
		const reasons: unknown[] = [];
		for (const peer of [left, right]) {
			peer.handle("slow", (_, { signal }) => {
				signal.addEventListener("abort", () => reasons.push(signal.reason));
				return new Promise(() => {});
			});
		}
		const calls = [left.call("slow", 1), left.call("slow", 2), right.call("slow", 3)];
		const settled = Promise.allSettled(calls);
		await turn();
		const reason = failure("plugin_exited", { plugin: "p" });
		left.close(reason);
		expect((await settled).map((one) => one.status === "rejected" && one.reason)).toEqual([reason, reason, reason]);
		expect(reasons).toEqual([reason, reason, reason]);
		expect(await left.closed).toBe(reason);
		expect(await right.closed).toBe(reason);
		expect([left.pending, right.pending]).toEqual([0, 0]);
	});

	test("after the close a call rejects with its reason and a notification is swallowed", async () => {
		const { peer, problems } = barePeer();
		const reason = failure("host_stopped");
		peer.close(reason);
		expect(await rejection(peer.call("ask", {}))).toBe(reason);
		peer.notify("tell", {});
		expect(problems).toEqual([]);
	});

	test("a handler that ends after the close answers nobody and harms nothing", async () => {
		const { peer, sent, problems, receive } = barePeer();
		const late = Promise.withResolvers<string>();
		peer.handle("good", () => late.promise);
		peer.handle("bad", async () => {
			await late.promise;
			throw new Error("too late");
		});
		await receive({ jsonrpc: "2.0", id: 1, method: "good" });
		await receive({ jsonrpc: "2.0", id: 2, method: "bad" });
		peer.close(failure("host_stopped"));
		late.resolve("late");
		await turn();
		expect(sent).toEqual([]);
		expect(problems).toEqual([]);
	});
});

describe("the limit of calls without an answer", () => {
	test("a call past it is refused as busy on the side that makes it, until one is answered", async () => {
		const { peer, sent, receive } = barePeer({ pendingCallsMax: 2 });
		const first = peer.call("ask", 1);
		const second = peer.call("ask", 2);
		expect(await rejection(peer.call("ask", 3))).toMatchObject({ code: "busy" });
		await receive({ jsonrpc: "2.0", id: 1, result: "one" });
		const third = peer.call("ask", 4);
		await receive({ jsonrpc: "2.0", id: 2, result: "two" });
		await receive({ jsonrpc: "2.0", id: 3, result: "three" });
		expect(await Promise.all([first, second, third])).toEqual(["one", "two", "three"]);
		expect(sent.map(({ params }) => params)).toEqual([1, 2, 4]);
	});

	test("past the limit of the write queue a call fails as busy, while a cancellation and an error still leave", async () => {
		const side = playedSide();
		const wire = { ...limits.wire, writeQueueBytesMax: 100 };
		const peer = createPeer(
			(listener) =>
				openByteChannel({ wire: streamWire(side.readable, side.sink), codec: ndjson, limits: wire, listener }),
			limits.wire,
		);
		const release = side.hold();
		const controller = new AbortController();
		const call = rejection(peer.call("ask", "a".repeat(90), { signal: controller.signal }));
		expect(await rejection(peer.call("ask", "b"))).toMatchObject({ code: "busy" });
		controller.abort();
		expect(await call).toMatchObject({ code: "cancelled" });
		side.give('{"id":"x","method":"missing"}\n');
		await turn();
		release();
		await peer.flush();
		const written = side.writes.join("").trimEnd().split("\n");
		expect(written.map((line) => JSON.parse(line))).toMatchObject([
			{ method: "ask" },
			{ method: "$/cancel", params: { id: 1 } },
			{ id: "x", error: { code: -32601 } },
		]);
	});

	test("a request past it is answered as busy on the side that hears it, until one has ended", async () => {
		const { peer, sent, receive } = barePeer({ pendingCallsMax: 2 });
		const waiting: ((value: string) => void)[] = [];
		peer.handle("slow", () => new Promise((resolve) => waiting.push(resolve)));
		for (const id of [1, 2, 3]) await receive({ jsonrpc: "2.0", id, method: "slow" });
		expect(sent).toMatchObject([{ id: 3, error: { code: -32003, data: { code: "busy" } } }]);
		waiting[0]?.("one");
		await turn();
		await receive({ jsonrpc: "2.0", id: 4, method: "slow" });
		expect(waiting).toHaveLength(3);
	});
});
