import { expect, test } from "bun:test";
import { systemClock } from "../../../../host/base/clock.ts";
import { createGate } from "../../../../host/base/gate.ts";

test.each([Number.POSITIVE_INFINITY, 2 ** 31])("a wait of %p ms is never over, and can be cancelled", async (ms) => {
	const happened: string[] = [];
	const cancel = systemClock.after(ms, () => happened.push("over"));
	const { promise, resolve } = Promise.withResolvers<void>();
	systemClock.after(20, resolve);
	const held = setInterval(() => {}, 1_000);
	await promise;
	clearInterval(held);
	expect(happened).toEqual([]);
	cancel();
});

test("a task whose place at a gate is held for ever keeps it until it has ended", async () => {
	const gate = createGate(1, Number.POSITIVE_INFINITY);
	const { promise, resolve } = Promise.withResolvers<void>();
	const order: string[] = [];
	const first = gate.run(() => promise.then(() => order.push("first")));
	const second = gate.run(async () => order.push("second"));
	await Bun.sleep(20);
	resolve();
	await Promise.all([first, second]);
	expect(order).toEqual(["first", "second"]);
});
