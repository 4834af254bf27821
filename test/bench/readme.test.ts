import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeMachine } from "./machine.ts";
import { withFigures } from "./readme.ts";
import { type Result, readResults, saveResult } from "./results.ts";
import { showResult } from "./table.ts";

const measurement = (name: string, median: number) => ({
	name,
	unit: "ms",
	median,
	p90: median,
	min: median,
	samples: [median],
});

const startup: Result = {
	suite: "startup",
	title: "start-up",
	date: "2026-01-01T00:00:00.000Z",
	commit: null,
	machine: { ...describeMachine(), cpu: "A processor", cores: 2, node: null },
	rounds: 1,
	figures: [
		{ id: "a", title: "ours ÷ floor", command: "bun run bench startup", goal: { atMost: 1.5 }, value: 1.6, met: false },
		{ id: "b", title: "no goal", command: "bun run bench startup", value: 3 },
		{ id: "c", title: "no value", command: "bun run bench startup", goal: { atMost: 1 }, skipped: "no Node" },
	],
	measurements: [measurement("package", 8), measurement("floor", 5), measurement("mcp", 100)],
};

const calls: Result = {
	...startup,
	suite: "calls",
	figures: [],
	measurements: [measurement("package p50", 10), measurement("mcp p50", 50)],
};

const page = "# Title\n\n<!-- figures -->\nold\n<!-- /figures -->\n\nafter\n";

describe("the figures of a page", () => {
	test("stand between the marks, and nothing else changes", () => {
		const made = withFigures(page, new Map([["startup", startup]]));
		expect(made).toStartWith("# Title\n\n<!-- figures -->\n");
		expect(made).toEndWith("\n<!-- /figures -->\n\nafter\n");
		expect(made).not.toContain("old");
		expect(withFigures(made, new Map([["startup", startup]]))).toBe(made);
	});

	test("are those that have a goal and a value, and multiples of ours", () => {
		const results = new Map([startup, calls].map((result) => [result.suite, result]));
		const lines = withFigures(page, results).split("\n");
		expect(lines).toContain("| ours ÷ floor | 1.60 | ≤ 1.5, not met | `bun run bench startup` |");
		expect(lines.filter((line) => /no goal|no value/.test(line))).toEqual([]);
		expect(lines).toContain("| bare Bun that writes one byte | 0.63 |  |  |  |");
		expect(lines).toContain("| official MCP client and server over stdio | 12.5 | 5.00 |  |  |");
		expect(lines.find((line) => line.startsWith("Medians"))).toContain("on 2 cores (A processor");
	});

	test("say how the samples of a suite came about where its variants do not just take turns", () => {
		const aboutOf = (...all: Result[]) =>
			withFigures(page, new Map(all.map((result) => [result.suite, result])))
				.split("\n")
				.find((line) => line.startsWith("Medians"));
		expect(aboutOf(startup)).toStartWith("Medians of rounds in which all variants take turns, on 2 cores (");
		expect(aboutOf(startup, calls, { ...calls, suite: "memory" })).toStartWith(
			"Medians of rounds in which all variants take turns (calls: both processes on one core; memory and wake-ups: 12 children that nobody has called yet, looked at once), on 2 cores (",
		);
	});

	test("name the commit that was measured, and whose it is where suites differ", () => {
		const made = (...commits: (string | null)[]) =>
			withFigures(
				page,
				new Map([startup, calls].map((result, at) => [result.suite, { ...result, commit: commits[at] ?? null }])),
			);
		expect(made("aaa", "aaa")).toContain("), at aaa; all samples are in");
		expect(made("aaa", "bbb")).toContain("), at aaa (startup) and bbb (calls); all samples are in");
		expect(made("aaa", null)).toContain("), at aaa (startup) and an unknown commit (calls); all samples are in");
	});

	test("need marks and results", () => {
		expect(() => withFigures("# Title", new Map([["startup", startup]]))).toThrow("<!-- figures -->");
		expect(() => withFigures(page, new Map())).toThrow("bun run bench --save");
	});
});

test("a table says how its samples came about", () => {
	const lastLine = (result: Result) => showResult(result).split("\n").at(-1);
	expect(lastLine({ ...startup, rounds: 40 })).toStartWith("0 of 1 goals met; medians of 40 rounds in turns from");
	expect(lastLine({ ...startup, suite: "memory" })).toContain(
		"medians of one round (12 children that nobody has called yet, looked at once) from bun run bench memory",
	);
});

test("results are kept in place of those before, and read in the order of the suites", async () => {
	const folder = await mkdtemp(join(tmpdir(), "brood-results-"));
	try {
		for (const result of [{ ...startup, rounds: 9 }, calls, startup]) await saveResult(result, folder);
		expect([...readResults(folder)]).toEqual([
			["startup", startup],
			["calls", calls],
		]);
		expect(readResults(join(folder, "nowhere")).size).toBe(0);
		await Bun.write(join(folder, "size.json"), '{ "suite": "size" }');
		expect(() => readResults(folder)).toThrow();
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});
