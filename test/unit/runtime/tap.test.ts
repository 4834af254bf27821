import { describe, expect, test } from "bun:test";
import { memoryChannels } from "../../../runtime/channel-memory.ts";
import { limits } from "../../../runtime/limits.ts";
import { createPeer, type Frame } from "../../../runtime/peer.ts";
import { createTap, type TapFrame } from "../../../runtime/tap.ts";
import { barePeer, rejection } from "./support.ts";

describe("frames", () => {
	test("a tap on a peer shows the messages of both directions, in order, with what they answer", async () => {
		const tap = createTap();
		const [watched, other] = watchedPair(tap.observe);
		watched.handle("ask", () => "asked");
		other.handle("good", () => 1);
		other.handle("bad", () => Promise.reject(new Error("no")));
		await watched.call("good", {});
		await rejection(watched.call("bad", {}));
		watched.notify("tell", {});
		await other.call("ask", {});
		expect(tap.frames().map(({ direction, kind, method, id }) => [direction, kind, method, id])).toEqual([
			["out", "call", "good", 1],
			["in", "result", "good", 1],
			["out", "call", "bad", 2],
			["in", "error", "bad", 2],
			["out", "notification", "tell", undefined],
			["in", "call", "ask", 1],
			["out", "result", "ask", 1],
		]);
	});

	test("a frame holds the message, its bytes and the milliseconds since the tap began", () => {
		let clock = 100;
		const each: TapFrame[] = [];
		const tap = createTap({ now: () => clock, each: (frame) => each.push(frame) });
		clock = 107;
		const message = { jsonrpc: "2.0", method: "tell", params: { a: 1 } };
		tap.observe({ direction: "in", message, bytes: 42 });
		expect(tap.frames()).toEqual([
			{ direction: "in", kind: "notification", method: "tell", bytes: 42, ms: 7, message },
		]);
		expect(each).toEqual(tap.frames());
	});

	test("the number 1 and the text 1 are two calls", () => {
		const tap = createTap();
		feed(tap.observe, ["in", { id: 1, method: "first" }], ["in", { id: "1", method: "second" }]);
		feed(tap.observe, ["out", { id: 1, result: 0 }], ["out", { id: "1", result: 0 }]);
		expect(tap.frames().map(({ method }) => method)).toEqual(["first", "second", "first", "second"]);
	});

	test("calls of both directions with the same id are kept apart", () => {
		const tap = createTap();
		feed(tap.observe, ["in", { id: 1, method: "theirs" }], ["out", { id: 1, method: "ours" }]);
		feed(tap.observe, ["in", { id: 1, result: 0 }], ["out", { id: 1, result: 0 }]);
		expect(tap.frames().map(({ method }) => method)).toEqual(["theirs", "ours", "ours", "theirs"]);
	});

	const senseless = [null, 5, "text", [], {}, { id: 1 }, { id: { toString: 1, valueOf: 1 } }, { method: 5, id: null }];
	test.each(senseless.map((message) => [message]))("the message %j is shown as invalid", (message) => {
		const tap = createTap();
		tap.observe({ direction: "in", message, bytes: 0 });
		expect(tap.frames()).toMatchObject([{ kind: "invalid" }]);
	});
});

describe("bounds", () => {
	test("only the last frames are kept, while the totals count all", () => {
		const tap = createTap({ framesMax: 3 });
		for (let number = 1; number <= 10; number += 1) {
			tap.observe({ direction: number % 2 ? "in" : "out", message: { method: `m${number}` }, bytes: number });
		}
		expect(tap.frames().map(({ method }) => method)).toEqual(["m8", "m9", "m10"]);
		expect(tap.totals()).toEqual({ messages: 10, bytes: 55 });
	});

	test("the default bound is the one of the limits", () => {
		const tap = createTap();
		const count = limits.text.tapFramesMax + 5;
		for (let number = 0; number < count; number += 1) {
			tap.observe({ direction: "in", message: { method: "m" }, bytes: 1 });
		}
		expect(tap.frames()).toHaveLength(limits.text.tapFramesMax);
		expect(tap.totals()).toEqual({ messages: count, bytes: count });
	});

	test("the list that was given out does not change with later frames", () => {
		const tap = createTap();
		const before = tap.frames();
		tap.observe({ direction: "in", message: { method: "m" }, bytes: 1 });
		expect(before).toEqual([]);
	});
});

describe("secret input", () => {
	const secret = "correct horse battery staple";
	const ask = { method: "ui.input", params: { title: "Password", secret: true } };

	test("the answer is never kept, by either side's tap, while the plugin gets it", async () => {
		const near = createTap();
		const far = createTap();
		const seen: TapFrame[] = [];
		const each = createTap({ each: (frame) => seen.push(frame) });
		const observe = (frame: Frame) => {
			near.observe(frame);
			each.observe(frame);
		};
		const [host, child] = watchedPair(observe, far.observe);
		host.handle("ui.input", () => ({ value: secret }));
		expect(await child.call("ui.input", ask.params)).toEqual({ value: secret });
		expect(near.frames()).toMatchObject([{ kind: "call" }, { kind: "result", message: { id: 1, result: "[secret]" } }]);
		for (const frames of [near.frames(), far.frames(), seen]) {
			expect(frames).toHaveLength(2);
			expect(JSON.stringify(frames)).not.toContain(secret);
		}
	});

	test("the answer to an input that is not secret is kept", () => {
		const tap = createTap();
		feed(tap.observe, ["in", { id: 1, method: "ui.input", params: { secret: false } }]);
		feed(tap.observe, ["out", { id: 1, result: { value: "shown" } }]);
		expect(JSON.stringify(tap.frames())).toContain("shown");
	});

	test("a second call with the same id, refused or of another type, does not reveal it", () => {
		for (const id of [1, "1"]) {
			const tap = createTap();
			feed(tap.observe, ["in", { id: 1, ...ask }], ["in", { id, method: "ui.notify", params: {} }]);
			feed(tap.observe, ["out", { id, error: { code: -32600, message: "in use" } }]);
			feed(tap.observe, ["out", { id: 1, result: { value: secret } }]);
			expect(JSON.stringify(tap.frames())).not.toContain(secret);
		}
	});

	test("an answer that also has an error does not reveal it", () => {
		const tap = createTap();
		feed(tap.observe, ["in", { id: 1, ...ask }], ["out", { id: 1, result: secret, error: { code: 1, message: "m" } }]);
		expect(tap.frames()[1]?.kind).toBe("error");
		expect(JSON.stringify(tap.frames())).not.toContain(secret);
	});

	test("an id that had a secret answer shows its next answer", () => {
		const tap = createTap();
		feed(tap.observe, ["in", { id: 1, ...ask }], ["out", { id: 1, result: secret }]);
		feed(tap.observe, ["in", { id: 1, method: "ping" }], ["out", { id: 1, result: "pong" }]);
		expect(tap.frames().at(-1)?.message).toEqual({ id: 1, result: "pong" });
	});

	test("the peer's own message is not changed by the tap", async () => {
		const tap = createTap();
		const { peer, sent, receive } = barePeer({ observe: tap.observe });
		peer.handle("ui.input", () => ({ value: secret }));
		await receive({ jsonrpc: "2.0", id: 1, ...ask });
		expect(sent).toEqual([{ jsonrpc: "2.0", id: 1, result: { value: secret } }]);
	});
});

function feed(observe: (frame: Frame) => void, ...messages: [Frame["direction"], Record<string, unknown>][]): void {
	for (const [direction, message] of messages) observe({ direction, message, bytes: 1 });
}

function watchedPair(...observers: ((frame: Frame) => void)[]) {
	const [left, right] = memoryChannels();
	const open = (end: typeof left, observe = (_: Frame) => {}) => createPeer(end, { pendingCallsMax: 8, observe });
	return [open(left, observers[0]), open(right, observers[1])] as const;
}
