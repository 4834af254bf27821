import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { createDesk, parseLines } from "../cli/support.ts";

const desk = createDesk();
const trivial = 'export default (amp) => void amp.registerCommand("hello", { title: "Hello" }, () => {});\n';
const few = ["--rounds", "5"];
const quick = ["--rounds", "1", "--no-imports"];

test("bench tells people the ratio of each plugin, its stages and what its imports take", async () => {
	await desk.write({
		".brood/plugins/trivial.ts": trivial,
		".brood/plugins/rich/index.ts": `import { readFileSync } from "node:fs";
			import { own } from "./own.ts";
			import type { Only } from "./types.ts";
			const eager = require("./eager.cjs");
			const lazy = () => require("./lazy.cjs");
			console.log("loaded");
			export default () => void [readFileSync, own, eager, lazy];`,
		".brood/plugins/rich/eager.cjs": "module.exports = 1;",
		".brood/plugins/rich/lazy.cjs": "module.exports = 1;",
		".brood/plugins/rich/own.ts": "export const own = 1;",
	});
	const { exitCode, stdout, stderr } = await desk.run(["bench", "--rounds", "1"]);
	expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
	expect(stdout).toMatch(/^In 1 round, each of 2 plugins was started in a new process/);
	for (const name of ["rich", "trivial"]) {
		expect(stdout).toMatch(new RegExp(`^${name} +[\\d.]+ +from 5 rounds +[\\d.]+ +[\\d.]+ +[\\d.]+$`, "m"));
	}
	expect(stdout).toMatch(/^median ms +spawn +client\.info +import +activate +ready +published$/m);
	expect(stdout).toMatch(
		/^Imports of rich\nimported in this order +median ms +share +modules\nnode:fs +[\d.]+ +\d+ % +builtin\n\.\/own\.ts +[\d.]+ +\d+ % +1\n\.\/eager\.cjs +[\d.]+ +\d+ % +1\n\(your own file\) +[\d.]+ +\d+ % +1\n/m,
	);
	expect(stdout).toContain("Imports of trivial\nThere are none. Its own file takes ");
});

test("bench --json has every round, and --compare reads it again", async () => {
	await desk.write({ "trivial.ts": trivial });
	const first = await desk.run(["bench", "trivial.ts", ...few, "--json"]);
	const record = JSON.parse(first.stdout);
	const number = expect.any(Number);
	const series = {
		times: Array(5).fill(number),
		min: number,
		q1: number,
		median: number,
		q3: number,
		p90: number,
		max: number,
	};
	expect(record).toEqual({
		bench: 1,
		date: expect.stringMatching(/^\d{4}-.*Z$/),
		machine: {
			cpu: expect.any(String),
			cores: number,
			os: expect.any(String),
			arch: process.arch,
			bun: Bun.version,
			brood: expect.any(String),
		},
		settings: { rounds: 5, warmup: 3, importRounds: 5, start: "cold" },
		complete: true,
		floor: series,
		plugins: [
			{
				name: "trivial",
				system: "amp",
				scope: "explicit",
				path: desk.path("trivial.ts"),
				ok: true,
				start: series,
				floor: series,
				stages: {
					spawn: series,
					"client.info": series,
					import: series,
					activate: series,
					ready: series,
					published: series,
				},
				ratio: { value: number, low: number, high: number },
				imports: { modules: [], own: series, total: series, cachedFiles: 0 },
			},
		],
	});
	const { start, floor, ratio } = record.plugins[0];
	expect(ratio.value).toBeCloseTo(start.median / floor.median, 2);
	await desk.write({ "before.json": first.stdout });
	const again = await desk.run(["bench", "trivial.ts", ...few, "--no-imports", "--compare", "before.json"]);
	expect(again.stdout).toMatch(/\nAgainst before\.json, ratio to ratio\ntrivial: (?:no difference|faster|slower)/);
	expect(again.exitCode).toBe(0);
	await desk.write({ "renamed.ts": trivial });
	const nothing = await desk.run(["bench", "renamed.ts", ...few, "--compare", "before.json"]);
	expect([nothing.exitCode, nothing.stdout]).toEqual([2, ""]);
	expect(nothing.stderr).toContain("has nothing to compare: renamed: it is not in the earlier run");
	expect(nothing.stderr).toContain("Measured there: trivial.");
});

test("every round starts each plugin once, and the order changes", async () => {
	const says = (name: string) =>
		`import { appendFileSync } from "node:fs"; appendFileSync("../order", "${name}"); ${trivial}`;
	await desk.write({ "plugins/a.ts": says("a"), "plugins/b.ts": says("b") });
	expect((await desk.run(["bench", "./plugins", "--rounds", "3", "--no-imports"])).exitCode).toBe(0);
	const rounds = (await Bun.file(desk.path("order")).text()).match(/../g) ?? [];
	// Three rounds to warm up, and three that count.
	expect(rounds.map((round) => [...round].sort().join(""))).toEqual(Array(6).fill("ab"));
	expect(new Set(rounds)).toEqual(new Set(["ab", "ba"]));
});

test("a plugin that does not load is told with its reason, exits with 4 and spoils no other", async () => {
	await desk.write({
		"plugins/bad.ts": 'require("node:fs").appendFileSync("../tries", "1"); throw new Error("no");',
		"plugins/good.ts": trivial,
	});
	const { exitCode, stdout, stderr } = await desk.run(["bench", "./plugins", ...quick]);
	expect(exitCode).toBe(4);
	expect(stdout).toMatch(/^bad +failed$/m);
	expect(stdout).toMatch(/^good +[\d.]+ /m);
	expect(stderr).toContain('error: Plugin "bad" failed to load');
	expect(await Bun.file(desk.path("tries")).text()).toBe("1");
	const json = await desk.run(["bench", "./plugins", ...quick, "--json"]);
	expect(JSON.parse(json.stdout).plugins).toMatchObject([
		{ name: "bad", ok: false, error: { code: "load_failed", stage: "import" } },
		{ name: "good", ok: true },
	]);
	expect([json.exitCode, json.errors]).toMatchObject([4, [{ error: { code: "load_failed", plugin: "bad" } }]]);
});

test("a plugin past the budget exits with 8, and the message says by how much and why; one within it with 0", async () => {
	const slow = "await Bun.sleep(200);\nexport default () => {};";
	await desk.write({ ".brood/plugins/slow.ts": slow, ".brood/plugins/trivial.ts": trivial });
	const past = await desk.run(["bench", "slow", ...quick, "--budget", "0.01", "--json"]);
	expect(past.exitCode).toBe(8);
	expect(past.errors).toMatchObject([{ error: { code: "budget_exceeded", plugin: "slow" } }]);
	expect(past.errors[0]?.error.message).toMatch(
		/times as long as a bare Bun .*, and the budget is 0\.01; \d+ % of it is import/,
	);
	expect(JSON.parse(past.stdout).budget).toEqual({ ratio: 0.01, exceeded: ["slow"] });
	const within = await desk.run(["bench", "trivial", ...quick, "--budget", "100000"]);
	expect([within.exitCode, within.stderr]).toEqual([0, ""]);
});

test("--svg draws a picture, and one that cannot be written is told before anything is measured", async () => {
	const marks = `import { appendFileSync } from "node:fs"; appendFileSync("started", "1"); ${trivial}`;
	await desk.write({ "trivial.ts": marks });
	const refused = await desk.run(["bench", "trivial.ts", ...quick, "--svg", "nowhere/a.svg"]);
	expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
	expect(refused.stderr).toContain("nowhere/a.svg cannot be written: its folder does not exist");
	expect((await desk.run(["bench", "trivial.ts", ...quick, "--svg", "."])).stderr).toContain(
		". cannot be written: it is a folder",
	);
	expect(existsSync(desk.path("started"))).toBe(false);
	const { exitCode, stderr } = await desk.run(["bench", "trivial.ts", ...quick, "--svg", "a.svg"]);
	expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: `The picture is in ${desk.path("a.svg")}.\n` });
	expect(await Bun.file(desk.path("a.svg")).text()).toStartWith('<svg xmlns="http://www.w3.org/2000/svg"');
});

test("what cannot be used is refused with exit code 2, and says why", async () => {
	await desk.write({ ".brood/plugins/hello.ts": trivial, "foreign.json": '{"a":1}', "later.json": '{"bench":99}' });
	for (const [parameters, reason] of [
		[["helo"], 'There is no plugin "helo"'],
		[["amp/helo"], 'There is no plugin "amp/helo"'],
		[["./.brood/plugins/helo.ts"], "helo.ts is no plugin: it does not exist. Is it .brood/plugins/hello.ts?"],
		[["./plugns/hello.ts"], "hello.ts is no plugin: its folder ./plugns cannot be read, or does not exist"],
		[["nowhere.ts"], "nowhere.ts is no plugin: it does not exist"],
		[["./nowhere.ts"], "nowhere.ts is no plugin: it does not exist"],
		[["--rounds", "0"], "Give a whole number, from 1 to 100000."],
		[["--budget", "-1"], "Give a number greater than 0, such as 2.5."],
		[["--compare", "nowhere.json"], "nowhere.json cannot be compared with: it does not exist"],
		[["--compare", "foreign.json"], 'foreign.json cannot be compared with: it has no key "bench"'],
		[
			["--compare", "later.json"],
			"later.json cannot be compared with: it is of format 99, and this brood reads format 1",
		],
	] as const) {
		const { exitCode, stdout, errors } = await desk.run(["bench", ...parameters, "--json"]);
		expect([parameters, exitCode, stdout]).toEqual([parameters, 2, ""]);
		const { message, hint } = errors[0]?.error ?? {};
		expect(`${message} ${hint}`).toContain(reason);
	}
	const nothing = await desk.run(["--no-places", "bench"]);
	expect([nothing.exitCode, nothing.stderr]).toEqual([2, expect.stringContaining("leave out --no-places")]);
});

test("a plugin that is off is left out where nobody named it, and refused with how to switch it on where somebody did", async () => {
	await desk.write({ ".brood/plugins/a.ts": trivial, ".brood/plugins/b.ts": trivial });
	await desk.run(["off", "b"]);
	const all = await desk.run(["bench", ...quick, "--json"]);
	expect(JSON.parse(all.stdout).plugins.map(({ name }: { name: string }) => name)).toEqual(["a"]);
	expect(parseLines(all.stderr)).toMatchObject([{ warning: { message: "left out, because off: b" } }]);
	const named = await desk.run(["bench", "b", "--json"]);
	expect([named.exitCode, named.errors]).toMatchObject([4, [{ error: { hint: "Switch it on: brood on b." } }]]);
});

test("a plugin that changes settings as it loads changes none", async () => {
	const writes = 'export default async (amp) => { await amp.configuration.update({ "a": 1 }); };';
	await desk.write({ "writes.ts": writes });
	expect((await desk.run(["bench", "writes.ts", ...quick])).exitCode).toBe(0);
	expect(existsSync(desk.path(".brood/settings.json"))).toBe(false);
});

test("Ctrl-C ends every process, exits with 130, and tells what whole rounds there were", async () => {
	const counts = `import { appendFileSync } from "node:fs"; appendFileSync("started", "1"); ${trivial}`;
	await desk.write({ "counts.ts": counts });
	mkdirSync(desk.path("tmp"));
	const env = { TMPDIR: desk.path("tmp") };
	const child = desk.start(["bench", "counts.ts", "--rounds", "10000", "--json"], { env });
	while (
		(
			await Bun.file(desk.path("started"))
				.text()
				.catch(() => "")
		).length < 20
	)
		await Bun.sleep(5);
	child.kill("SIGINT");
	const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
	expect(child.exitCode).toBe(130);
	const { complete, settings, plugins } = JSON.parse(stdout);
	expect([complete, settings.rounds, plugins[0].start.times.length >= 5]).toEqual([false, 10_000, true]);
	expect(JSON.parse(stderr)).toMatchObject({ error: { code: "cancelled", message: "Interrupted by SIGINT." } });
	expect(readdirSync(desk.path("tmp"))).toEqual([]);
});

test("Ctrl-C while a plugin hangs in its load ends it too, and tells nothing where there is nothing to tell", async () => {
	await desk.write({
		"hangs.ts": 'import { writeFileSync } from "node:fs"; writeFileSync("up", ""); await new Promise(() => {});',
	});
	const child = desk.start(["bench", "hangs.ts"]);
	while (!existsSync(desk.path("up"))) await Bun.sleep(5);
	child.kill("SIGINT");
	const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
	expect([child.exitCode, stdout, stderr]).toEqual([130, "", "error: Interrupted by SIGINT.\n"]);
});

test("the help says what the ratio is and what each judgement compares", async () => {
	const { exitCode, stdout } = await desk.run(["bench", "--help"]);
	expect(exitCode).toBe(0);
	for (const word of ["--rounds <n>", "--svg <file>", "--compare <file>", "--budget <ratio>", "--no-imports"]) {
		expect(stdout).toContain(word);
	}
	expect(stdout).toContain("divided by the median of the floor");
	expect(stdout).toContain("--budget compares the ratio itself");
	expect(stdout).toContain("ten at most, of one or two processes each, and one process");
	const prose = stdout.slice(stdout.indexOf("What is measured:"), stdout.indexOf("Ctrl-C ends"));
	expect(prose.split("\n").filter((line) => line.length > 120)).toEqual([]);
});
