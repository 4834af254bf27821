import { expect, test } from "bun:test";
import { createLoopbackWebhooks } from "../../../host/providers/webhooks/loopback.ts";
import { createProviderBench, fakeTime, slowWork } from "./provider.ts";
import { post } from "./support.ts";

const bench = createProviderBench();

test("a host says nothing while another one is at work on an event, however long that takes", async () => {
	const work = slowWork();
	const busy = await bench.open(bench.provider(), work);
	const other = await bench.open(bench.provider());
	await post(busy.url, "1");
	await post(busy.url, "2");
	await bench.time.pass(30_000);
	work.letGo();
	await busy.sees(2);
	expect([busy.told, other.told, other.problems]).toEqual([[], [], []]);
});

test("it says that events wait, once, when the other one has been silent for half the time of a hold", async () => {
	const file = bench.path("state/webhooks.sqlite");
	const standsStill = createLoopbackWebhooks({ file }, fakeTime());
	const work = slowWork();
	const silent = await bench.open(standsStill, work);
	const other = await bench.open(bench.provider());
	await post(silent.url, "1");
	await post(silent.url, "2");
	await bench.time.pass(5_000);
	expect(other.told).toEqual([]);
	await bench.time.pass(1_000);
	expect(other.told).toEqual([
		'webhook "key": events wait (2), since another process holds one; if that process has ended, they are delivered in at most 6 s',
	]);
	await bench.time.pass(6_000);
	await other.sees(2);
	expect([other.told.length, other.problems]).toEqual([1, []]);
});

test("one that comes while another one holds an event says so at once", async () => {
	const work = slowWork();
	const busy = await bench.open(bench.provider(), work);
	await post(busy.url, "1");
	const { told } = await bench.open(bench.provider());
	expect(told).toHaveLength(1);
	expect(told[0]).toContain("in at most 11 s");
	await bench.time.pass(20_000);
	expect(told).toHaveLength(1);
});
