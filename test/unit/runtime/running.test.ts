import { describe, expect, test } from "bun:test";
import { memoryChannels } from "../../../runtime/channel-memory.ts";
import { failure } from "../../../runtime/errors.ts";
import { limits } from "../../../runtime/limits.ts";
import type { HandlerContext } from "../../../runtime/peer.ts";
import { createPeer } from "../../../runtime/peer.ts";
import { rejection, turn } from "./support.ts";

/** A call that waits in its handler, and what that handler was given. */
async function waitingCall() {
	const [here, there] = memoryChannels();
	const caller = createPeer(here, limits.wire);
	const callee = createPeer(there, limits.wire);
	const begun = Promise.withResolvers<HandlerContext>();
	callee.handle("wait", (_, context) => {
		begun.resolve(context);
		return new Promise(() => {});
	});
	const controller = new AbortController();
	const ended = rejection(caller.call("wait", {}, { signal: controller.signal }));
	return { caller, callee, controller, ended, context: await begun.promise };
}

describe("the signal of a handler", () => {
	test("that is first touched after the caller has given up has aborted, with the caller's reason", async () => {
		const { controller, ended, context } = await waitingCall();
		controller.abort(failure("timeout", { subject: "The call", ms: 5 }));
		await ended;
		await turn();
		expect(context.signal.aborted).toBe(true);
		expect(context.signal.reason).toMatchObject({ name: "TimeoutError", code: "timeout" });
	});

	test("that was touched before aborts at that moment, and is the same each time", async () => {
		const { controller, ended, context } = await waitingCall();
		const { signal } = context;
		const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
		controller.abort();
		await ended;
		await aborted;
		expect(signal.reason).toMatchObject({ name: "AbortError", code: "cancelled" });
		expect(context.signal).toBe(signal);
	});

	test("that is first touched after the connection has ended has aborted with what ended it", async () => {
		const { callee, ended, context } = await waitingCall();
		const reason = failure("channel_closed", { reason: "enough" });
		callee.close(reason);
		await ended;
		expect(context.signal.reason).toBe(reason);
	});

	test("has not aborted while nobody gave up, nor later when the call has its answer", async () => {
		const { caller, callee, context } = await waitingCall();
		expect(context.signal.aborted).toBe(false);
		const seen: HandlerContext[] = [];
		callee.handle("note", (_, given) => void seen.push(given));
		await caller.call("note", {});
		expect(seen.map(({ signal }) => signal.aborted)).toEqual([false]);
	});
});
