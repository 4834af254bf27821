import { describe, expect, test } from "bun:test";
import { failure } from "../../../runtime/errors.ts";
import { barePeer, peerPair, rejection, turn } from "./support.ts";

describe("two peers", () => {
	test("both sides call and answer, also within each other's calls", async () => {
		const [left, right] = peerPair();
		left.handle("double", (params) => Number(params) * 2);
		right.handle("double and one", async (params) => Number(await right.call("double", params)) + 1);
		expect(await left.call("double and one", 20)).toBe(41);
		expect([left.pending, right.pending]).toEqual([0, 0]);
	});

	test("answers find their calls although they come in another order", async () => {
		const [left, right] = peerPair();
		const waiting: (() => void)[] = [];
		right.handle("name", (name) => new Promise((resolve) => waiting.push(() => resolve(name))));
		const calls = Promise.all(["a", "b", "c"].map((name) => left.call("name", name)));
		await turn();
		expect(left.pending).toBe(3);
		for (const answer of waiting.reverse()) answer();
		expect(await calls).toEqual(["a", "b", "c"]);
	});

	test("a handler without a result answers null", async () => {
		const [left, right] = peerPair();
		right.handle("nothing", () => {});
		expect(await left.call("nothing", {})).toBeNull();
	});

	test("a call without params gives its handler undefined", async () => {
		const [left, right] = peerPair();
		right.handle("type", (params) => typeof params);
		expect(await left.call("type", undefined)).toBe("undefined");
	});

	test("what a handler throws is what the call rejects with", async () => {
		const [left, right] = peerPair();
		right.handle("sync", () => {
			throw new RangeError("too far");
		});
		right.handle("async", () => Promise.reject(failure("tool_not_found", { subject: "t" })));
		right.handle("text", () => Promise.reject("just text"));
		expect(await rejection(left.call("sync", {}))).toBeInstanceOf(RangeError);
		expect(await rejection(left.call("sync", {}))).toHaveProperty("message", "too far");
		expect(await rejection(left.call("async", {}))).toHaveProperty("code", "tool_not_found");
		expect(await rejection(left.call("text", {}))).toHaveProperty("message", "just text");
	});

	test("the last handler of a name wins", async () => {
		const [left, right] = peerPair();
		right.handle("who", () => "first");
		right.handle("who", () => "last");
		expect(await left.call("who", {})).toBe("last");
	});

	test("a notification reaches its listener, and one that throws leaves the connection whole", async () => {
		const problems: string[] = [];
		const [left, right] = peerPair({ problem: (text) => problems.push(text) });
		const heard: unknown[] = [];
		right.listen("good", (params) => heard.push(params));
		right.listen("bad", () => {
			throw new Error("listener broke");
		});
		left.notify("bad", 1);
		left.notify("good", 2);
		await turn();
		expect(heard).toEqual([2]);
		expect(problems).toEqual([expect.stringMatching(/"bad".*listener broke/)]);
	});
});

describe("requests of a foreign side", () => {
	test.each([0, -1, 7, Number.MAX_SAFE_INTEGER, "", "a-1", "1", "__proto__"])(
		"the id %p comes back with its value and type, to the handler and in the answer",
		async (id) => {
			const { peer, sent, receive } = barePeer();
			peer.handle("id", (_, context) => ({ id: context.id }));
			await receive({ jsonrpc: "2.0", id, method: "id" });
			await receive({ jsonrpc: "2.0", id, method: "missing" });
			expect(sent).toStrictEqual([
				{ jsonrpc: "2.0", id, result: { id } },
				{ jsonrpc: "2.0", id, error: expect.objectContaining({ code: -32601 }) },
			]);
		},
	);

	test.each([[null], [2 ** 53], [-(2 ** 60)], [1.5], [true], [{}], [[1]]])(
		"the id %p is refused with -32600 and no id",
		async (id) => {
			const { peer, sent, receive } = barePeer();
			let ran = false;
			peer.handle("run", () => {
				ran = true;
			});
			await receive({ jsonrpc: "2.0", id, method: "run" });
			expect(sent).toMatchObject([{ jsonrpc: "2.0", id: null, error: { code: -32600 } }]);
			expect(ran).toBe(false);
		},
	);

	const run = { jsonrpc: "2.0", id: 1, method: "run" };
	test.each([[[]], [[1]], [[run, { ...run, id: 2 }]]])("the batch %j is answered with one -32600", async (batch) => {
		const { peer, sent, receive } = barePeer();
		let runs = 0;
		peer.handle("run", () => {
			runs += 1;
		});
		await receive(batch);
		expect(sent).toMatchObject([{ id: null, error: { code: -32600, message: expect.stringMatching(/batch/) } }]);
		expect(sent).toHaveLength(1);
		expect(runs).toBe(0);
	});

	test.each(["missing", "constructor", "__proto__", "toString", "hasOwnProperty", "", "$/cancel"])(
		"the method %p, which nobody serves, is answered with -32601",
		async (method) => {
			const { peer, sent, receive } = barePeer();
			peer.handle("other", () => 1);
			await receive({ jsonrpc: "2.0", id: 1, method });
			expect(sent).toMatchObject([{ id: 1, error: { code: -32601, data: { code: "method_not_found" } } }]);
		},
	);

	test.each(["constructor", "__proto__", "toString"])("the method %p can be served like any other", async (method) => {
		const { peer, sent, receive } = barePeer();
		peer.handle(method, () => "served");
		await receive({ jsonrpc: "2.0", id: 1, method });
		expect(sent).toEqual([{ jsonrpc: "2.0", id: 1, result: "served" }]);
	});

	test("a notification that nobody hears is told as a problem and not answered", async () => {
		const { sent, problems, receive } = barePeer();
		await receive({ jsonrpc: "2.0", method: "later.invention", params: {} });
		await receive({ jsonrpc: "2.0", method: "constructor" });
		expect(sent).toEqual([]);
		expect(problems).toHaveLength(2);
	});

	test("another version of JSON-RPC is refused with the id, and a missing version is forgiven", async () => {
		const { peer, sent, receive } = barePeer();
		peer.handle("run", () => "ran");
		await receive({ jsonrpc: "1.0", id: 1, method: "run" });
		await receive({ id: 2, method: "run" });
		expect(sent).toMatchObject([
			{ id: 1, error: { code: -32600 } },
			{ id: 2, result: "ran" },
		]);
	});

	test("a method that is no string is refused", async () => {
		const { sent, receive } = barePeer();
		await receive({ jsonrpc: "2.0", id: 1, method: 5 });
		expect(sent).toMatchObject([{ id: null, error: { code: -32600 } }]);
	});

	test("a second call with an id in flight is refused, and the first is answered in its time", async () => {
		const { peer, sent, receive } = barePeer();
		const first = Promise.withResolvers<string>();
		let runs = 0;
		peer.handle("slow", () => {
			runs += 1;
			return first.promise;
		});
		await receive({ jsonrpc: "2.0", id: 1, method: "slow" });
		await receive({ jsonrpc: "2.0", id: 1, method: "slow" });
		expect(sent).toMatchObject([{ id: 1, error: { code: -32600, message: expect.stringMatching(/in use/) } }]);
		first.resolve("done");
		await turn();
		expect(sent.slice(1)).toEqual([{ jsonrpc: "2.0", id: 1, result: "done" }]);
		expect(runs).toBe(1);
	});

	test("the number 1 and the text 1 are two ids, and an id may be used again after its answer", async () => {
		const { peer, sent, receive } = barePeer();
		const waiting: ((value: string) => void)[] = [];
		peer.handle("slow", () => new Promise((resolve) => waiting.push(resolve)));
		await receive({ jsonrpc: "2.0", id: 1, method: "slow" });
		await receive({ jsonrpc: "2.0", id: "1", method: "slow" });
		waiting[1]?.("text");
		waiting[0]?.("number");
		await turn();
		await receive({ jsonrpc: "2.0", id: 1, method: "slow" });
		waiting[2]?.("again");
		await turn();
		expect(sent).toEqual([
			{ jsonrpc: "2.0", id: "1", result: "text" },
			{ jsonrpc: "2.0", id: 1, result: "number" },
			{ jsonrpc: "2.0", id: 1, result: "again" },
		]);
	});
});
