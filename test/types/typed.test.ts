import { expect, test } from "bun:test";
import { remote, serve } from "../../runtime/typed.ts";
import { peerPair, rejection, turn } from "../unit/runtime/support.ts";

interface Calls {
	add: { params: { a: number; b: number }; result: number };
	slow: { params: Record<string, never>; result: string };
}

interface Notifications {
	tell: { text: string };
}

test("a remote calls the methods that the other side serves, and tells it notifications", async () => {
	const [left, right] = peerPair();
	const heard: unknown[] = [];
	serve<Calls>(right, { add: ({ a, b }) => a + b, slow: async (_, { id }) => `call ${id}` });
	right.listen("tell", (params) => heard.push(params));
	const other = remote<Calls, Notifications>(left);
	const sum: number = await other.call("add", { a: 1, b: 2 });
	expect(sum).toBe(3);
	expect(await other.call("slow", {})).toBe("call 2");
	other.notify("tell", { text: "hello" });
	await turn();
	expect(heard).toEqual([{ text: "hello" }]);
});

test("a remote hands the options of a call on", async () => {
	const [left, right] = peerPair();
	serve<Calls>(right, { add: () => 0, slow: () => new Promise(() => {}) });
	const ids: number[] = [];
	const call = remote<Calls, Notifications>(left).call("slow", {}, { timeoutMs: 1, sent: (id) => ids.push(id) });
	expect(await rejection(call)).toMatchObject({ code: "timeout" });
	expect(ids).toEqual([1]);
});

test("the compiler refuses an unknown method, wrong params and a table with a method missing", () => {
	const [left] = peerPair();
	const other = remote<Calls, Notifications>(left);
	const uses = [
		// @ts-expect-error: no such method
		() => other.call("subtract", {}),
		// @ts-expect-error: b is missing
		() => other.call("add", { a: 1 }),
		// @ts-expect-error: text is a string
		() => other.notify("tell", { text: 1 }),
		// @ts-expect-error: slow is missing
		() => serve<Calls>(left, { add: () => 0 }),
	];
	expect(uses).toHaveLength(4);
});
