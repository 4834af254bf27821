import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createProviderBench, slowWork } from "./provider.ts";
import { post } from "./support.ts";

const bench = createProviderBench();
const quiet = (options = {}) => bench.provider({ receive: false, ...options });
const file = () => bench.path("state/webhooks.sqlite");

test("a host that does not receive has the URLs of one that does, and neither takes nor keeps what waits from it", async () => {
	const watching = await bench.open(quiet());
	await expect(post(watching.url)).rejects.toThrow();
	const work = slowWork();
	const host = await bench.open(bench.provider(), work);
	const own = await bench.open(quiet());
	expect([watching.url, own.url, own.secret]).toEqual([host.url, host.url, host.secret]);
	expect((await post(host.url, "1")).status).toBe(202);
	expect((await post(host.url, "2")).status).toBe(202);
	await host.sees(1);
	await bench.time.pass(60_000);
	expect(await own.counts?.()).toEqual({ pending: 2, failed: 0 });
	expect([watching, own].flatMap(({ seen, problems, told }) => [...seen, ...problems, ...told])).toEqual([]);
	expect(host.seen).toHaveLength(1);
});

test("what another host of the user receives meanwhile waits for one of this workspace", async () => {
	const { url } = await bench.open(quiet(), { workspaceRoot: "/here", headers: ["x-a"] });
	await bench.open(bench.provider(), { workspaceRoot: "/elsewhere" });
	expect((await post(url, "1", { "x-a": "1" })).status).toBe(202);
	const host = await bench.open(bench.provider(), { workspaceRoot: "/here" });
	const [event] = await host.sees(1);
	expect(event?.headers).toEqual({ "x-a": "1" });
});

test("the options for URLs count for it too", async () => {
	expect((await bench.open(quiet({ publicURL: "https://example.com/a/" }))).url).toStartWith("https://example.com/a/");
	const chosen = await bench.open(quiet({ port: 7 }));
	expect(new URL(chosen.url).port).toBe("7");
	// A port that one host was told is not that of all.
	const host = await bench.open(bench.provider());
	expect(new URL(host.url).port).not.toBe("7");
});

test("it is told by name what is wrong with the file, has webhooks once that is mended, and opens it anew", async () => {
	mkdirSync(bench.path("state"));
	writeFileSync(file(), "this is no database, however long it may be".repeat(50));
	const provider = quiet();
	await expect(bench.open(provider)).rejects.toMatchObject({ code: "webhooks_unavailable" });
	writeFileSync(file(), "");
	const [one, two] = [await bench.open(provider), await bench.open(provider, { key: "other" })];
	expect(new URL(one.url).origin).toBe(new URL(two.url).origin);
	for (const webhook of [one, two]) await webhook.close();
	rmSync(bench.path("state"), { recursive: true });
	const anew = await bench.open(provider);
	expect(anew.url).not.toBe(one.url);
});
