import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { limits } from "../../../runtime/limits.ts";
import { createProviderBench } from "./provider.ts";
import { post } from "./support.ts";

const bench = createProviderBench();
let other: Database;
let isHeld = false;

/** Another program writes, and does not come to an end. */
function hold(): void {
	other = new Database(bench.path("state/webhooks.sqlite"));
	other.run("BEGIN IMMEDIATE");
	isHeld = true;
}

function letGo(): void {
	if (!isHeld) return;
	isHeld = false;
	other.run("ROLLBACK");
	other.close();
}

beforeEach(() => {
	isHeld = false;
});
afterEach(letGo);

test("what was handled while the file took nothing is written down when it does, and nobody handles it again", async () => {
	const { promise, resolve } = Promise.withResolvers<void>();
	const webhook = await bench.open(bench.provider(), { deliver: () => promise });
	expect((await post(webhook.url)).status).toBe(202);
	await webhook.sees(1);
	hold();
	resolve();
	await bench.time.pass(60_000);
	expect(await webhook.counts?.()).toEqual({ pending: 1, failed: 0 });
	letGo();
	await bench.time.pass(500);
	expect(await webhook.counts?.()).toEqual({ pending: 0, failed: 0 });
	await bench.time.pass(600_000);
	expect(webhook.seen).toHaveLength(1);
});

test("what failed while the file took nothing waits as long as any other before it comes again", async () => {
	const { promise, reject } = Promise.withResolvers<void>();
	const webhook = await bench.open(bench.provider(), {
		deliver: (event) => (event.attempt === 1 ? promise : Promise.resolve()),
	});
	await post(webhook.url);
	await webhook.sees(1);
	hold();
	reject(new Error("no"));
	await bench.time.pass(2_000);
	letGo();
	await bench.time.pass(2_000);
	expect(webhook.seen.map(({ attempt }) => attempt)).toEqual([1]);
	await bench.time.pass(2_000);
	expect(webhook.seen.map(({ attempt }) => attempt)).toEqual([1, 2]);
});

test("closing does not wait for a file that takes nothing; the event is the next one's", async () => {
	const { promise, resolve } = Promise.withResolvers<void>();
	const webhook = await bench.open(bench.provider(), { deliver: () => promise });
	await post(webhook.url);
	await webhook.sees(1);
	hold();
	resolve();
	await bench.time.pass(100);
	await webhook.close();
	letGo();
	const next = await bench.open(bench.provider());
	await bench.time.pass(2 * limits.webhooks.leaseMs);
	expect((await next.sees(1))[0]?.id).toBe(webhook.seen[0]?.id ?? "");
});

test("a file that another program holds is waited for once, and not by each sender and each webhook again", async () => {
	const { url } = await bench.open(bench.provider());
	hold();
	const before = performance.now();
	expect((await post(url)).status).toBe(503);
	const once = performance.now() - before;
	for (let sent = 0; sent < 20; sent += 1) expect((await post(url)).status).toBe(503);
	const all = performance.now() - before;
	letGo();
	expect((await post(url)).status).toBe(202);
	// Each with a wait of its own would be twenty times as long.
	expect(all / once).toBeLessThan(10);
});

test("an event that a killed host held, of a webhook that nobody opens any more, is dropped in the end", async () => {
	const provider = bench.provider();
	const webhook = await bench.open(provider, {
		deliver: (_, { signal }) => new Promise((_, reject) => signal.addEventListener("abort", reject)),
	});
	await post(webhook.url);
	await webhook.sees(1);
	const file = new Database(bench.path("state/webhooks.sqlite"));
	file.run("UPDATE event SET lease = 'of the killed one'");
	const left = () => file.query("SELECT count(*) AS count FROM event").get();
	for (const [days, count] of [
		[8, 1],
		[7, 0],
	] as const) {
		bench.time.shift(days * 24 * 60 * 60_000);
		await (await bench.open(bench.provider(), { key: "another" })).close();
		expect(left()).toEqual({ count });
	}
	file.close();
});

test("what is wrong with the file is told to each plugin once, however many webhooks it has", async () => {
	const provider = bench.provider();
	const webhooks = [];
	for (const plugin of ["one", "two"]) {
		for (const key of ["a", "b", "c"]) webhooks.push(await bench.open(provider, { plugin, key }));
	}
	hold();
	for (const { url } of webhooks) expect((await post(url)).status).toBe(503);
	const told = webhooks.flatMap(({ problems }) => problems);
	expect(told).toHaveLength(2);
	for (const text of told) expect(text).toContain("is held by another program");
});
