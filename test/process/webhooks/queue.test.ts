import { describe, expect, test } from "bun:test";
import type { WebhookRequest } from "../../../host/contracts/webhooks.ts";
import { failure } from "../../../runtime/errors.ts";
import { createProviderBench } from "./provider.ts";
import { holds, post } from "./support.ts";

const bench = createProviderBench();
const seconds = 1_000;

/** Fails as often as it says, then delivers. */
function failing(times: number): WebhookRequest["deliver"] {
	let count = 0;
	return async () => {
		count += 1;
		if (count <= times) throw new Error(`failure ${count}\nsecret detail`);
	};
}

/** A delivery that ends when the test says so, or when it is given up. */
function held() {
	const waiting: PromiseWithResolvers<void>[] = [];
	const deliver: WebhookRequest["deliver"] = (_, { signal }) => {
		const one = Promise.withResolvers<void>();
		waiting.push(one);
		signal.addEventListener("abort", () => one.reject(signal.reason));
		return one.promise;
	};
	return { deliver, done: () => waiting.shift()?.resolve() };
}

describe("an event that failed", () => {
	test("comes again after 5 s, then after twice that each time, at most after 5 minutes", async () => {
		const { time } = bench;
		const times: number[] = [];
		const opened = await bench.open(bench.provider(), {
			async deliver() {
				times.push(time.wall() / seconds);
				throw new Error(`failure ${times.length}\nsecret detail`);
			},
		});
		await post(opened.url);
		await opened.sees(1);
		await time.pass(1_000 * seconds);
		const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0));
		expect(waits.map(Math.round)).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
		expect(opened.problems[0]).toMatch(
			/^webhook "key": event evt_\S+ failed \(attempt 1\): failure 1; it is delivered again in 5 s$/,
		);
	});

	test("is put aside when it has failed too long, told, and counted until it is dropped", async () => {
		const { time } = bench;
		const bounds = { retryFirstMs: 60 * seconds, retryLastMs: 60 * seconds, failingMs: 290 * seconds };
		const provider = bench.provider({}, { ...bounds, keptMs: 1_800 * seconds });
		const opened = await bench.open(provider, { deliver: failing(100) });
		await post(opened.url);
		await opened.sees(1);
		await time.pass(400 * seconds);
		expect(opened.problems.at(-1)).toContain("it is put aside: it has failed 6 times since 2026-06-01T00:00:00.000Z");
		expect(await opened.counts?.()).toEqual({ pending: 0, failed: 1 });
		await time.pass(3_600 * seconds);
		expect(await opened.counts?.()).toEqual({ pending: 0, failed: 0 });
		expect(opened.problems.at(-1)).toBe('webhook "key": 1 events that nobody handled in time were dropped');
	});

	test("waits no longer than it should when the clock of the machine is set back", async () => {
		const { time } = bench;
		const { url, sees } = await bench.open(bench.provider(), { deliver: failing(1) });
		await post(url);
		await sees(1);
		await time.pass(1 * seconds);
		time.shift(-30 * 24 * 3_600 * seconds);
		await time.pass(1 * seconds);
		await sees(2);
	});

	test("waits as long in the next host, which is told how often it has failed", async () => {
		const { time } = bench;
		const first = await bench.open(bench.provider(), { deliver: failing(100) });
		await post(first.url, "body", {});
		await first.sees(1);
		await first.close();
		const second = await bench.open(bench.provider());
		expect(second.url).toBe(first.url);
		expect(second.seen).toEqual([]);
		await time.pass(6 * seconds);
		expect((await second.sees(1)).map(({ attempt, id }) => ({ attempt, id }))).toEqual([
			{ attempt: 2, id: first.seen[0]?.id ?? "" },
		]);
	});
});

test("an event under delivery as its webhook is closed is given up, and is the next one's at once", async () => {
	const first = await bench.open(bench.provider(), held());
	await post(first.url);
	await first.sees(1);
	await first.close();
	const second = await bench.open(bench.provider());
	expect((await second.sees(1)).map(({ id, attempt }) => ({ id, attempt }))).toEqual([
		{ id: first.seen[0]?.id ?? "", attempt: 1 },
	]);
});

describe("a plugin that is not ready", () => {
	test("is asked again when it is, and that was no attempt", async () => {
		let isReady = false;
		const opened = await bench.open(bench.provider(), {
			async deliver() {
				if (!isReady) throw failure("plugin_not_ready", { plugin: "plugin" });
			},
		});
		await post(opened.url);
		await opened.sees(1);
		await bench.time.pass(3_600 * seconds);
		expect(opened.seen).toHaveLength(1);
		isReady = true;
		opened.wake?.();
		expect((await opened.sees(2)).map(({ attempt }) => attempt)).toEqual([1, 1]);
		expect(opened.problems).toEqual([]);
	});

	test("and becomes so just as it says that it is not, is asked again", async () => {
		const opened = await bench.open(bench.provider(), {
			async deliver() {
				if (opened.seen.length > 1) return;
				await Bun.sleep(1);
				opened.wake?.();
				throw failure("plugin_not_ready", { plugin: "plugin" });
			},
		});
		await post(opened.url);
		await opened.sees(2);
	});
});

describe("two hosts with one file", () => {
	test("have one listener, the same URLs, and deliver each event once, in order", async () => {
		const { time } = bench;
		const [a, b] = [await bench.open(bench.provider()), await bench.open(bench.provider())];
		expect(b.url).toBe(a.url);
		for (let number = 0; number < 10; number += 1) {
			await post(number % 2 === 0 ? a.url : b.url, String(number));
			await time.pass(500);
		}
		await holds(() => a.seen.length + b.seen.length === 10);
		await time.pass(60 * seconds);
		const seen = [...a.seen, ...b.seen].map(({ body }) => Number(new TextDecoder().decode(body)));
		expect(seen.sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
	});

	test("deliver what is for their own workspace and plugin", async () => {
		const { time } = bench;
		const a = await bench.open(bench.provider(), { workspaceRoot: "/a" });
		const b = await bench.open(bench.provider(), { workspaceRoot: "/b" });
		const c = await bench.open(bench.provider(), { workspaceRoot: "/b", plugin: "other" });
		expect(new Set([a.url, b.url, c.url]).size).toBe(3);
		expect(new Set([a, b, c].map(({ url }) => new URL(url).port)).size).toBe(1);
		for (const [index, { url }] of [a, b, c].entries()) await post(url, String(index));
		await time.pass(500);
		await Promise.all([a.sees(1), b.sees(1), c.sees(1)]);
		const bodies = [a, b, c].map(({ seen }) => seen.map(({ body }) => new TextDecoder().decode(body)));
		expect(bodies).toEqual([["0"], ["1"], ["2"]]);
	});

	test("never deliver an event, nor two of one webhook, at a time", async () => {
		const { time } = bench;
		const one = held();
		const a = await bench.open(bench.provider(), { deliver: one.deliver });
		for (const body of ["1", "2"]) await post(a.url, body);
		await a.sees(1);
		const b = await bench.open(bench.provider());
		await time.pass(120 * seconds);
		expect([a.seen.length, b.seen.length]).toEqual([1, 0]);
		one.done();
		await time.pass(1 * seconds);
		await holds(() => a.seen.length + b.seen.length === 2);
	});

	test("go on without the one that ended: the other listens, and the URL stays", async () => {
		const { time } = bench;
		const [a, b] = [await bench.open(bench.provider()), await bench.open(bench.provider())];
		await a.close();
		await time.pass(2 * seconds);
		expect((await post(a.url)).status).toBe(202);
		await b.sees(1);
	});
});

test("an event whose host ended in the middle of it comes again once its hold has not been renewed for a while", async () => {
	const { time } = bench;
	const frozen = { ...time.clock, after: () => () => {} };
	const { createLoopbackWebhooks } = await import("../../../host/providers/webhooks/loopback.ts");
	const options = { file: bench.path("state/webhooks.sqlite") };
	const dead = await bench.open(createLoopbackWebhooks(options, { clock: frozen, wall: time.wall }), held());
	await post(dead.url, "x");
	await dead.sees(1);
	const alive = await bench.open(bench.provider());
	await time.pass(9 * seconds);
	expect(alive.seen).toEqual([]);
	await time.pass(3 * seconds);
	expect((await alive.sees(1))[0]?.id).toBe(dead.seen[0]?.id ?? "");
});

test("a second open of a key takes the place of the first; to close the first then does nothing", async () => {
	const provider = bench.provider();
	const first = await bench.open(provider, { headers: ["x-a"] });
	const second = await bench.open(provider, { headers: ["x-b"] });
	await first.close();
	await post(second.url, "x", { "x-a": "1", "x-b": "2" });
	const [event] = await second.sees(1);
	expect([second.url, first.seen, event?.headers]).toEqual([first.url, [], { "x-b": "2" }]);
});

test("paths hold two secrets of 128 bits; those of one plugin share the first, which is told as the secret", async () => {
	const provider = bench.provider();
	const opened = [
		await bench.open(provider, { key: "a" }),
		await bench.open(provider, { key: "b" }),
		await bench.open(provider, { key: "a", plugin: "other" }),
	];
	const parts = opened.map(({ url }) => new URL(url).pathname.split("/").slice(1));
	for (const part of parts.flat()) expect(Buffer.from(part, "base64url")).toHaveLength(16);
	expect(parts.map(([first]) => first)).toEqual(opened.map(({ secret }) => secret));
	expect(new Set(parts.map(([first]) => first)).size).toBe(2);
	expect(new Set(parts.map(([, second]) => second)).size).toBe(3);
});

test("keys that differ are different webhooks, whatever they are made of", async () => {
	const provider = bench.provider();
	for (const key of ["\ud800", "\ud801", "\ufffd", "a\0b", "a\0c", "a", "__proto__", "é", "e\u0301"]) {
		const { url, sees } = await bench.open(provider, { key });
		expect([key, (await post(url, key)).status]).toEqual([key, 202]);
		await sees(1);
	}
	const { url, seen } = await bench.open(provider, { key: "\ud800" });
	await post(url);
	await bench.time.pass(1);
	expect(seen).toHaveLength(1);
});

test("a webhook that nobody opens any more is forgotten after a while, and has its URL again when somebody does", async () => {
	const { time } = bench;
	const provider = bench.provider({}, { forgottenMs: 3 * 3_600 * seconds });
	const [kept, other] = [await bench.open(provider), await bench.open(provider, { key: "other" })];
	await other.close();
	await time.pass(2 * 3_600 * seconds);
	expect((await post(other.url)).status).toBe(202);
	await time.pass(5 * 3_600 * seconds);
	// What waits keeps it.
	expect([(await post(kept.url)).status, (await post(other.url)).status]).toEqual([202, 202]);
	const again = await bench.open(provider, { key: "other" });
	await again.sees(2);
	await again.close();
	await time.pass(2 * 3_600 * seconds);
	expect((await fetch(other.url)).status).toBe(405);
	await time.pass(3 * 3_600 * seconds);
	expect([(await post(kept.url)).status, (await post(other.url)).status]).toEqual([202, 404]);
	expect((await bench.open(provider, { key: "other" })).url).toBe(other.url);
	expect((await post(other.url)).status).toBe(202);
}, 30_000);
