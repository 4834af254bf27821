import { expect, test } from "bun:test";
import { createBench } from "../support/host.ts";
import { holds, hookPlugin, post, seenIn, seesEvents, startHook, urlOf } from "./support.ts";

const bench = createBench();

test("an event that the host hands over looks as one that was received, and no queue knows of it", async () => {
	const { host } = await startHook(bench, hookPlugin(bench, { headers: ["X-A", "x-b"] }));
	const body = '{"a":[1]}';
	await post(urlOf(bench), body, { "x-a": "1", "x-b": "2", "x-c": "3" });
	await seesEvents(bench, 1);
	const headers: [string, string][] = [
		["X-A", "1"],
		["x-b", "2"],
		["x-c", "3"],
	];
	expect(await host.webhooks.deliver("hook", { body, headers })).toEqual({
		ok: true,
		plugin: "hook",
		key: "hook",
		ms: expect.any(Number),
	});
	const [received, handed] = seenIn(bench);
	const own = { id: expect.stringMatching(/^evt_/), receivedAt: expect.any(String), thread: expect.any(String) };
	expect(handed).toEqual({ ...received, ...own } as never);
	expect(handed?.id).not.toBe(received?.id ?? "");
	// The received one is done once the queue has heard that its handler is.
	await holds(async () => (await host.webhooks.list())[0]?.pending === 0);
	expect(await host.webhooks.list()).toMatchObject([{ key: "hook", headers: ["x-a", "x-b"], failed: 0 }]);
});

test("bytes come as they are; id, attempt and thread can be given", async () => {
	const { host } = await startHook(bench, hookPlugin(bench));
	const body = new Uint8Array([255, 0, 10]);
	await host.webhooks.deliver("hook", { body, id: "again", attempt: 3 }, { threadID: "T-7" });
	await host.webhooks.deliver("hook");
	expect(seenIn(bench)).toMatchObject([
		{ id: "again", body: body.toBase64(), payload: null, metadata: { attempt: 3 }, thread: "T-7" },
		{ body: "", payload: null, headers: {}, metadata: { attempt: 1 } },
	]);
});

test("what the handler throws is the result; nothing is delivered again, and no log tells of an attempt", async () => {
	const { host } = await startHook(bench, hookPlugin(bench, { handle: 'throw new RangeError("out of reach");' }));
	const { ok, error } = await host.webhooks.deliver("hook", { body: "1" });
	expect([ok, error?.name, error?.message]).toEqual([false, "RangeError", "out of reach"]);
	expect(await host.webhooks.list()).toMatchObject([{ pending: 0, failed: 0 }]);
	expect(host.plugins.log("hook").filter(({ message }) => message.includes("attempt"))).toEqual([]);
});

test("a handler has the time of a delivery, or less where the caller says so; its signal aborts then", async () => {
	const handle =
		'await new Promise((_, reject) => context.signal.addEventListener("abort", () => { note("given up"); reject(new Error("late")); }));';
	const { host } = await startHook(bench, hookPlugin(bench, { handle }), { limits: { webhooks: { handlerMs: 200 } } });
	await expect(host.webhooks.deliver("hook")).rejects.toMatchObject({ code: "timeout", plugin: "hook" });
	await expect(host.webhooks.deliver("hook", {}, { timeoutMs: 50 })).rejects.toThrow("within 50 ms");
	const caller = new AbortController();
	const given = host.webhooks.deliver("hook", {}, { signal: caller.signal });
	await seesEvents(bench, 3);
	caller.abort();
	await expect(given).rejects.toMatchObject({ code: "cancelled" });
});

test("a key of several plugins needs the name of one; one that nobody has is told with those there are", async () => {
	const { host } = await bench.start({ a: hookPlugin(bench), b: hookPlugin(bench), none: "export default () => {};" });
	await expect(host.webhooks.deliver("hook")).rejects.toThrow("Several plugins have it: a:hook, b:hook.");
	expect(await host.webhooks.deliver("b:hook")).toMatchObject({ ok: true, plugin: "b" });
	await expect(host.webhooks.deliver("c:hook")).rejects.toMatchObject({ code: "webhook_not_found" });
	await expect(host.webhooks.deliver("nothing")).rejects.toThrow("Known: a:hook, b:hook.");
});

test("a webhook of a plugin that cannot be asked, or that does not ask for it any more, is told as that", async () => {
	const { host } = await startHook(bench, hookPlugin(bench));
	await host.disable("hook");
	await expect(host.webhooks.deliver("hook")).rejects.toMatchObject({ code: "plugin_not_ready" });
	bench.write("hook", "export default () => {};");
	await host.enable("hook");
	await expect(host.webhooks.deliver("hook")).rejects.toMatchObject({ code: "webhook_not_found" });
	await host.stop();
	await expect(host.webhooks.deliver("hook")).rejects.toMatchObject({ code: "host_stopped" });
	expect(seenIn(bench)).toEqual([]);
});

test.each([
	["a body of another type", { body: 1 }, "body is a text or a Uint8Array"],
	["a body that no request may have", { body: "12345" }, "a body has at most 4 bytes"],
	["a header that cannot be sent", { headers: { "a b": "1" } }, "headers cannot be sent"],
	["an empty id", { id: "" }, "id is a text"],
	["an attempt that is none", { attempt: 0 }, "attempt is a whole number from 1"],
])("%s is refused", async (_, event, reason) => {
	const { host } = await startHook(bench, hookPlugin(bench), { limits: { webhooks: { bodyBytesMax: 4 } } });
	const refused = expect(host.webhooks.deliver("hook", event as never)).rejects;
	await refused.toMatchObject({ code: "usage", message: expect.stringContaining(reason) });
	expect(seenIn(bench)).toEqual([]);
});
