import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { socketWireFlag } from "../../../runtime/protocol.ts";
import { root } from "../../house/support/tree.ts";
import { type TestedPlugin, testPlugin } from "../../kit/index.ts";
import { childrenOf, comesTrue, survivorsOf } from "../support/processes.ts";
import { activating, createPlugins, homes, isolations, rejection } from "./support.ts";

const plugins = createPlugins();
const pidOf = `tool("pid", () => String(process.pid));`;

test.each(isolations)(
	"a hundred plugins one after the other leave nothing behind, isolation %s",
	async (isolation) => {
		const path = plugins.write(activating(pidOf));
		const before = homes();
		const listeners = process.listenerCount("SIGTERM");
		const pids = new Set<number>();
		let open = 0;
		for (let count = 0; count < 100; count += 1) {
			if (count === 10) open = descriptors();
			await using plugin = await testPlugin(path, { isolation });
			pids.add(Number((await plugin.tools.call("pid", {})).text));
		}
		pids.delete(process.pid);
		expect(pids.size).toBe(isolation === "graph" ? 0 : 100);
		expect(await survivorsOf([...pids])).toEqual([]);
		expect(homes()).toEqual(before);
		expect(process.listenerCount("SIGTERM")).toBe(listeners);
		// The one that waits for the next plugin, and no watchdogs.
		if (process.platform === "linux")
			expect(await comesTrue(() => childrenOf(process.pid).length <= 1, 1_000)).toBe(true);
		expect(await comesTrue(() => descriptors() <= open + waitingMax, 1_000)).toBe(true);
	},
	60_000,
);

test.each(isolations)(
	"twenty plugins at once, and then twenty that do not load, leave nothing behind, isolation %s",
	async (isolation) => {
		const path = plugins.write(activating(pidOf));
		// What a program has once, and the process that waits.
		await (await testPlugin(path, { isolation }))[Symbol.asyncDispose]();
		const [before, open] = [homes(), descriptors()];
		const all = await Promise.all(twenty(() => testPlugin(path, { isolation })));
		const pids = await Promise.all(all.map(async ({ tools }) => Number((await tools.call("pid", {})).text)));
		await Promise.all(all.map((plugin) => plugin[Symbol.asyncDispose]()));
		expect(new Set(pids).size).toBe(isolation === "graph" ? 1 : 20);
		expect(await survivorsOf(pids.filter((pid) => pid !== process.pid))).toEqual([]);

		const sources = [
			"await new Promise(() => {});",
			"process.exit(3);",
			'throw new Error("at import");',
			activating("amp.on(;"),
		];
		const broken = sources.map((source) => plugins.write(source));
		const limits = { load: { readyMs: 300 } };
		const errors = await Promise.all(
			twenty((index) => rejection(testPlugin(broken[index % broken.length] ?? "", { isolation, limits }))),
		);
		expect([...new Set(errors.map(({ code }) => code))]).toEqual([
			"ready_timeout",
			"exited_before_ready",
			"load_failed",
		]);
		expect(errors.filter(({ stage }) => stage !== "import")).toEqual([]);

		expect(homes()).toEqual(before);
		if (process.platform !== "linux") return;
		expect(await comesTrue(() => childrenOf(process.pid).length <= 1, 1_000)).toBe(true);
		expect(await comesTrue(() => descriptors() <= open + waitingMax, 1_000)).toBe(true);
	},
	30_000,
);

/** The descriptors of the process that waits, which may have come meanwhile. */
const waitingMax = 4;

function twenty<Made>(make: (index: number) => Made): Made[] {
	return Array.from({ length: 20 }, (_, index) => make(index));
}

/** How many this program has open. */
function descriptors(): number {
	return process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
}

test("several plugins at once are strangers to each other", async () => {
	const path = plugins.write(
		activating(
			`const seen = []; tool("see", ({ what }) => { seen.push(what); return seen.join() + " " + process.env.XDG_DATA_HOME; });`,
		),
	);
	const all = await Promise.all([...isolations, ...isolations].map((isolation) => testPlugin(path, { isolation })));
	const seen = await Promise.all(all.map(async (plugin, what) => (await plugin.tools.call("see", { what })).text));
	await Promise.all(all.map((plugin) => plugin[Symbol.asyncDispose]()));
	expect(seen.map((text) => text.split(" ")[0])).toEqual(["0", "1", "2", "3"]);
	expect(new Set(seen.map((text) => text.split(" ")[1])).size).toBe(4);
});

test("the second plugin of a program gets the process that was started for it after the first", async () => {
	await using plugin = await loadWithSpare();
	expect((await plugin.tools.call("pid", {})).text).toBe(String(plugin.host.plugins.get(plugin.name).pid));
}, 30_000);

test("the process that waits is left for others by a plugin that has variables of its own", async () => {
	await (await loadWithSpare())[Symbol.asyncDispose]();
	if (process.platform === "linux") expect(await comesTrue(() => waitingProcesses().length === 1, 5_000)).toBe(true);
	const waiting = waitingProcesses();
	await using plugin = await testPlugin(plugins.write(activating(`tool("mine", () => process.env.MINE);`)), {
		env: { MINE: "mine" },
	});
	expect(plugin.host.plugins.get(plugin.name).process?.spare).toBeUndefined();
	expect((await plugin.tools.call("mine", {})).text).toBe("mine");
	expect(waitingProcesses()).toEqual(expect.arrayContaining(waiting));
}, 30_000);

test("a process that waits does not get a plugin once the environment of the test has changed", async () => {
	await (await loadWithSpare())[Symbol.asyncDispose]();
	await Bun.sleep(100);
	process.env.KIT_CHANGED = "changed";
	try {
		await using plugin = await testPlugin(plugins.write(activating(`tool("changed", () => process.env.KIT_CHANGED);`)));
		expect(plugin.host.plugins.get(plugin.name).process?.spare).toBeUndefined();
		expect((await plugin.tools.call("changed", {})).text).toBe("changed");
	} finally {
		delete process.env.KIT_CHANGED;
	}
}, 30_000);

/** Loads a plugin into a process that has waited; it takes a while to be there. */
async function loadWithSpare(): Promise<TestedPlugin> {
	const path = plugins.write(activating(pidOf));
	for (let left = 20; left > 0; left -= 1) {
		const plugin = await testPlugin(path);
		if (plugin.host.plugins.get(plugin.name).process?.spare) return plugin;
		await plugin[Symbol.asyncDispose]();
		await Bun.sleep(100);
	}
	return expect.unreachable("no plugin got it");
}

test.if(process.platform === "linux")(
	"a process that waits is ended when a host cannot even be made of the options",
	async () => {
		const path = plugins.write(activating(pidOf));
		await (await testPlugin(path))[Symbol.asyncDispose]();
		expect(await comesTrue(() => waitingProcesses().length === 1, 5_000)).toBe(true);
		const waiting = waitingProcesses();
		const options = { limits: { load: { quickly: 1 } } };
		await expect(Reflect.apply(testPlugin, undefined, [path, options])).rejects.toMatchObject({ code: "usage" });
		expect(await survivorsOf(waiting)).toEqual([]);
	},
);

test.each([
	["passes", "", 0],
	["fails", "expect(1).toBe(2);", 1],
	["never disposes of its plugin", "Reflect.get(plugin, Symbol.dispose); await new Promise(() => {});", 1],
])("bun test ends by itself after a test that %s, and its processes with it", async (_, then, code) => {
	const path = plugins.write(activating(pidOf), "left.ts");
	const pids = join(plugins.folder, "pids");
	const file = plugins.write(
		`import { expect, test } from "bun:test";
		import { appendFileSync } from "node:fs";
		import { testPlugin } from ${JSON.stringify(join(root, "test/kit/index.ts"))};
		test("a test", async () => {
			await using plugin = await testPlugin(${JSON.stringify(path)});
			appendFileSync(${JSON.stringify(pids)}, (await plugin.tools.call("pid", {})).text + "\\n");
			await Bun.sleep(50);
			${then}
		}, 1_000);`,
		"left.test.ts",
	);
	const child = Bun.spawn([process.execPath, "test", file], {
		cwd: plugins.folder,
		stdio: ["ignore", "ignore", "ignore"],
	});
	expect(await child.exited).toBe(code);
	const left = readFileSync(pids, "utf8").trim().split("\n").map(Number);
	expect(left.length).toBeGreaterThan(0);
	expect(await survivorsOf(left)).toEqual([]);
});

/** Those of this program that were started as children of brood and not as watchdogs. */
function waitingProcesses(): number[] {
	if (process.platform !== "linux") return [];
	return childrenOf(process.pid).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(socketWireFlag));
}
