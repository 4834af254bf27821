import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ReloadReport } from "../../../host/reload/report.ts";
import { processesOf } from "../cases/support.ts";
import { createBench, type Running } from "../support/host.ts";
import { groupEnds } from "../support/processes.ts";
import { styles } from "./styles.ts";
import { report, says, version } from "./support.ts";

const bench = createBench();

/** As `version`, and says in its log that it is loaded. */
const loading = (tool: string, number: number) =>
	version(tool, number).replace("{\n", `{\n\tconsole.error("load ${number}");\n`);

/** When nobody takes a save for the plugin's own doing any more. */
const calmMs = 510;
/** Not a file is there all the time that it takes, or whole. */
const inSteps = /twenty|halves|emptied/;

function loads({ host }: Running, plugin: string): number[] {
	const entries = host.plugins.log(plugin).filter(({ message }) => message.startsWith("load "));
	return entries.map(({ message }) => Number(message.slice(5)));
}

/** Every report of a plugin until it serves this version. */
async function reportsUntil(running: Running, plugin: string, number: number): Promise<ReloadReport[]> {
	const reports: ReloadReport[] = [];
	do reports.push(await report(running, plugin));
	while ((await says(running, plugin)) !== String(number));
	return reports;
}

/** Waits for all processes of a plugin to end but for the one that serves; whether they do. */
async function leavesOne(running: Running, plugin: string): Promise<boolean> {
	const { pid } = running.host.plugins.get(plugin);
	const others = processesOf(running, plugin).filter((other) => other !== pid);
	return (await Promise.all(others.map((other) => groupEnds(other)))).every((hasEnded) => hasEnded);
}

test("whichever way a file is saved, its plugin is loaded anew, each version once and in order, without a failure", async () => {
	const all = Object.entries(styles).map(([style, save], at) => ({
		style,
		save,
		name: `plugin-${"abcdefghijklmnop"[at]}`,
	}));
	const running = await bench.start(Object.fromEntries(all.map(({ name }) => [`${name}/index.ts`, loading(name, 0)])));
	await running.host.watch();
	for (const number of [1, 2]) {
		await pause(calmMs);
		const told = all.map(async ({ style, save, name }) => {
			const reports = reportsUntil(running, name, number);
			await save(bench.path(`../plugins/${name}/index.ts`), loading(name, number));
			return { style, outcomes: (await reports).map(({ outcome }) => outcome) };
		});
		for (const { style, outcomes } of await Promise.all(told)) {
			if (!inSteps.test(style)) expect({ style, outcomes }).toEqual({ style, outcomes: ["reload"] });
			// What was loaded half is loaded whole after that.
			else
				expect({ style, last: outcomes.at(-1), few: outcomes.length <= 3 }).toEqual({
					style,
					last: "reload",
					few: true,
				});
		}
	}
	for (const { style, name } of all) {
		const seen = loads(running, name);
		if (!inSteps.test(style)) expect({ style, seen }).toEqual({ style, seen: [0, 1, 2] });
		else
			expect({ style, seen: [...new Set(seen.filter((number) => number <= 2))] }).toEqual({ style, seen: [0, 1, 2] });
	}
});

test("twenty versions in a burst are three loads at most, the last one last, and one process is left", async () => {
	const running = await bench.start({ one: loading("one", 0) });
	await running.host.watch();
	const reports = reportsUntil(running, "one", 20);
	for (let number = 1; number <= 20; number += 1) {
		bench.write("one", loading("one", number));
		await pause(2);
	}
	expect((await reports).length).toBeLessThanOrEqual(3);
	const [first, ...burst] = loads(running, "one");
	expect(first).toBe(0);
	expect(burst.length).toBeLessThanOrEqual(3);
	expect(burst.at(-1)).toBe(20);
	expect(await leavesOne(running, "one")).toBe(true);
});

test("a save that comes while the one before it is being loaded is loaded next, beside nothing else", async () => {
	const slow = (number: number) =>
		`console.error("begins ${number}");\nawait Bun.sleep(150);\n${loading("one", number)}`;
	const running = await bench.start({ one: slow(0) });
	await running.host.watch();
	const reports = reportsUntil(running, "one", 2);
	bench.write("one", slow(1));
	await running.logged("one", "begins 1");
	bench.write("one", slow(2));
	expect((await reports).map(({ outcome }) => outcome)).toEqual(["reload", "reload"]);
	expect(loads(running, "one")).toEqual([0, 1, 2]);
	expect(await leavesOne(running, "one")).toBe(true);
});

describe("of many plugins, those whose files were saved are loaded anew, and no other", () => {
	const pids = ({ host }: Running) => new Map(host.plugins.list().map(({ name, pid }) => [name, pid]));

	test("two that are saved at the same moment", async () => {
		const running = await bench.start(
			Object.fromEntries(
				["one", "two", "three", "four/index"].map((path) => [path, version(path.replace("/index", ""), 1)]),
			),
		);
		await running.host.watch();
		const before = pids(running);
		const told = Promise.all([report(running, "one"), report(running, "four")]);
		bench.write("one", version("one", 2));
		bench.write("four/index", version("four", 2));
		expect((await told).map(({ outcome }) => outcome)).toEqual(["reload", "reload"]);
		const after = pids(running);
		expect([...after.keys()].filter((name) => before.get(name) !== after.get(name)).sort()).toEqual(["four", "one"]);
	});

	test("those that load a module which they share", async () => {
		const sharing = (tool: string) =>
			`import { text } from "../shared/text.ts";\n${version(tool, "shared")}`.replace('"shared"', "text");
		writeFileSync(bench.path("text.ts"), 'export const text = "1";');
		const running = await bench.start({ one: sharing("one"), two: sharing("two"), three: version("three", 1) });
		await running.host.watch();
		const before = pids(running);
		const told = Promise.all([report(running, "one"), report(running, "two")]);
		writeFileSync(bench.path("text.ts"), 'export const text = "2";');
		await told;
		expect([await says(running, "one"), await says(running, "two")]).toEqual(["2", "2"]);
		expect(pids(running).get("three")).toBe(before.get("three") ?? 0);
	});

	test("as by a change of branches: two hundred files of one plugin are one load with all of them new", async () => {
		const names = Array.from({ length: 200 }, (_, at) => `part-${at}`);
		const write = (number: number) => {
			for (const name of names) bench.write(`one/parts/${name}.ts`, `export const number = ${number};`);
		};
		const imports = names.map((name, at) => `import { number as n${at} } from "./parts/${name}.ts";`).join("\n");
		const all = `[...new Set([${names.map((_, at) => `n${at}`).join(", ")}])].join()`;
		write(1);
		const running = await bench.start({
			"one/index.ts": `${imports}\n${version("one", "x").replace('"x"', all)}`,
			two: version("two", 1),
		});
		await running.host.watch();
		const before = pids(running);
		const told = reportsUntil(running, "one", 2);
		write(2);
		// A burst that takes long may be loaded in its midst, once.
		expect((await told).length).toBeLessThanOrEqual(2);
		expect(pids(running).get("two")).toBe(before.get("two") ?? 0);
	});
});

describe("what a plugin loads is followed, whatever its kind and however it is loaded", () => {
	const files: Record<string, (text: string) => string> = {
		"dep.js": (text) => `export const a = "${text}";`,
		"dep.mjs": (text) => `export const b = "${text}";`,
		"dep.cjs": (text) => `module.exports = { c: "${text}" };`,
		"dep.json": (text) => `{ "d": "${text}" }`,
		"dep.toml": (text) => `e = "${text}"`,
		"required.cjs": (text) => `module.exports = { f: "${text}" };`,
		"lazy/module.tsx": (text) => `export const g = "${text}";`,
	};

	test("each file by itself, one after the other", async () => {
		for (const [file, content] of Object.entries(files)) bench.write(`one/${file}`, content("old"));
		const running = await bench.start({
			"one/index.ts": `import { createRequire } from "node:module";
				import { a } from "./dep.js"; import { b } from "./dep.mjs"; import c from "./dep.cjs"; import d from "./dep.json";
				import e from "./dep.toml";
				const required = createRequire(import.meta.url)("./required.cjs");
				const { g } = await import("./lazy/module.tsx");
				export default (amp) => amp.registerTool({ name: "one", description: "", inputSchema: { type: "object" },
					execute: () => [a, b, c.c, d.d, e.e, required.f, g].join(" ") });`,
		});
		await running.host.watch();
		const words = Array(Object.keys(files).length).fill("old");
		expect(await says(running, "one")).toBe(words.join(" "));
		for (const [at, [file, content]] of Object.entries(files).entries()) {
			const told = report(running, "one");
			const path = bench.write(`one/${file}`, content("new"));
			expect(await told).toMatchObject({ outcome: "reload", files: [path] });
			words[at] = "new";
			expect(await says(running, "one")).toBe(words.join(" "));
		}
	});
});

describe("a folder of plugins", () => {
	test("gets a plugin in a folder of its own, which is edited at once: its last version serves", async () => {
		const running = await bench.start({ first: version("first", 1) });
		await running.host.watch();
		const reports = reportsUntil(running, "late", 3);
		const file = bench.path("../plugins/late/index.ts");
		mkdirSync(dirname(file));
		for (const number of [1, 2, 3]) {
			writeFileSync(file, version("late", number));
			await pause(15);
		}
		expect((await reports)[0]?.outcome).toBe("ready");
	});

	test("loses a plugin, which is disposed of and gone within a second, and no other is touched", async () => {
		const running = await bench.start({ first: version("first", 1) });
		await running.host.watch();
		const { pid } = running.host.plugins.get("first");
		const came = report(running, "second");
		const file = bench.write(
			"second",
			version("second", 1).replace("{\n", '{\n\tamp.onDispose(() => console.error("second is disposed of"));\n'),
		);
		expect((await came).outcome).toBe("ready");
		const [process = 0] = processesOf(running, "second");
		const begun = performance.now();
		const told = report(running, "second");
		await Bun.file(file).delete();
		expect((await told).outcome).toBe("removed");
		expect(performance.now() - begun).toBeLessThan(1_000);
		await running.logged("second", "second is disposed of");
		expect(await groupEnds(process)).toBe(true);
		expect(running.host.plugins.get("first")).toMatchObject({ pid, launches: 1 });
	});
});

describe("a plugin that writes beside itself whenever it is loaded", () => {
	const writing = (statement: string) => `import { writeFileSync } from "node:fs";
		${statement}
		writeFileSync(import.meta.dir + "/cache.json", JSON.stringify({ at: performance.timeOrigin }));
		writeFileSync(import.meta.dir + "/debug.log", "x");
		${loading("one", 0)}`;

	test("is loaded once where it does not load what it writes", async () => {
		const running = await bench.start({ "one/index.ts": writing(""), two: version("two", 1) });
		await running.host.watch();
		for (const number of [2, 3]) {
			const told = report(running, "two");
			bench.write("two", version("two", number));
			await told;
			await pause(200);
		}
		expect(loads(running, "one")).toEqual([0]);
	});
});
