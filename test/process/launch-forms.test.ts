import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { createLaunchBench, forms, type LaunchBench } from "./launch-support.ts";
import { openRegistry } from "./support/package-registry.ts";

/** The table of design: each way of making a child, against everything that could act in it. */
let bench: LaunchBench;
beforeAll(async () => {
	bench = await createLaunchBench();
}, 60_000);
afterAll(() => bench[Symbol.asyncDispose]());

describe.each(forms)("a child made in the form %s", (form) => {
	test("sees nothing of .env, bunfig, BUN_OPTIONS, BUN_BE_BUN or BUN_INSPECT, and passes nothing of it on", async () => {
		const { text, process: facts } = await bench.run(form, "probe", {
			env: { BUN_OPTIONS: `--preload ${join(bench.folder, "options-preload.ts")}` },
		});
		const seen = JSON.parse(String(text));
		expect(facts).toEqual({ form, guard: "socket", runtimeVersion: Bun.version });
		expect(seen).toMatchObject({ envFile: null, bunfigPreload: null, optionsPreload: null });
		expect(seen.variables).toEqual([null, null, null]);
		const nothing = "\n";
		expect(seen.leaks).toEqual({
			spawn: nothing,
			spawnEnv: nothing,
			spawnObject: nothing,
			spawnSync: nothing,
			node: nothing,
			shell: nothing,
		});
	});

	test("has the plugin's path as its argument, its folder as working directory, and finds what it imports", async () => {
		const { text } = await bench.run(form, "probe");
		const seen = JSON.parse(String(text));
		expect(seen).toMatchObject({ argv: 3, plugin: bench.plugin, binary: true });
		expect(realpathSync(seen.cwd)).toBe(realpathSync(dirname(bench.plugin)));
		expect(seen.imports).toEqual([
			"relative",
			"json",
			"by main",
			"by exports",
			"by subpath",
			"tsconfig path",
			"by Amp's name",
			"by ours",
		]);
	});

	test("runs neither the program that embeds the host nor what it imports", async () => {
		const host = bench.start(form, "probe");
		const lines = (await host.stdout.text())
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
		await host.exited;
		const ran = lines.filter((line) => "ran" in line);
		expect(ran.map((line) => line.ran)).toEqual(["sibling", "main"]);
		expect(new Set(ran.map((line) => line.pid))).toEqual(new Set([host.pid]));
	});

	test("loads beside a tsconfig.json that is broken, whatever its name and its folder's hold", async () => {
		const folder = join(bench.folder, "odd #1 é");
		await Bun.write(join(folder, "tsconfig.json"), '{ "extends": "./does-not-exist.json", "compilerOptions": {');
		await Bun.write(join(folder, "near.ts"), 'export const near: string = "works";');
		const plugin = join(folder, "50%20 ünï.ts");
		const tool = `{ name: "odd", description: "", inputSchema: { type: "object" }, execute: () => near }`;
		await Bun.write(
			plugin,
			`import { near } from "./near.ts"; export default (amp) => void amp.registerTool(${tool});`,
		);
		expect(await bench.run(form, "odd", { plugin })).toMatchObject({ text: "works" });
	});

	test("fails at once on a package that is not there, without installing it", async () => {
		const plugin = join(dirname(bench.plugin), "missing.ts");
		await Bun.write(plugin, 'import { x } from "a-package-that-nobody-has"; export default () => x;');
		const { error } = await bench.run(form, "", { plugin });
		expect(error).toContain("a-package-that-nobody-has");
		expect(error).toContain("stage import");
	});

	test("fetches that package where it may and can; else the error says what to do, and no registry is asked", async () => {
		await using registry = await openRegistry({
			"pad-of-nobody": { "1.0.0": { "index.js": 'exports.v = "fetched";' } },
		});
		const plugin = join(bench.folder, "fetching", "pad.ts");
		const tool = '{ name: "pad", description: "", inputSchema: { type: "object" }, execute: () => v }';
		await Bun.write(
			plugin,
			`import { v } from "pad-of-nobody"; export default (amp) => void amp.registerTool(${tool});`,
		);
		const cache = join(bench.folder, "fetching", `cache-${form}`);
		const env = { BUN_CONFIG_REGISTRY: registry.url, BUN_INSTALL_CACHE_DIR: cache };
		const off = await bench.run(form, "pad", { plugin, env });
		expect(off.error).toContain("'pad-of-nobody'");
		expect(off.hint).toContain(`Run "bun add pad-of-nobody", or "bun install"`);
		expect(registry.requests).toEqual([]);
		const auto = await bench.run(form, "pad", { plugin, env, install: "auto" });
		if (form === "compiled") {
			expect(auto.hint).toContain("a host that starts its plugins in the form compiled cannot fetch packages");
			expect(registry.requests).toEqual([]);
		} else {
			expect(auto.text).toBe("fetched");
			expect(registry.requests).toHaveLength(2);
		}
	});

	test("is gone with its subprocesses when the host is killed, even while it blocks", async () => {
		const host = bench.start(form, "spin");
		const pids = await spinningPids(host);
		host.kill("SIGKILL");
		await host.exited;
		await Promise.all(pids.map(gone));
		expect(pids.filter(isAlive)).toEqual([]);
	});

	test("runs a forked file, not the host again", async () => {
		const { text } = await bench.run(form, "fork");
		expect(text).toBe("the forked file ran");
	});
});

test("the forms are timed beside bare Bun in one interleaved run", async () => {
	const times: Record<string, number[]> = { bare: [] };
	const empty = join(bench.folder, "empty.ts");
	await Bun.write(empty, "");
	for (let round = 0; round < 7; round += 1) {
		const begin = performance.now();
		await Bun.spawn([process.execPath, empty]).exited;
		times.bare?.push(performance.now() - begin);
		for (const form of forms) {
			const { facts } = await bench.run(form, "");
			times[form] = [...(times[form] ?? []), Number((facts as { ready: number }).ready)];
		}
	}
	const median = (name: string) => times[name]?.toSorted((a, b) => a - b)[3] ?? Number.NaN;
	const row = (name: string) => `${name} ${median(name).toFixed(1)} ms (${(median(name) / median("bare")).toFixed(2)})`;
	console.log(`spawn to ready, median of 7, and its ratio to bare Bun: ${["bare", ...forms].map(row).join(", ")}`);
	expect(forms.every((form) => median(form) > 0)).toBe(true);
}, 30_000);

/** The child of a host that spins, and what it started, as its log tells them. */
async function spinningPids(host: Bun.Subprocess<"ignore", "pipe", "pipe">): Promise<number[]> {
	let text = "";
	const decoder = new TextDecoder();
	for await (const chunk of host.stdout) {
		text += decoder.decode(chunk);
		const found = /spinning ([\d ]+)/.exec(text)?.[1];
		if (found !== undefined) return found.split(" ").map(Number);
	}
	throw new Error(`the child did not spin: ${text}`);
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
	} catch {
		return false;
	}
}

/** Waits until a process is gone, a second at most. */
async function gone(pid: number): Promise<void> {
	const begin = performance.now();
	while (isAlive(pid) && performance.now() - begin < 1_000) await Bun.sleep(5);
}
