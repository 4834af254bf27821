import type { BroodError } from "../../runtime/errors.ts";
import type { PluginSnapshot } from "../plugin.ts";
import type { PluginSpec } from "../spec.ts";
import { measureFloor } from "./floor.ts";
import { type ImportBench, type MeasuredImports, openImportBench } from "./measure-imports.ts";
import type { StageTimes } from "./stages.ts";
import { type StartOptions, startOnce } from "./start.ts";
import { seededRandom } from "./statistics.ts";

export interface BenchOptions {
	/** Rounds that count; in each every plugin starts once, and so does a floor of its own beside it. */
	rounds: number;
	/** Rounds before them that do not: they fill caches. */
	warmup: number;
	/** Rounds of the imports, told apart; with 0 they are not looked at. */
	importRounds: number;
	start: StartOptions;
	/** Makes the folder where files may be written until the end, when the first is. */
	openFolder(): Promise<string>;
	/** Ends the measurement; what there is of whole rounds is kept. */
	signal: AbortSignal;
	progress(progress: BenchProgress): void;
}

export interface BenchProgress {
	phase: "warm-up" | "rounds" | "imports";
	/** Counts from 1. */
	round: number;
	of: number;
}

export interface BenchResult {
	plugins: MeasuredPlugin[];
	/** Whether nobody ended it before. */
	isComplete: boolean;
}

/** What was measured of one plugin; with an error it was left out from then on, and has no times. */
export interface MeasuredPlugin {
	spec: PluginSpec;
	/** Round by round. */
	starts: StageTimes[];
	/** Milliseconds of the bare Bun beside each of them. */
	floor: number[];
	imports?: MeasuredImports | { error: string };
	error?: BroodError;
	/** The state in which the error left it. */
	state?: PluginSnapshot["state"];
}

/**
 * Starts plugins again and again, each time alone and beside a bare Bun of its own, in an order that is another one each
 * round. A plugin that does not load is left out from then on.
 */
export async function measure(specs: readonly PluginSpec[], options: BenchOptions): Promise<BenchResult> {
	const { rounds, warmup, signal, progress } = options;
	const plugins: MeasuredPlugin[] = specs.map((spec) => ({ spec, starts: [], floor: [] }));
	for (let round = -warmup; round < rounds && !signal.aborted; round += 1) {
		if (plugins.every(isFailed)) break;
		if (round < 0) progress({ phase: "warm-up", round: round + warmup + 1, of: warmup });
		else progress({ phase: "rounds", round: round + 1, of: rounds });
		const measured = await measureRound(plugins, round + warmup, options);
		// Of a round that was not finished some would have a time more than others.
		if (signal.aborted || round < 0) continue;
		for (const { plugin, times, floor } of measured) {
			plugin.starts.push(times);
			plugin.floor.push(floor);
		}
	}
	if (!signal.aborted) await measureImports(plugins, options);
	for (const plugin of plugins) if (isFailed(plugin)) Object.assign(plugin, { starts: [], floor: [] });
	return { plugins, isComplete: !signal.aborted };
}

function isFailed({ error }: MeasuredPlugin): boolean {
	return error !== undefined;
}

interface MeasuredPair {
	plugin: MeasuredPlugin;
	times: StageTimes;
	floor: number;
}

async function measureRound(plugins: MeasuredPlugin[], round: number, { start, signal }: BenchOptions) {
	const pairs: MeasuredPair[] = [];
	for (const { plugin, index } of shuffled(plugins, round)) {
		if (isFailed(plugin) || signal.aborted) continue;
		const pair = await measurePair(plugin, (round + index) % 2 === 0, start);
		if (pair.times !== undefined) pairs.push({ ...pair, plugin });
		// What was stopped on the way did not fail.
		else if (!signal.aborted) Object.assign(plugin, pair.failed);
	}
	return pairs;
}

/**
 * Measures a plugin and its floor, one right after the other. What is started after a plugin takes longer than after a
 * bare Bun, by how much depends on the plugin; so a bare Bun that does not count keeps the plugin before out of it.
 */
async function measurePair({ spec }: MeasuredPlugin, isFloorFirst: boolean, options: StartOptions) {
	await measureFloor();
	const before = isFloorFirst ? await measureFloor() : undefined;
	const { times, ...failed } = await startOnce(spec, options);
	if (times === undefined) return { failed };
	return { times, floor: before ?? (await measureFloor()) };
}

async function measureImports(plugins: readonly MeasuredPlugin[], options: BenchOptions): Promise<void> {
	const { importRounds, openFolder, start, signal, progress } = options;
	const open = new Map<MeasuredPlugin, ImportBench>();
	for (const [index, plugin] of plugins.entries()) {
		if (isFailed(plugin) || importRounds === 0 || signal.aborted) continue;
		open.set(plugin, await openImportBench(plugin.spec, `${await openFolder()}/${index}`, start));
	}
	for (let round = 0; round < importRounds && open.size > 0 && !signal.aborted; round += 1) {
		progress({ phase: "imports", round: round + 1, of: importRounds });
		for (const bench of rotated([...open.values()], round)) if (!signal.aborted) await bench.round();
	}
	for (const [plugin, bench] of open) {
		const imports = bench.result();
		// What was stopped on the way did not fail.
		if (imports !== undefined && !(signal.aborted && "error" in imports)) plugin.imports = imports;
	}
}

/** The plugins in an order in which each follows each other one equally often; the same one for the same round. */
function shuffled(plugins: readonly MeasuredPlugin[], round: number) {
	const random = seededRandom(round);
	return plugins.map((plugin, index) => ({ plugin, index, place: random() })).sort((a, b) => a.place - b.place);
}

/** The same items, another one first each time. */
function rotated<Item>(items: readonly Item[], times: number): Item[] {
	const first = items.length === 0 ? 0 : times % items.length;
	return [...items.slice(first), ...items.slice(0, first)];
}
