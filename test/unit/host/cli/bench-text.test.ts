import { expect, test } from "bun:test";
import { createProgressLine, describeProgress } from "../../../../host/cli/commands/bench-progress.ts";
import { describeBench, describeChange } from "../../../../host/cli/commands/bench-text.ts";
import { createPaint } from "../../../../host/cli/style.ts";
import { noiseOf } from "../../../../host/devtools/noise.ts";
import { measuredOf, recordOf } from "../../../../host/devtools/record.ts";
import { specOf, stagesOf, syntheticRecord } from "../devtools/support.ts";

const plain = { paint: createPaint(false), width: 80, compared: undefined };

test("on 80 columns no line is longer, numbers stand below each other, and the unit is in the heading", () => {
	const plugins = [
		"hello",
		"a-plugin-with-a-name-that-is-longer-than-anybody-would-want-it-to-be",
		"日本語の名前のとても長いプラグイン",
	];
	const lines = describeBench(syntheticRecord({ seed: 1, plugins }), plain).split("\n");
	expect(lines.filter((line) => Bun.stringWidth(line) > 80)).toEqual([]);
	const heading = lines.findIndex((line) => line.startsWith("plugin "));
	const rows = lines.slice(heading, heading + 5);
	expect(rows[0]?.trim().split(/ {2,}/)).toEqual(["plugin", "ratio", "95 % range", "median ms", "p90 ms", "min ms"]);
	expect(new Set(rows.map((row) => Bun.stringWidth(row))).size).toBe(1);
	expect(rows[4]).toMatch(/^\(floor: bare Bun\) +1\.00 +[\d.]+ +[\d.]+ +[\d.]+$/);
	expect(rows[2]).toContain("…");
});

test("on 50 columns no line is longer either: what does not fit beside a name stands below it", () => {
	const record = syntheticRecord({
		seed: 1,
		plugins: ["hello", "a-plugin-with-a-name-that-is-longer-than-anybody-would-want"],
	});
	const text = describeBench(record, { ...plain, width: 50 });
	expect(text.split("\n").filter((line) => Bun.stringWidth(line) > 50)).toEqual([]);
	expect(text).toMatch(/^median ms\nhello\n {2}spawn +[\d.]+\n {2}client\.info +[\d.]+\n {2}import +[\d.]+\n/m);
});

test("without a screen to fit, and with one that is wide, names are whole", () => {
	const plugins = ["name-".repeat(14)];
	expect(describeBench(syntheticRecord({ seed: 1, plugins }), { ...plain, width: 160 })).toContain(plugins[0] ?? "");
});

test("what was measured is said above, with how many rounds, also where somebody ended it", () => {
	const record = syntheticRecord({ seed: 1, rounds: 12 });
	expect(describeBench(record, plain)).toStartWith("In 12 rounds, the plugin was started in a new process");
	const ended = { ...record, complete: false, settings: { ...record.settings, rounds: 50 } };
	expect(describeBench(ended, plain)).toStartWith("In 12 rounds of 50, then interrupted, the plugin was started");
});

test("a machine that was busy is told, and only that", () => {
	const record = syntheticRecord({ seed: 1 });
	expect(describeBench(record, plain)).not.toContain("busy");
	const told = (times: number[]) => {
		const plugins = measuredOf(record).map((plugin) => ({ ...plugin, floor: { ...plugin.floor, times } }));
		return describeBench({ ...record, plugins }, { ...plain, width: 300 });
	};
	// Work that comes and goes, and work that leaves only the luckiest start alone.
	expect(told([4, 4, 4, 4, 4, 4, 4, 4, 8, 8])).toContain("busy: one in ten bare Buns took 2.0 times");
	expect(told([3, 10, 10, 10, 10, 10, 10, 10, 11, 11])).toContain("busy: bare Bun usually took 3.3 times");
});

test("a machine that was busy beside one plugin of three is told, and shows in the row of the floor", () => {
	const calm = [4, 4, 4, 4, 4, 4, 4, 4, 4, 4];
	const told = (busy: number[]) => {
		const plugins = [calm, calm, busy].map((floor, index) => ({
			spec: specOf(`plugin-${index}`),
			starts: floor.map(() => stagesOf(8)),
			floor,
		}));
		const settings = { rounds: 10, warmup: 0, importRounds: 0, start: "cold" } as const;
		return describeBench(recordOf({ plugins, isComplete: true }, settings, new Date(0)), { ...plain, width: 300 });
	};
	expect(told(calm)).not.toContain("busy");
	// So few of all thirty that neither the shared floor nor a median of the three shows it.
	expect(told([4, 4, 4, 4, 4, 4, 4, 4, 8, 8])).toContain("busy: one in ten bare Buns took 2.0 times");
	const text = told([2, 4, 4, 4, 4, 4, 8, 8, 8, 8]);
	expect(text).toContain("busy: ");
	expect(text).toMatch(/^\(floor: bare Bun\) +1\.00 +4\.00 +8\.00 +2\.00$/m);
	expect(text).toStartWith("In 10 rounds, each of 3 plugins");
});

test("of a file with one floor for all plugins that one is judged", () => {
	const floor = { times: [4, 4, 4, 4, 4, 4, 4, 4, 8, 8] };
	expect(noiseOf({ floor, plugins: [{ ok: true }, { ok: true }] })).toContain("one in ten bare Buns took 2.0 times");
	expect(noiseOf({ floor: null, plugins: [] })).toBeUndefined();
});

test("where there are too few rounds the table says from how many on there is a range", () => {
	expect(describeBench(syntheticRecord({ seed: 1, rounds: 4 }), plain)).toMatch(/^hello +[\d.]+ +from 5 rounds +/m);
});

test("a comparison says what changed most, what no run can show, and that the machine was busy before", () => {
	const record = syntheticRecord({ seed: 1 });
	const comparisons = [
		{
			name: "hello",
			path: "/plugins/hello.ts",
			verdict: "slower",
			change: { value: 0.3, low: 0.2, high: 0.4 },
			beside: "beside it was measured other, and now nothing",
			most: {
				stage: { name: "import", change: { value: 0.25, low: 0.2, high: 0.3 } },
				import: { name: "zod", change: { value: 0.081, low: 0.05, high: 0.1 } },
			},
		},
	] as const;
	const compared = { with: "a.json", comparisons, changed: [], noise: "all took long" };
	const text = describeBench(record, { ...plain, width: 300, compared });
	expect(text.replaceAll("\n", " ")).toContain(
		[
			"hello: slower by 30 % (95 %: 20…40 %); beside it was measured other, and now nothing",
			"What changed most, as parts of the earlier start: of the stages import, +25 %; of the imports zod, +8.1 %. ",
		].join(" "),
	);
	expect(text.replaceAll("\n", " ")).toContain("Two runs of the same plugin differ by up to 10 % anyway");
	expect(text).toContain("The machine was busy in the earlier run: all took long.");
});

test.each([
	["faster", -0.12, -0.15, -0.08, "faster by 12 % (95 %: 8.0…15 %)"],
	["slower", 0.031, 0.011, 0.05, "slower by 3.1 % (95 %: 1.1…5.0 %)"],
	["same", 0.01, -0.02, 0.043, "no difference that this run can show (±4.3 %)"],
] as const)("%s is said with its size and range", (verdict, value, low, high, text) => {
	expect(describeChange({ verdict, change: { value, low, high } })).toBe(text);
});

test("progress is one line that changes, with the time that is left, and goes away", () => {
	let written = "";
	let now = 0;
	const line = createProgressLine(
		true,
		(text) => {
			written += text;
		},
		() => now,
	);
	line.show({ phase: "rounds", round: 1, of: 50 });
	now = 4_000;
	line.show({ phase: "rounds", round: 11, of: 50 });
	now = 78_400;
	line.show({ phase: "rounds", round: 50, of: 50 });
	line.clear();
	const start = "\r\u001B[2K";
	expect(written).toBe(
		`${start}round 1 of 50${start}round 11 of 50, about 16 s left${start}round 50 of 50, about 2 s left${start}`,
	);
	expect(describeProgress({ phase: "warm-up", round: 2, of: 3 }, 5)).toBe("warm-up 2 of 3");
	expect(describeProgress({ phase: "rounds", round: 200, of: 200 }, 8_000)).toBe("round 200 of 200");
});

test("where nobody looks nothing is written", () => {
	const line = createProgressLine(false, () => expect.unreachable());
	line.show({ phase: "rounds", round: 1, of: 2 });
	line.clear();
});
