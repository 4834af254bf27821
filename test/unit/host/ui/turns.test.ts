import { expect, test } from "bun:test";
import { createTurns } from "../../../../host/ui/turns.ts";

test("jobs run one at a time in the order of asking, also behind one that failed", async () => {
	const turns = createTurns();
	const happened: string[] = [];
	const gate = Promise.withResolvers<void>();
	const first = turns.take("a", async () => {
		happened.push("first begins");
		await gate.promise;
		happened.push("first ends");
		throw new Error("no");
	});
	const second = turns.take("a", async () => {
		happened.push("second");
		return 2;
	});
	const third = turns.take("a", async () => happened.push("third"));
	expect(turns.busy).toBe(true);
	gate.resolve();
	await expect(first).rejects.toThrow("no");
	expect(await second).toBe(2);
	await third;
	expect(happened).toEqual(["first begins", "first ends", "second", "third"]);
	expect(turns.busy).toBe(false);
});
