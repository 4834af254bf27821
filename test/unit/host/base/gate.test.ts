import { describe, expect, test } from "bun:test";
import { createGate } from "../../../../host/base/gate.ts";
import { rejection, turn } from "../../runtime/support.ts";

test("no more tasks run at once than the limit, the others follow in order", async () => {
	const gate = createGate(2, 60_000);
	const running: string[] = [];
	const tasks = ["a", "b", "c", "d"].map((name) => ({ name, ...Promise.withResolvers<void>() }));
	const done = tasks.map(({ name, promise }) =>
		gate.run(async () => {
			running.push(name);
			await promise;
			return name;
		}),
	);
	await turn();
	expect(running).toEqual(["a", "b"]);
	tasks[1]?.resolve();
	await turn();
	expect(running).toEqual(["a", "b", "c"]);
	for (const task of tasks) task.resolve();
	expect(await Promise.all(done)).toEqual(["a", "b", "c", "d"]);
});

test("a task that fails makes room all the same", async () => {
	const gate = createGate(1, 60_000);
	const failing = rejection(gate.run(() => Promise.reject(new Error("no"))));
	expect(await gate.run(async () => "next")).toBe("next");
	expect(await failing).toMatchObject({ message: "no" });
});

test("where the next one begins in a turn of its own, what a task leads to is seen to before", async () => {
	const gate = createGate(1, 60_000, setImmediate);
	const order: string[] = [];
	const first = gate.run(async () => {});
	const next = gate.run(async () => order.push("the next one begins"));
	await first;
	for (let step = 0; step < 20; step += 1) await undefined;
	order.push("the first one is seen to");
	await next;
	expect(order).toEqual(["the first one is seen to", "the next one begins"]);
});

test("it is idle when no task has a place, and tells whoever waits for that", async () => {
	const gate = createGate(2, 60_000);
	expect(gate.isIdle()).toBe(true);
	await gate.idle();
	const tasks = ["a", "b", "c"].map(() => Promise.withResolvers<void>());
	for (const { promise } of tasks) void gate.run(() => promise);
	let told = false;
	const idle = gate.idle().then(() => {
		told = true;
	});
	for (const { resolve } of tasks.slice(0, 2)) resolve();
	await turn();
	expect({ told, isIdle: gate.isIdle() }).toEqual({ told: false, isIdle: false });
	tasks[2]?.resolve();
	await idle;
	expect(gate.isIdle()).toBe(true);
});

test("a task that takes longer than its place is kept no longer makes it no less idle", async () => {
	const gate = createGate(1, 1);
	const task = Promise.withResolvers<void>();
	const running = gate.run(() => task.promise);
	await gate.idle();
	expect(gate.isIdle()).toBe(true);
	task.resolve();
	await running;
	expect(gate.isIdle()).toBe(true);
});

describe("while a task that worked for longer than its place is kept still runs", () => {
	function heldGate() {
		const gate = createGate(1, 50);
		const slow = Promise.withResolvers<void>();
		const running: string[] = [];
		const ends = new Map<string, () => void>();
		const run = (name: string) => {
			const { promise, resolve } = Promise.withResolvers<void>();
			ends.set(name, resolve);
			return gate.run(() => {
				running.push(name);
				return promise;
			});
		};
		const all = [gate.run(() => slow.promise), ...["a", "b", "c", "d", "e"].map(run)];
		return { gate, running, slow, all, end: (name: string) => ends.get(name)?.() };
	}

	test("one that ends in time makes two places more, for as long as it runs", async () => {
		const { gate, running, slow, all, end } = heldGate();
		end("a");
		await all[1];
		await turn();
		expect(running).toEqual(["a", "b", "c", "d"]);
		slow.resolve();
		await all[0];
		for (const name of ["b", "c"]) end(name);
		await Promise.all(all.slice(2, 4));
		await turn();
		expect(running).toEqual(["a", "b", "c", "d"]);
		for (const name of ["d", "e"]) end(name);
		await Promise.all(all);
		expect(gate.isIdle()).toBe(true);
	});

	test("those that are as slow make none", async () => {
		const { running, slow, all, end } = heldGate();
		while (running.length < 3) await Bun.sleep(1);
		await turn();
		expect(running).toEqual(["a", "b", "c"]);
		slow.resolve();
		for (const name of ["a", "b", "c", "d", "e"]) end(name);
		await Promise.all(all);
	});
});

test("a task that only waits for a while gives its place to the next, one that works keeps it", async () => {
	const gate = createGate(2, 60_000);
	const task = Promise.withResolvers<void>();
	const working = gate.run(
		() => task.promise,
		() => false,
	);
	const waiting = gate.run(
		() => task.promise,
		() => true,
	);
	let waits = 0;
	const between = gate.run(
		() => task.promise,
		// Never at two looks in a row.
		() => waits++ % 2 === 0,
	);
	const next = gate.run(async () => expect(waits).toBeGreaterThan(3));
	void next.catch(() => {});
	while (waits < 6) await Bun.sleep(1);
	task.resolve();
	await Promise.all([working, waiting, between, next]);
});
