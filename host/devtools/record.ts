import type { PluginSpec } from "../spec.ts";
import { describeMachine, type MachineRecord } from "./machine.ts";
import type { BenchResult, MeasuredPlugin } from "./measure.ts";
import type { MeasuredImports } from "./measure-imports.ts";
import { type BenchStage, stages, totalOf } from "./stages.ts";
import { type Pairs, rangeRoundsMin, ratioOf, type Summary, summarize } from "./statistics.ts";

/**
 * What `brood bench --json` prints, and `--compare` reads. More keys may come; these stay as long as `bench` does. All
 * times are milliseconds.
 */
export interface BenchRecord {
	/** The version of this shape. */
	bench: typeof benchFormat;
	/** When the measurement began, ISO 8601. */
	date: string;
	machine: MachineRecord;
	settings: BenchSettings;
	/** Whether nobody ended it before its last round. */
	complete: boolean;
	/** All times of all floors together, plugin after plugin; null when no round was whole. */
	floor: Series | null;
	/** In the order in which they were named or found. */
	plugins: (MeasuredRecord | FailedRecord)[];
}

export const benchFormat = 1;

export interface BenchSettings {
	/** Rounds that were asked for; `times` has one item for each that was whole. */
	rounds: number;
	/** Rounds before them that do not count. */
	warmup: number;
	/** Rounds of the imports. */
	importRounds: number;
	/** A process of its own each time. */
	start: "cold";
}

/** Times, round by round, and what they come to. */
export interface Series extends Omit<Summary, "count"> {
	times: number[];
}

/** A plugin that was measured. */
export interface MeasuredRecord extends PluginFacts {
	ok: true;
	/** Its spawn until it was published. */
	start: Series;
	/**
	 * Spawn of a bare Bun beside it until the one byte that it writes was read; its times and those of `start` belong
	 * together by their index. Earlier versions had one floor for all plugins.
	 */
	floor: Series;
	/** The same, stage by stage. */
	stages: Record<BenchStage, Series>;
	/** The median of `start` divided by that of its floor. */
	ratio: RatioRecord;
	/** What its imports take; absent when they were not looked at. */
	imports?: ImportsRecord | { error: string };
}

/** A ratio with its range at 95 %; `low` and `high` are null where there are too few rounds for one. */
export interface RatioRecord {
	value: number;
	low: number | null;
	high: number | null;
}

/** A plugin that did not load. */
export interface FailedRecord extends PluginFacts {
	ok: false;
	error: { code: string; message: string; stage?: string; hint?: string };
}

type PluginFacts = Pick<PluginSpec, "name" | "system" | "scope" | "path">;

/**
 * What a plugin imports itself, imported one after the other in a process of its own: what two share is charged to the
 * first.
 */
export interface ImportsRecord {
	modules: ImportRecord[];
	/** The file of the plugin, after all the others. */
	own: Series;
	/** The sum of all. */
	total: Series;
	/** The same in one step and without Bun's transpiler cache; absent where the cache keeps nothing of it, or is off. */
	uncached?: Series;
	/** How many of these files have more than 4 KB, so that the cache keeps them. */
	cachedFiles: number;
}

export interface ImportRecord extends Series {
	specifier: string;
	kind: "package" | "file" | "builtin";
	/** How many modules it brings that none before it had brought; builtins do not count. */
	modules: number;
}

/** Puts a measurement into the shape that is kept. @param began when its first round began */
export function recordOf(result: BenchResult, settings: BenchSettings, began: Date): BenchRecord {
	const { plugins, isComplete } = result;
	const floor = plugins.flatMap((plugin) => plugin.floor);
	return {
		bench: benchFormat,
		date: began.toISOString(),
		machine: describeMachine(),
		settings,
		complete: isComplete,
		floor: floor.length === 0 ? null : seriesOf(floor),
		plugins: plugins.flatMap(pluginOf),
	};
}

/** Those that were measured. */
export function measuredOf({ plugins }: Pick<BenchRecord, "plugins">): MeasuredRecord[] {
	return plugins.filter((plugin) => plugin.ok);
}

/** How many rounds were whole. */
export function wholeRoundsOf(record: Pick<BenchRecord, "plugins">): number {
	return Math.max(0, ...measuredOf(record).map(({ start }) => start.times.length));
}

function pluginOf({ spec, starts, floor, imports, error }: MeasuredPlugin): BenchRecord["plugins"] {
	const { name, system, scope, path } = spec;
	const facts = { name, system, scope, path };
	if (error !== undefined) {
		const { code, message, stage, hint } = error.toJSON();
		const more = { ...(stage === undefined ? {} : { stage }), ...(hint === undefined ? {} : { hint }) };
		return [{ ...facts, ok: false, error: { code, message, ...more } }];
	}
	if (starts.length === 0) return [];
	const times = starts.map(totalOf);
	const series = stages.map(([stage]) => [stage, seriesOf(starts.map((start) => start[stage]))] as const);
	return [
		{
			...facts,
			ok: true,
			start: seriesOf(times),
			floor: seriesOf(floor),
			stages: Object.fromEntries(series) as Record<BenchStage, Series>,
			ratio: ratioRecordOf({ times, floor }),
			...(imports === undefined ? {} : { imports: "error" in imports ? imports : importsOf(imports) }),
		},
	];
}

function ratioRecordOf(pairs: Pairs): RatioRecord {
	const ratio = rounded(ratioOf(pairs));
	return pairs.times.length < rangeRoundsMin ? { ...ratio, low: null, high: null } : ratio;
}

function importsOf({ imports, own, uncached, cachedFiles }: MeasuredImports): ImportsRecord {
	const sums = own.map((ms, round) => imports.reduce((sum, { times }) => sum + (times[round] ?? 0), ms));
	return {
		modules: imports.map(({ specifier, kind, modules, times }) => ({ specifier, kind, modules, ...seriesOf(times) })),
		own: seriesOf(own),
		total: seriesOf(sums),
		...(uncached === undefined ? {} : { uncached: seriesOf(uncached) }),
		cachedFiles,
	};
}

function seriesOf(times: readonly number[]): Series {
	const { count: _, ...summary } = summarize(times);
	return { times: times.map(round), ...rounded(summary) };
}

function rounded<Numbers extends object>(numbers: Numbers): Numbers {
	return Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, round(number)])) as Numbers;
}

/** More than three digits would only be noise. */
function round(number: number): number {
	return Math.round(number * 1_000) / 1_000;
}
