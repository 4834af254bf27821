import type { Comparison } from "../../devtools/compare.ts";
import type { LargestChanges } from "../../devtools/compare-parts.ts";
import { noiseOf } from "../../devtools/noise.ts";
import {
	type BenchRecord,
	type ImportsRecord,
	type MeasuredRecord,
	measuredOf,
	type RatioRecord,
	wholeRoundsOf,
} from "../../devtools/record.ts";
import { stages } from "../../devtools/stages.ts";
import { differenceAnyway, type Estimate, rangeRoundsMin } from "../../devtools/statistics.ts";
import { cleanLine } from "../../ui/clean.ts";
import { shownName } from "../screen-text.ts";
import type { Paint } from "../style.ts";
import { layOutTable } from "../table.ts";

export interface BenchTextOptions {
	paint: Paint;
	/** Columns of the screen. */
	width: number;
	/** What an earlier run says about each, where one was given. */
	compared: Compared | undefined;
}

export interface Compared {
	/** The file of the earlier run. */
	with: string;
	comparisons: readonly Comparison[];
	/** What was different around the plugins. */
	changed: readonly string[];
	/** What shows that the machine was busy in the earlier run. */
	noise: string | undefined;
}

/** A measurement for people: what was measured, and a table each for all plugins, their stages and their imports. */
export function describeBench(record: BenchRecord, { paint, width, compared }: BenchTextOptions): string {
	const measured = measuredOf(record);
	const wrap = (text: string) => Bun.wrapAnsi(text, Math.min(width, proseChars));
	if (record.floor === null || measured.length === 0) return wrap("No plugin was measured.");
	const table = (heading: string[], rows: string[][]) => layOutTable({ heading, rows, width }, paint).join("\n");
	const parts = [
		wrap(describeRun(record, measured.length)),
		table(summaryHeading, [...record.plugins.map(summaryRow), floorRow(record.floor)]),
		`${paint("bold", "Stages")}\n${table(stageHeading, measured.map(stageRow))}\n${wrap(needNotAddUp)}`,
		...measured.flatMap((plugin) => describeImports(plugin, { paint, wrap, table })),
	];
	if (compared !== undefined) parts.push(describeComparison(compared, paint, wrap));
	const noise = describeNoise(record);
	return [...parts, ...(noise === undefined ? [] : [wrap(paint("yellow", noise))])].join("\n\n");
}

/** "faster by 12 % (95 %: 8…15 %)" @param change as a part of one */
export function describeChange({ verdict, change }: { verdict: "faster" | "slower" | "same"; change: Estimate }) {
	const { value, low, high } = change;
	if (verdict === "same") {
		return `no difference that this run can show (±${percent(Math.max(Math.abs(low), Math.abs(high)))} %)`;
	}
	const [near, far] = [Math.abs(low), Math.abs(high)].sort((a, b) => a - b);
	return `${verdict} by ${percent(Math.abs(value))} % (95 %: ${percent(near ?? 0)}…${percent(far ?? 0)} %)`;
}

// Longer lines are hard to read.
const proseChars = 80;

function describeRun(record: BenchRecord, plugins: number): string {
	const { settings, complete } = record;
	const rounds = wholeRoundsOf(record);
	const ended = complete ? "" : ` of ${settings.rounds}, then interrupted`;
	const each = plugins === 1 ? "the plugin" : `each of ${plugins} plugins`;
	return [
		`In ${count(rounds, "round")}${ended}, ${each} was started in a new process, and beside it a bare Bun of its own`,
		"that writes one byte: its floor. All times are milliseconds from the spawn until the plugin is published; the ratio is the",
		"median divided by that of its floor, so that 1 would be as fast as Bun itself starts.",
	].join(" ");
}

const summaryHeading = ["plugin", "ratio", "95 % range", "median ms", "p90 ms", "min ms"];

function summaryRow(plugin: BenchRecord["plugins"][number]): string[] {
	if (!plugin.ok) return [shownName(plugin.name), "failed"];
	const { name, ratio, start } = plugin;
	return [
		shownName(name),
		ratio.value.toFixed(2),
		describeRange(ratio),
		ms(start.median),
		ms(start.p90),
		ms(start.min),
	];
}

function describeRange({ low, high }: RatioRecord): string {
	return low === null || high === null ? `from ${rangeRoundsMin} rounds` : `${low.toFixed(2)}…${high.toFixed(2)}`;
}

function floorRow({ median, p90, min }: NonNullable<BenchRecord["floor"]>): string[] {
	return ["(floor: bare Bun)", "1.00", "", ms(median), ms(p90), ms(min)];
}

const stageHeading = ["median ms", ...stages.map(([stage]) => stage)];

const needNotAddUp =
	"Each is a median of its own, so that stages, and imports below, need not add up to the median of the whole.";

function stageRow(plugin: MeasuredRecord): string[] {
	return [shownName(plugin.name), ...stages.map(([stage]) => ms(plugin.stages[stage].median))];
}

interface TextTools {
	paint: Paint;
	wrap(text: string): string;
	table(heading: string[], rows: string[][]): string;
}

function describeImports({ name, imports }: MeasuredRecord, { paint, wrap, table }: TextTools): string[] {
	if (imports === undefined) return [];
	const title = paint("bold", `Imports of ${shownName(name)}`);
	if ("error" in imports) {
		return [`${title}\n${wrap(`They could not be measured: ${cleanLine(imports.error, reasonCharsMax)}`)}`];
	}
	if (imports.modules.length === 0) {
		return [`${title}\n${wrap(`There are none. ${describeAttribution(imports)}`)}`];
	}
	const share = (median: number) => `${Math.round((100 * median) / imports.total.median)} %`;
	const rows = imports.modules.map(({ specifier, median, modules, kind }) => {
		const brought = kind === "builtin" ? "builtin" : String(modules);
		return [cleanLine(specifier, specifierCharsMax), ms(median), share(median), brought];
	});
	const { own } = imports;
	const lines = table(
		["imported in this order", "median ms", "share", "modules"],
		[...rows, ["(your own file)", ms(own.median), share(own.median), "1"]],
	);
	return [`${title}\n${lines}\n${wrap(describeAttribution(imports))}`];
}

function describeAttribution({ modules, total, uncached, cachedFiles }: ImportsRecord): string {
	const rounds = count(total.times.length, "process", "es");
	const shared =
		modules.length < 2
			? ""
			: " What two of them share is charged to the first, so that another order gives other numbers.";
	const first =
		modules.length === 0
			? `Its own file takes ${ms(total.median)} ms, measured apart in ${rounds}.`
			: `Measured apart in ${rounds}, one after the other, ${ms(total.median)} ms together.${shared}`;
	if (cachedFiles === 0) return first;
	const files = count(cachedFiles, "file");
	if (uncached === undefined) {
		return `${first} Bun would keep ${files} of more than 4 KB transpiled, but BUN_RUNTIME_TRANSPILER_CACHE_PATH switches that off, or there is no HOME.`;
	}
	return `${first} Bun keeps ${files} of more than 4 KB transpiled: without that, as in the first start after an edit of all of them, it is ${ms(uncached.median)} ms.`;
}

function describeComparison(
	{ with: file, comparisons, changed, noise }: Compared,
	paint: Paint,
	wrap: (text: string) => string,
): string {
	const lines = comparisons.map((comparison) => {
		const isKnown = comparison.verdict !== "unknown";
		const beside =
			isKnown && comparison.beside !== undefined ? `; ${cleanLine(comparison.beside, reasonCharsMax)}` : "";
		const text = isKnown ? `${describeChange(comparison)}${beside}` : `cannot be said: ${comparison.reason}`;
		const most = isKnown ? describeMost(comparison.most ?? {}) : "";
		const colour = { faster: "green", slower: "red", same: "dim", unknown: "yellow" } as const;
		return `${wrap(`${shownName(comparison.name)}: ${paint(colour[comparison.verdict], text)}`)}${most && `\n${wrap(most)}`}`;
	});
	const remarks = [
		`Two runs of the same plugin differ by up to ${percent(differenceAnyway)} % anyway, however many rounds they have: a smaller change they cannot show.`,
		...(changed.length === 0 ? [] : [`The earlier run had another ${changed.join(", another ")}.`]),
		...(noise === undefined ? [] : [paint("yellow", `The machine was busy in the earlier run: ${noise}.`)]),
	];
	const title = paint("bold", `Against ${cleanLine(file, specifierCharsMax)}, ratio to ratio`);
	return [title, ...lines, ...remarks.map(wrap)].join("\n");
}

function describeMost({ stage, import: of }: LargestChanges): string {
	const signed = ({ value }: Estimate) => `${value < 0 ? "−" : "+"}${percent(Math.abs(value))} %`;
	const parts = [
		...(stage === undefined ? [] : [`of the stages ${stage.name}, ${signed(stage.change)}`]),
		...(of === undefined
			? []
			: [
					`of the imports ${of.name === null ? "its own file" : cleanLine(of.name, specifierCharsMax)}, ${signed(of.change)}`,
				]),
	];
	return parts.length === 0 ? "" : `What changed most, as parts of the earlier start: ${parts.join("; ")}.`;
}

/** Undefined on a machine that was quiet. */
function describeNoise(record: BenchRecord): string | undefined {
	const noise = noiseOf(record);
	if (noise === undefined) return undefined;
	return `The machine was busy: ${noise}. That changes ratios too: measure again where little else runs.`;
}

const specifierCharsMax = 200;
const reasonCharsMax = 500;

function ms(time: number): string {
	return time.toFixed(time < 99.95 ? 2 : 0);
}

function percent(part: number): string {
	const points = 100 * part;
	return points.toFixed(points < 9.95 ? 1 : 0);
}

function count(number: number, what: string, plural = "s"): string {
	return `${number} ${what}${number === 1 ? "" : plural}`;
}
