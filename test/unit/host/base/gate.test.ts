import { expect, test } from "bun:test";
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
