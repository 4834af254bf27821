import { expect, test } from "bun:test";
import { type Allowance, createAllowance } from "../../../../host/base/allowance.ts";

test("while time is left nobody waits, also after work that cost less", () => {
	const allowance = createAllowance(1_000);
	expect(allowance.left()).toBeUndefined();
	expect(allowance.spend(() => "done")).toBe("done");
	expect(allowance.left()).toBeUndefined();
});

test("once it is spent, those that wait come in order, and what each does counts before the next comes", async () => {
	const allowance = createAllowance(20);
	allowance.spend(() => Bun.sleepSync(25));
	const seconds: number[] = [];
	const begin = performance.now();
	const waits = ["a", "b", "c"].map(async (name) => {
		await allowance.left();
		allowance.spend(() => Bun.sleepSync(name === "a" ? 1 : 25));
		seconds.push(Math.floor((performance.now() - begin) / 900));
		return name;
	});
	expect(await Promise.all(waits)).toEqual(["a", "b", "c"]);
	// The first two of them fit into the next second, the third had to wait for the one after that.
	expect(seconds[1]).toBeLessThan(seconds[2] ?? 0);
});

test("what was spent beyond it is missing in the seconds after, and four of them at most", async () => {
	const begin = performance.now();
	const [twice, long] = [createAllowance(20), createAllowance(20)];
	twice.spend(() => Bun.sleepSync(50));
	long.spend(() => Bun.sleepSync(200));
	const secondsOf = async ({ left }: Allowance) => {
		await left();
		return Math.floor((performance.now() - begin) / 1_000);
	};
	expect(await Promise.all([secondsOf(twice), secondsOf(long)])).toEqual([2, 5]);
}, 10_000);

test("works that wait at the same time count once, also while they still wait", async () => {
	const allowance = createAllowance(150);
	const waits = Array.from({ length: 6 }, () => allowance.spendAwaiting(() => Bun.sleep(40)));
	await Promise.all(waits);
	expect(allowance.left()).toBeUndefined();
	const long = allowance.spendAwaiting(() => Bun.sleep(400));
	await Bun.sleep(200);
	expect(allowance.left()).toBeInstanceOf(Promise);
	await long;
});

test("work that fails counts as well, and its failure goes through", async () => {
	const allowance = createAllowance(1);
	const fail = () => {
		Bun.sleepSync(2);
		throw new Error("no");
	};
	expect(() => allowance.spend(fail)).toThrow("no");
	expect(allowance.left()).toBeInstanceOf(Promise);
});

test("a bound without end never makes anybody wait", () => {
	const allowance = createAllowance(Number.POSITIVE_INFINITY);
	allowance.spend(() => Bun.sleepSync(2));
	expect(allowance.left()).toBeUndefined();
});
