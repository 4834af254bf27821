import { describe, expect, test } from "bun:test";
import { openByteChannel } from "../../../runtime/channel.ts";
import { ndjson } from "../../../runtime/codec/ndjson.ts";
import { failure } from "../../../runtime/errors.ts";
import { limits } from "../../../runtime/limits.ts";
import { createPeer } from "../../../runtime/peer.ts";
import { streamWire } from "../../../runtime/wire-stream.ts";
import { type ByteEnd, barePeer, byteConnection, peerPair, rejection, turn } from "./support.ts";

describe("answers of a foreign side", () => {
	const wrong: Record<string, Record<string, unknown>> = {
		"neither a result nor an error": {},
		"a result and an error": { result: 1, error: { code: 1, message: "both" } },
		"an error that is null": { error: null },
		"an error that is text": { error: "broken" },
		"an error without a number": { error: { message: "no number" } },
		"an error whose message is no text": { error: { code: 1, message: 2 } },
	};

	test.each(Object.entries(wrong))("one with %s fails its call at once", async (_, parts) => {
		const { peer, receive } = barePeer();
		const call = peer.call("ask", {});
		const rejected = rejection(call);
		await receive({ jsonrpc: "2.0", id: 1, ...parts });
		expect(await rejected).toMatchObject({
			code: "invalid_answer",
			message: expect.stringMatching(/ask/),
		});
		expect(peer.pending).toBe(0);
	});

	test.each([[null], [false], [0], [""], [{}], [[]]])("the result %p is handed on as it is", async (result) => {
		const { peer, receive } = barePeer();
		const call = peer.call("ask", {});
		await receive({ jsonrpc: "2.0", id: 1, result });
		expect(await call).toEqual(result);
	});

	test("one that nobody waits for, and a second one, change nothing", async () => {
		const { peer, sent, receive } = barePeer();
		const call = peer.call("ask", {});
		for (const id of [2, "1", null, 1.5, {}]) await receive({ jsonrpc: "2.0", id, result: "forged" });
		expect(peer.pending).toBe(1);
		await receive({ jsonrpc: "2.0", id: 1, result: "first" });
		await receive({ jsonrpc: "2.0", id: 1, result: "second" });
		expect(await call).toBe("first");
		expect(sent).toEqual([{ jsonrpc: "2.0", id: 1, method: "ask", params: {} }]);
	});
});

describe("what a handler gives", () => {
	type Then = (resolve: (value: unknown) => void) => void;
	const withThen = <Target extends object>(target: Target, then: Then) => {
		Reflect.set(target, "then", then);
		return target;
	};
	const later: Then = (resolve) => resolve("given");

	test.each<[string, unknown]>([
		["a value", "given"],
		["a promise", Promise.resolve("given")],
		["an object that can be waited for", withThen({}, later)],
		["a function that can be waited for", withThen(() => {}, later)],
		["a promise of what can be waited for", Promise.resolve(withThen({}, later))],
	])("as %s is the answer that it stands for", async (_, given) => {
		const [left, right] = peerPair();
		right.handle("give", () => given);
		expect(await left.call("give", {})).toBe("given");
	});

	test.each<[string, () => unknown]>([
		["a promise that rejects", () => Promise.reject(new RangeError("no"))],
		["what throws as it is waited for", () => withThen({}, () => throws(new RangeError("no")))],
		["nothing, since it throws,", () => throws(new RangeError("no"))],
	])("as %s is the error of its call, which then runs no more", async (_, handler) => {
		const [left, right] = peerPair({ pendingCallsMax: 1 });
		right.handle("give", handler);
		for (let call = 0; call < 3; call += 1) {
			expect(await rejection(left.call("give", {}))).toMatchObject({ name: "RangeError", message: "no" });
		}
	});

	test("is sent before the next call is run when it is there at once", async () => {
		const passed: string[] = [];
		const { peer, receive } = barePeer({ observe: ({ direction }) => void passed.push(direction) });
		peer.handle("give", () => "given");
		await Promise.all([1, 2].map((id) => receive({ jsonrpc: "2.0", id, method: "give" })));
		expect(passed).toEqual(["in", "out", "in", "out"]);
	});
});

function throws(error: Error): never {
	throw error;
}

describe("values that cannot be carried", () => {
	const cycle: Record<string, unknown> = {};
	cycle.self = cycle;
	const values = { "a BigInt": 1n, "a cycle": cycle, "a function": () => {}, "a symbol": Symbol("s") };

	test.each(Object.entries(values))("%s as a result becomes an error of that call alone", async (_, value) => {
		const [left, right] = peerPair();
		right.handle("bad", () => value);
		right.handle("good", () => "fine");
		expect(await rejection(left.call("bad", {}))).toMatchObject({ code: "not_serializable" });
		expect(await left.call("good", {})).toBe("fine");
	});

	test.each(Object.entries(values))("%s as params fails the call where it is made", async (_, value) => {
		const { peer, sent } = barePeer();
		expect(await rejection(peer.call("ask", value))).toMatchObject({ code: "not_serializable" });
		await turn();
		expect(sent).toEqual([]);
		expect(peer.pending).toBe(0);
	});

	test("a notification that cannot be carried is told as a problem", () => {
		const { peer, problems } = barePeer();
		peer.notify("tell", 1n);
		expect(problems).toEqual([expect.stringMatching(/"tell" was not sent.*cannot be carried/)]);
	});

	test("a result, and an error, over the limit of a line fail their calls as too large", async () => {
		const [left, right] = bytePeers(4_000);
		right.handle("result", () => "a".repeat(5_000));
		right.handle("error", () => {
			throw new Error("a".repeat(5_000));
		});
		right.handle("good", () => "fine");
		expect(await rejection(left.call("result", {}))).toMatchObject({ code: "message_too_large" });
		expect(await rejection(left.call("error", {}))).toMatchObject({ code: "message_too_large" });
		expect(await rejection(left.call("good", "a".repeat(5_000)))).toMatchObject({ code: "message_too_large" });
		expect(await left.call("good", {})).toBe("fine");
		left.close(failure("host_stopped"));
		await right.closed;
	});
});

function bytePeers(lineBytesMax: number) {
	const open = (end: ByteEnd) =>
		createPeer(
			(listener) =>
				openByteChannel({
					wire: streamWire(end.readable, end.sink),
					codec: ndjson,
					limits: { ...limits.wire, lineBytesMax },
					listener,
				}),
			limits.wire,
		);
	const [left, right] = byteConnection();
	return [open(left), open(right)] as const;
}
