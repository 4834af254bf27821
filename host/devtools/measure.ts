import type { BroodError } from "../../runtime/errors.ts";
import type { PluginSnapshot } from "../plugin.ts";
import type { PluginSpec } from "../spec.ts";
import { measureFloor } from "./floor.ts";
import { type ImportBench, type MeasuredImports, openImportBench } from "./measure-imports.ts";
import type { StageTimes } from "./stages.ts";
import { type StartOptions, startOnce } from "./start.ts";

export interface BenchOptions {
	/** Rounds that count; in each every plugin starts once, and the floor is measured once. */
	rounds: number;
	/** Rounds before them that do not: they fill caches. */
	warmup: number;
	/** Rounds of the imports, told apart; with 0 they are not looked at. */
	importRounds: number;
	start: StartOptions;
	/** Where files may be written until the end. */
	folder: string;
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
	/** Milliseconds, round by round. */
	floor: number[];
	plugins: MeasuredPlugin[];
	/** Whether nobody ended it before. */
	isComplete: boolean;
}

/** What was measured of one plugin; with an error it was left out from then on, and has no times. */
export interface MeasuredPlugin {
	spec: PluginSpec;
	/** Round by round, those of the same index beside the floor. */
	starts: StageTimes[];
	imports?: MeasuredImports | { error: string };
	error?: BroodError;
	/** The state in which the error left it. */
	state?: PluginSnapshot["state"];
}

/**
 * Starts plugins again and again, each time alone and beside a bare Bun, in an order that is another one each round. A
 * plugin that does not load is left out from then on.
 */
export async function measure(specs: readonly PluginSpec[], options: BenchOptions): Promise<BenchResult> {
	const { rounds, warmup, signal, progress } = options;
	const plugins: MeasuredPlugin[] = specs.map((spec) => ({ spec, starts: [] }));
	const floor: number[] = [];
	for (let round = -warmup; round < rounds && !signal.aborted; round += 1) {
		if (plugins.every(isFailed)) break;
		if (round < 0) progress({ phase: "warm-up", round: round + warmup + 1, of: warmup });
		else progress({ phase: "rounds", round: round + 1, of: rounds });
		const measured = await measureRound(plugins, round + warmup, options);
		// Of a round that was not finished some would have a time more than others.
		if (signal.aborted || round < 0) continue;
		floor.push(measured.floor);
		for (const [plugin, times] of measured.starts) plugin.starts.push(times);
	}
	if (!signal.aborted) await measureImports(plugins, options);
	for (const plugin of plugins) if (isFailed(plugin)) plugin.starts = [];
	return { floor, plugins, isComplete: !signal.aborted };
}

function isFailed({ error }: MeasuredPlugin): boolean {
	return error !== undefined;
}

async function measureRound(plugins: MeasuredPlugin[], round: number, { start, signal }: BenchOptions) {
	const starts = new Map<MeasuredPlugin, StageTimes>();
	let floor = 0;
	const steps = [
		async () => {
			floor = await measureFloor();
		},
		...plugins.map((plugin) => async () => {
			if (isFailed(plugin)) return;
			const { times, ...failed } = await startOnce(plugin.spec, start);
			if (times !== undefined) starts.set(plugin, times);
			// What was stopped on the way did not fail.
			else if (!signal.aborted) Object.assign(plugin, failed);
		}),
	];
	for (const step of rotated(steps, round)) if (!signal.aborted) await step();
	return { floor, starts };
}

async function measureImports(plugins: readonly MeasuredPlugin[], options: BenchOptions): Promise<void> {
	const { importRounds, folder, start, signal, progress } = options;
	const open = new Map<MeasuredPlugin, ImportBench>();
	for (const [index, plugin] of plugins.entries()) {
		if (isFailed(plugin) || importRounds === 0 || signal.aborted) continue;
		open.set(plugin, await openImportBench(plugin.spec, `${folder}/${index}`, start));
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

/** The same items, another one first each time. */
function rotated<Item>(items: readonly Item[], times: number): Item[] {
	const first = items.length === 0 ? 0 : times % items.length;
	return [...items.slice(first), ...items.slice(0, first)];
}
