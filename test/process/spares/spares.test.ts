import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench } from "../support/host.ts";
import { processLives, survivorsOf } from "../support/processes.ts";
import { sparePids, spares, tells, told } from "./support.ts";

const bench = createBench();

describe("a process that waits for a plugin", () => {
	test("is there once the plugins are, without being one of them, and serves the next load", async () => {
		const running = await bench.start({ one: tells("one") }, { warm: 1 });
		const { host } = running;
		expect(host.plugins.get("one").process?.spare).toBeUndefined();
		await spares(running, 1);
		const [spare] = sparePids();
		expect(host.plugins.list().map(({ name }) => name)).toEqual(["one"]);
		await host.reload("one");
		const { pid, process, facts } = host.plugins.get("one");
		expect({ pid, spare: process?.spare }).toEqual({ pid: spare ?? null, spare: true });
		const { found, spawned, clientInfo, imported, published } = facts;
		expect(found).toBe(0);
		expect([spawned, clientInfo, imported].every((ms) => ms !== null && ms >= 0 && ms <= (published ?? 0))).toBe(true);
		expect(await told(running, "one")).toMatchObject({ pid, cwd: dirname(bench.write("one", tells("one"))) });
	});

	test("has said hello before, which whoever looks at the wire of its plugin sees all the same", async () => {
		const running = await bench.start({ one: tells("one") }, { warm: 1 });
		await spares(running, 1);
		const before = running.wire("one").length;
		await running.host.reload("one");
		expect(running.host.plugins.get("one").process?.spare).toBe(true);
		expect(
			running
				.wire("one")
				.slice(before)
				.filter((frame) => frame.startsWith("<- ") || frame.endsWith(" ok")),
		).toEqual(["<- client.info", "-> client.info ok", "<- runtime.stage activate", "<- runtime.ready"]);
	});

	test("serves one plugin in its life: twenty loads through two of them are twenty processes", async () => {
		const running = await bench.start({ one: tells("one") }, { warm: 2 });
		const pids = new Set<unknown>();
		for (let load = 0; load < 20; load += 1) {
			await spares(running, 2);
			await running.host.reload("one");
			expect(running.host.plugins.get("one").process?.spare).toBe(true);
			pids.add((await told(running, "one")).pid);
		}
		expect(pids.size).toBe(20);
	});

	test("is there for a plugin that is switched on, and for one that starts again after a crash", async () => {
		const limits = { restart: { delaysMs: [1] } };
		const running = await bench.start({ one: tells("one") }, { warm: 1, limits });
		const { host } = running;
		await host.disable("one");
		await spares(running, 1);
		await host.enable("one");
		const { pid, process } = host.plugins.get("one");
		expect(process?.spare).toBe(true);
		await spares(running, 1);
		await told(running, "one", { end: true }).catch(() => {});
		await running.reaches("one", "restarting");
		await running.reaches("one", "ready");
		const again = host.plugins.get("one");
		expect({ spare: again.process?.spare, launches: again.launches }).toEqual({ spare: true, launches: 2 });
		expect(again.pid).not.toBe(pid);
	});

	test("makes a load take well below the time of one without", async () => {
		const cold = await bench.start({ one: tells("one") });
		const warm = await bench.start({ one: tells("one") }, { warm: 1 });
		const ratios: number[] = [];
		// Only what three repeats agree on counts: whoever else uses the machine slows down either of them.
		do {
			await spares(warm, 1);
			const times: number[] = [];
			for (const { host } of [warm, cold]) {
				await host.reload("one");
				times.push(host.plugins.get("one").facts.published ?? Number.NaN);
			}
			const [quick = Number.NaN, slow = Number.NaN] = times;
			ratios.push(quick / slow);
		} while (ratios.length < 3 && ratios.every((ratio) => !(ratio < 0.75)));
		expect(Math.min(...ratios)).toBeLessThan(0.75);
	});

	test("waits where there is no plugin at all", async () => {
		const running = await bench.start({}, { warm: 2, plugins: [] });
		await spares(running, 2);
		expect(sparePids()).toHaveLength(2);
	});

	test("that is killed is replaced, and no plugin hears of it", async () => {
		const running = await bench.start({ one: tells("one") }, { warm: 1, limits: { restart: { delaysMs: [1] } } });
		await spares(running, 1);
		const [killed = Number.NaN] = sparePids();
		process.kill(killed, "SIGKILL");
		await spares(running, 0);
		await spares(running, 1);
		await running.host.reload("one");
		const { pid, process: started, state } = running.host.plugins.get("one");
		expect({ state, spare: started?.spare }).toEqual({ state: "ready", spare: true });
		expect(pid).not.toBe(killed);
		expect(running.events.filter((event) => event.type === "state" && event.state === "failed")).toEqual([]);
	});

	test("that has ended before the host could hear of it is given to nobody", async () => {
		const running = await bench.start({ one: tells("one") }, { warm: 1 });
		await spares(running, 1);
		const [killed = Number.NaN] = sparePids();
		process.kill(killed, "SIGKILL");
		// The host hears nothing while this program is busy.
		while (processLives(killed));
		await running.host.reload("one");
		const { state, process: started } = running.host.plugins.get("one");
		expect({ state, spare: started?.spare }).toEqual({ state: "ready", spare: undefined });
	});

	test("that dies in the moment in which it is taken costs the plugin nothing but a start of its own", async () => {
		const running = await bench.start({ one: tells("one") }, { warm: 1 });
		// More in a row, and there are no spares any more.
		for (let times = 0; times < 3; times += 1) {
			await spares(running, 1);
			const [killed = Number.NaN] = sparePids();
			process.kill(killed, "SIGKILL");
			await running.host.reload("one");
			const { state, pid, error } = running.host.plugins.get("one");
			expect({ state, error }).toEqual({ state: "ready", error: undefined });
			expect(pid).not.toBe(killed);
		}
	});

	test("runs a plugin once that ends it while it is imported", async () => {
		const running = await bench.start({ one: tells("one") }, { warm: 1 });
		await spares(running, 1);
		const runs = bench.path("runs");
		const counts = `import { appendFileSync } from "node:fs";\nappendFileSync(${JSON.stringify(runs)}, "x");\n`;
		bench.write("one", `${counts}process.exit(3);`);
		expect(await rejection(running.host.reload("one"))).toMatchObject({ code: "exited_before_ready" });
		expect(readFileSync(runs, "utf8")).toBe("x");
	});

	test("ends with the host", async () => {
		const running = await bench.start({ one: tells("one") }, { warm: 2 });
		await spares(running, 2);
		const pids = sparePids();
		expect(pids).toHaveLength(2);
		await running.host.stop();
		expect(await survivorsOf(pids)).toEqual([]);
		expect(sparePids()).toEqual([]);
	});
});

describe("what a plugin that is given such a process sees", () => {
	test("is its own alone: folder, path, settings, nothing of another plugin", async () => {
		const configuration = { get: async ({ plugin }: { plugin: string }) => ({ of: plugin }) };
		const two = "two/index.ts";
		const plugins = { one: tells("one"), [two]: tells("two") };
		const running = await bench.start(plugins, { warm: 2, providers: { configuration } });
		const seen: object[] = [];
		for (const name of ["one", "two", "one"]) {
			await spares(running, 2);
			await running.host.reload(name);
			const { file, cwd, settings, set } = await told(running, name);
			seen.push({ file, cwd, settings, set });
			await told(running, name, { set: name });
		}
		const [one, other] = [bench.write("one", tells("one")), bench.write(two, tells("two"))];
		const expected = { file: one, cwd: dirname(one), settings: { of: "one" }, set: "," };
		expect(seen).toEqual([expected, { file: other, cwd: dirname(other), settings: { of: "two" }, set: "," }, expected]);
	});

	test("is the environment as it is at the load: one that waits with another is given to nobody", async () => {
		const running = await bench.start({ one: tells("one") }, { warm: 1 });
		await spares(running, 1);
		const stale = sparePids();
		process.env.GIVEN = "since then";
		try {
			await running.host.reload("one");
			expect(running.host.plugins.get("one").process?.spare).toBeUndefined();
			expect((await told(running, "one")).given).toBe("since then");
			expect(await survivorsOf(stale)).toEqual([]);
			await spares(running, 1);
			await running.host.reload("one");
			expect(running.host.plugins.get("one").process?.spare).toBe(true);
			expect((await told(running, "one")).given).toBe("since then");
		} finally {
			delete process.env.GIVEN;
		}
	});

	test("is the environment that the host was told to give", async () => {
		const running = await bench.start({ one: tells("one") }, { warm: 1, env: { PATH: "/bin", GIVEN: "by the host" } });
		await spares(running, 1);
		await running.host.reload("one");
		expect(running.host.plugins.get("one").process?.spare).toBe(true);
		expect((await told(running, "one")).given).toBe("by the host");
	});

	test("is no such process where it may have packages fetched, which takes another command", async () => {
		const install = { fetching: "auto" } as const;
		const plugins = { fetching: tells("fetching"), plain: tells("plain") };
		const running = await bench.start(plugins, { warm: 1, install });
		await spares(running, 1);
		await running.host.reload("fetching");
		await running.host.reload("plain");
		const [fetching, plain] = ["fetching", "plain"].map((name) => running.host.plugins.get(name).process?.spare);
		expect({ fetching, plain }).toEqual({ fetching: undefined, plain: true });
	});
});
