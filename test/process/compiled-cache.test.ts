import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { CachedErrand, CachedLoad } from "../fixtures/launch/cached.ts";
import { createEmbedder, type Embedder, noCache } from "./support/embedder.ts";

/** A compiled host carries the child inside, and builds in the user's cache what its children run. */
let folder: string;
let embedder: Embedder;
let plugin: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "brood-compiled-cache-"));
	embedder = await createEmbedder(join(folder, "project"), ["test/fixtures/launch"]);
	await embedder.compile("test/fixtures/launch/cached.ts", join(folder, "host"));
	plugin = await write("plugin", `execute: () => "works"`);
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, execute: string): Promise<string> {
	const tool = `{ name: "t", description: "", inputSchema: { type: "object" }, ${execute} }`;
	const path = join(folder, `${name}.ts`);
	await Bun.write(path, `export default (amp) => void amp.registerTool(${tool});`);
	return path;
}

/** Runs the host once, and gives how the process of each load was made. */
async function run(cache: string, errand: Partial<CachedErrand> = {}): Promise<CachedLoad[]> {
	const host = Bun.spawn([join(folder, "host"), JSON.stringify({ plugin, loadsMax: 200, ...errand })], {
		cwd: folder,
		env: { ...process.env, XDG_CACHE_HOME: cache },
		stdio: ["ignore", "pipe", "pipe"],
	});
	const [stdout, stderr] = await Promise.all([host.stdout.text(), host.stderr.text(), host.exited]);
	if (host.exitCode !== 0 || stderr !== "") throw new Error(`the host exited with ${host.exitCode}: ${stderr}`);
	return JSON.parse(stdout);
}

const formsOf = (loads: CachedLoad[]) => loads.map((load) => load.process?.form);
const cacheNamed = (name: string) => join(folder, "caches", name);
const inside = async (cache: string) => (await readdir(join(cache, "brood"))).sort();

describe("a compiled host", () => {
	test("starts itself as its first children where nothing is cached, and plain Bun from the cache soon after", async () => {
		const loads = await run(cacheNamed("empty"));
		expect(new Set(loads.map(({ text }) => text))).toEqual(new Set(["works"]));
		const last = loads.pop();
		expect(last?.process).toMatchObject({ form: "cached", guard: "socket" });
		expect(loads.length).toBeGreaterThan(0);
		expect(new Set(formsOf(loads))).toEqual(new Set(["compiled"]));
		const [bundle = "", ...others] = await inside(cacheNamed("empty"));
		expect(others).toEqual([]);
		const entries = await readdir(join(cacheNamed("empty"), "brood", bundle), { withFileTypes: true });
		expect(entries.filter((entry) => !entry.isFile())).toEqual([]);
	});

	test("starts its first child from the cache when that holds what it carries", async () => {
		await embedder.fillCache(cacheNamed("full"));
		expect(await run(cacheNamed("full"))).toMatchObject([{ process: { form: "cached" }, text: "works" }]);
	});

	test("goes on starting itself where nothing can be cached", async () => {
		const loads = await run(noCache, { loadsMax: 3, install: "auto" });
		expect(formsOf(loads)).toEqual(["compiled", "compiled", "compiled"]);
		expect(loads.map(({ text }) => text)).toEqual(["works", "works", "works"]);
	});

	test("waits for the cache where a plugin may have packages fetched, which only plain Bun can", async () => {
		expect(formsOf(await run(cacheNamed("waited"), { install: "auto" }))).toEqual(["cached"]);
	});

	test("runs nothing of a cached file that was overwritten, and builds it again", async () => {
		const bundle = await embedder.fillCache(cacheNamed("damaged"));
		await Bun.write(join(bundle, "core.js"), "throw new Error('not what was built');");
		const loads = await run(cacheNamed("damaged"));
		expect(loads.map(({ text }) => text)).toEqual(loads.map(() => "works"));
		expect(formsOf(loads).slice(-2)).toEqual(["compiled", "cached"]);
	});

	test("builds the same bundle when two of them run for the first time at once, and leaves nothing else", async () => {
		const cache = cacheNamed("twice");
		const runs = await Promise.all([run(cache), run(cache)]);
		expect(runs.map((loads) => loads.at(-1))).toMatchObject(
			Array(2).fill({ process: { form: "cached" }, text: "works" }),
		);
		expect(await inside(cache)).toHaveLength(1);
	});

	test("leaves alone what another version of Bun, or another program, has cached", async () => {
		const cache = cacheNamed("others");
		const ours = await embedder.fillCache(cache);
		const print = ours.slice(-16);
		const others = [`child-1.4.4-${print}`, `child-${Bun.version}-${"0".repeat(16)}`];
		for (const name of others) await Bun.write(join(cache, "brood", name, "entry.js"), "throw 'of somebody else';");
		await rm(ours, { recursive: true });
		expect((await run(cache)).at(-1)).toMatchObject({ process: { form: "cached" }, text: "works" });
		expect(await inside(cache)).toEqual([...others, basename(ours)].sort());
	});

	test("has nothing of what is cached in the places of an error that its plugin logs", async () => {
		await embedder.fillCache(cacheNamed("full"));
		const logs = `execute() { try { amp.registerTool({}) } catch (error) { amp.logger.log(error) } return "works"; }`;
		const [load] = await run(cacheNamed("full"), { plugin: await write("logs", logs) });
		expect(load?.process?.form).toBe("cached");
		expect(load?.log).toHaveLength(1);
		expect(load?.log?.[0]).toContain("logs.ts:1:");
		expect(load?.log?.[0]).not.toContain(cacheNamed("full"));
	});

	test("keeps spares that are started as its plugins are, also when it runs for the first time", async () => {
		const loads = await run(cacheNamed("spares"), { warm: 1, loadsMax: 2 });
		expect(loads.map(({ process }) => [process?.form, process?.spare])).toEqual([
			["compiled", undefined],
			["cached", true],
		]);
	});
});

test("a program that does not carry the child, as one that is built from a checkout, starts itself", async () => {
	await rm(join(folder, "project/node_modules/brood/dist"), { recursive: true });
	await embedder.compile("test/fixtures/launch/cached.ts", join(folder, "host"));
	const loads = await run(cacheNamed("without"), { loadsMax: 2, install: "auto" });
	expect(formsOf(loads)).toEqual(["compiled", "compiled"]);
	expect(await readdir(join(folder, "caches"))).not.toContain("without");
}, 30_000);
