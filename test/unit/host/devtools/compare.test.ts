import { expect, test } from "bun:test";
import { compareRuns, surroundingsChanged } from "../../../../host/devtools/compare.ts";
import { parseRecord } from "../../../../host/devtools/read-record.ts";
import { type BenchRecord, type ImportsRecord, measuredOf } from "../../../../host/devtools/record.ts";
import { changeOf, seededRandom, verdictOn } from "../../../../host/devtools/statistics.ts";
import { syntheticRecord, syntheticTimes } from "./support.ts";

/** The verdict of one synthetic run against another, for so many pairs of them. */
function verdicts(pairs: number, change: { slower?: number; rounds?: number }): string[] {
	return Array.from({ length: pairs }, (_, seed) => {
		const before = syntheticTimes({ seed, rounds: change.rounds ?? 50 });
		return verdictOn(changeOf(before, syntheticTimes({ ...change, seed: seed + 1_000 })));
	});
}

const times = (all: string[], verdict: string) => all.filter((one) => one === verdict).length;

test("two runs of the same plugin differ in at most 5 of 100 cases", () => {
	expect(times(verdicts(100, {}), "same")).toBeGreaterThanOrEqual(95);
});

test("runs of the same plugin that fall into two groups differ in at most 7 of 100 cases", () => {
	// As it was measured: one run of four takes nine per cent less, in all of its rounds.
	const run = (seed: number) =>
		syntheticTimes({ seed, rounds: 200, slower: seededRandom(seed + 7)() < 0.25 ? 0.91 : 1 });
	const all = Array.from({ length: 100 }, (_, seed) => verdictOn(changeOf(run(seed), run(seed + 1_000))));
	expect(times(all, "same")).toBeGreaterThanOrEqual(93);
});

test("a plugin that takes 20 per cent longer, or 20 per cent less, is found where there are enough rounds", () => {
	expect(times(verdicts(20, { slower: 1.2, rounds: 200 }), "slower")).toBeGreaterThanOrEqual(18);
	expect(times(verdicts(20, { slower: 0.8, rounds: 200 }), "faster")).toBeGreaterThanOrEqual(18);
});

test("a machine that is twice as slow as a whole changes nothing", () => {
	const [before, after] = [syntheticTimes({ seed: 1 }), syntheticTimes({ seed: 2 })];
	const twice = { times: after.times.map((ms) => 2 * ms), floor: after.floor.map((ms) => 2 * ms) };
	expect(changeOf(before, twice).value).toBeCloseTo(changeOf(before, after).value, 9);
});

test("a difference comes with its size, and a range that holds it", () => {
	const [comparison] = compareRuns(
		syntheticRecord({ seed: 2, rounds: 400, slower: 1.3 }),
		syntheticRecord({ seed: 1, rounds: 400 }),
	);
	if (comparison?.verdict !== "slower") throw new Error(`not slower but ${comparison?.verdict}`);
	const { value, low, high } = comparison.change;
	expect(value).toBeCloseTo(0.3, 1);
	expect([low > 0.15, low < value, value < high, high < 0.45]).toEqual([true, true, true, true]);
});

test("the same two files have the same verdict each time", () => {
	const [before, after] = [syntheticRecord({ seed: 1 }), syntheticRecord({ seed: 2, slower: 1.05 })];
	expect(compareRuns(after, before)).toEqual(compareRuns(after, before));
});

test("a plugin is found again by its name, in whatever folder; of two with one name by the path", () => {
	const before = syntheticRecord({ seed: 1, plugins: ["hello", "other"] });
	const after = syntheticRecord({ seed: 2, plugins: ["hello", "new"] });
	for (const plugin of before.plugins) plugin.path = `/elsewhere/${plugin.name}.ts`;
	expect(compareRuns(after, before)).toMatchObject([
		{ name: "hello", verdict: "same" },
		{ name: "new", verdict: "unknown", reason: "it is not in the earlier run" },
	]);
	const twice = {
		...before,
		plugins: [...before.plugins, ...before.plugins.map((plugin) => ({ ...plugin, path: "/b" }))],
	};
	expect(compareRuns(after, twice)[0]).toMatchObject({ verdict: "unknown" });
});

test("nothing is said against a run that is too short, that the plugin failed in, or that started it otherwise", () => {
	const now = syntheticRecord({ seed: 1 });
	const reasonFor = (before: Parameters<typeof compareRuns>[1]) => {
		const [comparison] = compareRuns(now, before);
		return comparison?.verdict === "unknown" ? comparison.reason : undefined;
	};
	expect(reasonFor(syntheticRecord({ seed: 2, rounds: 4 }))).toBe("at least 5 rounds are needed in each run");
	expect(reasonFor(syntheticRecord({ seed: 2, rounds: 5 }))).toBeUndefined();
	expect(reasonFor({ ...now, plugins: now.plugins.map(({ name, path }) => ({ name, path, ok: false })) })).toBe(
		"it did not load in the earlier run",
	);
	expect(reasonFor({ ...now, settings: { start: "warm" } })).toBe("the earlier run started plugins in another way");
});

test("of a difference the stage and the import are told that changed most, by their floors", () => {
	const [before, after] = [syntheticRecord({ seed: 1 }), syntheticRecord({ seed: 2 })];
	for (const plugin of measuredOf(before)) plugin.imports = importing({ zod: 3, own: 1 });
	for (const plugin of measuredOf(after)) {
		plugin.imports = importing({ zod: 3, ajv: 4, own: 1 });
		plugin.stages.activate.times = plugin.stages.activate.times.map((ms) => ms + 3);
		plugin.start.times = plugin.start.times.map((ms) => ms + 3);
	}
	const longer = mostChanged(after, before);
	expect([longer?.stage?.name, longer?.import?.name]).toEqual(["activate", "ajv"]);
	expect(longer?.stage?.change.value).toBeCloseTo(3 / 7.2, 1);
	expect(longer?.import?.change.value).toBeCloseTo(4 / 7.2, 1);
	const shorter = mostChanged(before, after);
	expect([shorter?.stage?.name, shorter?.import?.name]).toEqual(["activate", "ajv"]);
	expect(shorter?.stage?.change.value).toBeLessThan(0);
	for (const plugin of measuredOf(before)) plugin.imports = { error: "no" };
	expect(mostChanged(after, before)).not.toHaveProperty("import");
});

test("no part is told of a plugin that is as it was, and none that changed with the machine or by chance", () => {
	const [before, after] = [syntheticRecord({ seed: 1 }), syntheticRecord({ seed: 2, slower: 1.3, rounds: 400 })];
	expect(mostChanged(syntheticRecord({ seed: 2 }), before)).toBeUndefined();
	for (const record of [before, after]) {
		for (const plugin of measuredOf(record)) plugin.imports = importing({ zod: 3, own: 1 });
	}
	// All of it is one stage; a machine that is half as slow makes every other time shorter.
	for (const plugin of measuredOf(after)) {
		for (const series of [plugin.start, plugin.floor, ...Object.values(plugin.stages)]) {
			series.times = series.times.map((ms) => ms / 2);
		}
		plugin.imports = importing({ zod: 1.5, own: 0.5 });
	}
	const most = mostChanged(after, before);
	expect(most?.stage?.name).toBe("client.info");
	expect(most?.stage?.change.value).toBeGreaterThan(0);
	expect(most).not.toHaveProperty("import");
});

test("where other plugins were measured beside it that is told, and only a larger difference counts", () => {
	const against = (plugins: string[], slower: number) => {
		const before = syntheticRecord({ seed: 1, rounds: 400, plugins });
		const [comparison] = compareRuns(syntheticRecord({ seed: 2, rounds: 400, slower }), before);
		return comparison?.verdict === "unknown" ? undefined : comparison;
	};
	const alone = against(["hello"], 1.14);
	expect([alone?.verdict, alone?.beside]).toEqual(["slower", undefined]);
	const others = against(["hello", "a", "b", "c", "d"], 1.14);
	expect([others?.verdict, others?.beside]).toEqual([
		"same",
		"beside it was measured a, b, c and 1 more, and now nothing",
	]);
	expect(against(["hello", "a"], 1.4)?.verdict).toBe("slower");
});

test("a file of an earlier version is read with its one floor, of which several plugins are told", () => {
	const earlier = (plugins: string[]) => {
		const record = syntheticRecord({ seed: 1, rounds: 400, plugins });
		const withoutFloors = record.plugins.map((plugin) => ({ ...plugin, floor: undefined }));
		return parseRecord(JSON.stringify({ ...record, plugins: withoutFloors }), "old.json");
	};
	const now = (plugins: string[]) => syntheticRecord({ seed: 2, rounds: 400, slower: 1.18, plugins });
	expect(compareRuns(now(["hello"]), earlier(["hello"]))).toMatchObject([{ verdict: "slower" }]);
	const both = ["hello", "other"];
	const told = { verdict: "same", beside: "the earlier run had one floor for all plugins" };
	expect(compareRuns(now(both), earlier(both))).toMatchObject([told, told]);
});

test("another processor or Bun is told", () => {
	const { machine } = syntheticRecord({ seed: 1 });
	const before = { ...syntheticRecord({ seed: 1 }), machine: { ...machine, bun: "1.0.0" } };
	expect(surroundingsChanged({ machine }, before)).toEqual([`version of Bun (1.0.0, now ${Bun.version})`]);
});

test("another brood, system or architecture is told, also of a file that was read; an unknown brood is not", () => {
	const record = syntheticRecord({ seed: 1 });
	const read = (machine: object) =>
		parseRecord(JSON.stringify({ ...record, machine: { ...record.machine, ...machine } }), "a.json");
	expect(surroundingsChanged(record, read({ brood: "0.0.1", os: "Plan 9", arch: "mips" }))).toEqual([
		`release of the system (Plan 9, now ${record.machine.os})`,
		`architecture (mips, now ${record.machine.arch})`,
		`version of brood (0.0.1, now ${record.machine.brood})`,
	]);
	expect(surroundingsChanged(record, read({ brood: undefined }))).toEqual([]);
});

function mostChanged(now: BenchRecord, before: BenchRecord) {
	const [comparison] = compareRuns(now, before);
	return comparison?.verdict === "unknown" ? undefined : comparison?.most;
}

function importing({ own, ...packages }: { own: number; [specifier: string]: number }): ImportsRecord {
	const series = (ms: number) => ({
		times: Array(10).fill(ms),
		...{ min: ms, q1: ms, median: ms, q3: ms, p90: ms, max: ms },
	});
	const modules = Object.entries(packages).map(([specifier, ms]) => ({
		specifier,
		kind: "package" as const,
		modules: 1,
		...series(ms),
	}));
	return { modules, own: series(own), total: series(0), cachedFiles: 0 };
}
