import { describe, expect, test } from "bun:test";
import { createCallClocks } from "../../../../host/backends/call-clocks.ts";
import { startDeadline } from "../../../../host/backends/deadline.ts";

const late = () => new Error("too late");
const aborted = (signal: AbortSignal) =>
	new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
/** Long enough that a limit of 20 ms would have been over. */
const longer = () => Bun.sleep(60);

describe("a deadline", () => {
	test("aborts with its reason when the time is over", async () => {
		const { signal } = startDeadline(5, late);
		await aborted(signal);
		expect(signal.reason).toEqual(late());
	});

	test("does not abort after it was cleared", async () => {
		const { signal, clear } = startDeadline(20, late);
		clear();
		await longer();
		expect(signal.aborted).toBe(false);
	});

	test("stands still while it is paused, once for each pause, and goes on after the last resume", async () => {
		const { signal, pause, resume } = startDeadline(20, late);
		pause();
		pause();
		resume();
		await longer();
		expect(signal.aborted).toBe(false);
		resume();
		await aborted(signal);
		expect(signal.reason).toEqual(late());
	});

	test("that is cleared while paused does not go on", async () => {
		const { signal, pause, resume, clear } = startDeadline(20, late);
		pause();
		clear();
		resume();
		await longer();
		expect(signal.aborted).toBe(false);
	});

	test("follows the signal of the caller, with its reason, also one that has aborted already", () => {
		const caller = new AbortController();
		const { signal, clear } = startDeadline(60_000, late, caller.signal);
		caller.abort("gone");
		expect(signal.reason).toBe("gone");
		clear();
		const already = startDeadline(60_000, late, AbortSignal.abort("long gone"));
		expect(already.signal.reason).toBe("long gone");
		already.clear();
	});
});

describe("the clocks of a plugin's calls", () => {
	test("a dialog of one call stops that clock alone", async () => {
		const clocks = createCallClocks();
		const asking = clocks.start(20, late, undefined);
		const other = clocks.start(20, late, undefined);
		asking.sent(1);
		other.sent(2);
		const close = clocks.dialog(1);
		if (other.signal !== undefined) await aborted(other.signal);
		await longer();
		expect(asking.signal?.aborted).toBe(false);
		close();
		if (asking.signal !== undefined) await aborted(asking.signal);
		expect(asking.signal?.reason).toEqual(late());
	});

	test("a dialog outside of any call stops all of them, and those that begin later run", async () => {
		const clocks = createCallClocks();
		const [one, two] = [clocks.start(20, late, undefined), clocks.start(20, late, undefined)];
		one.sent(1);
		two.sent(2);
		const close = clocks.dialog(undefined);
		const three = clocks.start(20, late, undefined);
		three.sent(3);
		if (three.signal !== undefined) await aborted(three.signal);
		expect([one, two].map(({ signal }) => signal?.aborted)).toEqual([false, false]);
		close();
		one.clear();
		two.clear();
	});

	test("a dialog of a call that nobody knows stops none", async () => {
		const clocks = createCallClocks();
		const one = clocks.start(5, late, undefined);
		one.sent(1);
		clocks.dialog(99)();
		clocks.dialog(98);
		if (one.signal !== undefined) await aborted(one.signal);
		expect(one.signal?.aborted).toBe(true);
	});

	test("a call without a limit has only the signal of its caller", () => {
		const clocks = createCallClocks();
		const caller = new AbortController();
		expect(clocks.start(undefined, late, caller.signal).signal).toBe(caller.signal);
		expect(clocks.start(undefined, late, undefined).signal).toBeUndefined();
	});
});
