import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNode } from "../process/support/node.ts";
import { canLook } from "./memory.ts";
import type { Result } from "./results.ts";
import { runSuite } from "./run.ts";
import { callsSuite } from "./suites/calls.ts";
import { manySuite } from "./suites/many.ts";
import { memorySuite } from "./suites/memory.ts";
import { canPin } from "./workbench.ts";

setDefaultTimeout(60_000);

const main = join(import.meta.dir, "main.ts");

function start(words: string[], folder: string) {
	return Bun.spawn([process.execPath, main, ...words], {
		env: { ...process.env, TMPDIR: folder },
		stdio: ["ignore", "pipe", "pipe"],
		// A group of its own, which a test can interrupt as a terminal does.
		detached: true,
	});
}

/** Runs the bench where whatever it leaves would be seen. */
async function bench(
	...words: string[]
): Promise<{ exitCode: number; stdout: string; stderr: string; left: string[] }> {
	const folder = mkdtempSync(join(tmpdir(), "brood-bench-test-"));
	try {
		const run = start(words, folder);
		const [stdout, stderr, exitCode] = await Promise.all([run.stdout.text(), run.stderr.text(), run.exited]);
		return { exitCode, stdout, stderr, left: readdirSync(folder) };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

async function measure(...words: string[]): Promise<Result> {
	const { exitCode, stdout, stderr, left } = await bench(...words, "--quick", "--rounds", "1", "--json");
	expect({ exitCode, stderr, left }).toEqual({ exitCode: 0, stderr: "", left: [] });
	return JSON.parse(stdout);
}

/** What of these was not measured, or not in each round. */
function missingOf({ measurements, rounds }: Result, names: string[]): string[] {
	const good = measurements.filter(({ median, samples }) => median > 0 && samples.length === rounds);
	return names.filter((name) => !good.some((measurement) => measurement.name === name));
}

describe("each suite measures us and others", () => {
	test("startup", async () => {
		const names = [
			"package",
			"compiled",
			"compiled floor",
			"floor",
			"moved",
			"unguarded",
			"cold",
			"brood list",
			"empty file",
		];
		const result = await measure("startup", "--only", names.join());
		expect(missingOf(result, [...names, "package createHost"])).toEqual([]);
		const goals = result.figures.filter(({ goal, value }) => goal !== undefined && value !== undefined);
		expect(goals).toHaveLength(4);
		expect(result.machine).toMatchObject({ bun: Bun.version, cores: navigator.hardwareConcurrency });
	});

	test("many", async () => {
		const result = await runSuite("many", manySuite([4]), { rounds: 1, only: ["package", "floor"] });
		expect(missingOf(result, ["package 1", "package 4", "package 4 first", "floor 4"])).toEqual([]);
		const median = (name: string) => result.measurements.find((one) => one.name === name)?.median ?? 0;
		// Whatever the machine does meanwhile: the first is not there after all of them.
		expect(median("package 4 first")).toBeLessThan(median("package 4"));
	});

	test.skipIf(!canPin())("calls, of every peer", async () => {
		const result = await runSuite("calls", callsSuite({ calls: 50, floodMs: 20 }), { rounds: 1 });
		const names = [
			"package",
			"own",
			"vscode",
			"mcp",
			"birpc",
			"ipc",
			"worker",
			...(findNode() === null ? [] : ["node"]),
		];
		const wanted = ["raw p50", ...names.flatMap((name) => [`${name} p50`, `${name} rate`])];
		expect(missingOf(result, wanted)).toEqual([]);
	});

	test("size", async () => {
		const result = await measure("size", "--only", "peer,base64,concat,package");
		const names = ["peer 16 MiB", "peer 4 MiB", "peer bytes", "base64 bytes", "concat 16 MiB", "package 16 MiB"];
		expect(missingOf(result, names)).toEqual([]);
	});

	test("reload, from the save until the new tool can be called", async () => {
		const result = await measure("reload");
		const names = ["spawn", "cold", "cold settled", "warm", "warm settled", "watcher", "restart", "bun --watch"];
		expect(missingOf(result, names)).toEqual([]);
		const median = (name: string) => result.measurements.find((one) => one.name === name)?.median ?? 0;
		expect(median("cold") - median("cold settled")).toBeCloseTo(10);
		expect(result.figures.filter(({ met }) => met !== undefined).map(({ id }) => id)).toEqual([
			"reload.cold",
			"reload.warm",
		]);
	});

	test.skipIf(!canLook)("memory, with a sample for each child", async () => {
		const suite = memorySuite({ children: 2, seconds: 0.2, settleSeconds: 0 });
		const { measurements } = await runSuite("memory", suite, { only: ["package", "ipc"] });
		const told = measurements.map(({ name, samples }) => [name, samples.length]);
		const names = ["private", "resident", "wake-ups"].flatMap((what) => [`package ${what}`, `ipc ${what}`]);
		expect(told.sort()).toEqual(names.map((name) => [name, 2]).sort());
		for (const { name, min } of measurements.filter(({ unit }) => unit === "MB"))
			expect([name, min > 1]).toEqual([name, true]);
	});
});

test("what the bench does not know is refused with its usage", async () => {
	const answers = await Promise.all([
		bench("strtup"),
		bench("startup", "--rounds", "0"),
		bench("--help"),
		// Part of a result would take the place of a whole one.
		bench("startup", "--only", "floor", "--save"),
		bench("startup", "--only", "floor,pakage"),
		bench("startup", "--only"),
		bench("--only", "nope"),
		bench("calls", "startup", "--only", "floor"),
	]);
	expect(answers.map(({ exitCode }) => exitCode)).toEqual([2, 2, 0, 2, 2, 2, 2, 2]);
	expect(answers[0]?.stderr).toContain("strtup is neither a suite nor an option");
	expect(answers[1]?.stderr).toContain("--rounds needs a whole number from 1 on");
	expect(answers[2]?.stdout).toContain("startup, many, calls, size, memory, reload");
	expect(answers[2]?.stdout).toContain("size: package, peer, base64, concat, vscode, ipc, worker");
	expect(answers[4]?.stderr).toStartWith("there is no variant pakage; see the variants of each suite below\n");
	expect(answers[5]?.stderr).toStartWith("--only needs the names of variants, as in --only package,floor");
	expect(answers[7]?.stderr).toStartWith("calls has none of these variants");
	expect(answers[6]?.stderr).toContain("\n  memory: package, compiled, ");
});

describe.skipIf(!canLook)("a bench that is interrupted leaves no process and no file", () => {
	test.each([
		["alone", 1],
		["with all that it started, as a terminal does", -1],
	])("%s", async (_, sign) => {
		const folder = mkdtempSync(join(tmpdir(), "brood-bench-test-"));
		const run = start(["startup", "--only", "package,mcp,vscode"], folder);
		try {
			// The host of ours runs a child now, and the others have begun.
			await until(() => processesOf(folder).some((command) => command.includes("--wire=3")));
			process.kill(sign * run.pid, "SIGINT");
			expect({ exitCode: await run.exited, stdout: await run.stdout.text() }).toEqual({ exitCode: 130, stdout: "" });
			expect(readdirSync(folder)).toEqual([]);
			await until(() => processesOf(folder).length === 0);
		} finally {
			run.kill("SIGKILL");
			rmSync(folder, { recursive: true, force: true });
		}
	});
});

async function until(condition: () => boolean): Promise<void> {
	while (!condition()) await Bun.sleep(5);
}

/** Commands of processes whose files lie in a folder. */
function processesOf(folder: string): string[] {
	return readdirSync("/proc").flatMap((pid) => {
		try {
			const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, "utf8");
			return read("environ").includes(folder) ? [read("cmdline")] : [];
		} catch {
			// No process, or one that has ended.
			return [];
		}
	});
}
