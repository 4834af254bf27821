import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failure } from "../../../runtime/errors.ts";
import { budgetFailure, pastBudget } from "../../devtools/budget.ts";
import { type Comparison, compareRuns, surroundingsChanged } from "../../devtools/compare.ts";
import { type BenchResult, measure } from "../../devtools/measure.ts";
import type { EarlierRun } from "../../devtools/read-record.ts";
import { type BenchRecord, recordOf } from "../../devtools/record.ts";
import type { CommandContext } from "../context.ts";
import { describeForPeople, exitCodeOf, reportWarning } from "../failure.ts";
import type { Output } from "../output.ts";
import { placesOf } from "../places.ts";
import { shownName } from "../screen-text.ts";
import { hostOptions, watchSignals } from "../session.ts";
import { type ChosenPlugins, choosePlugins } from "./bench-plugins.ts";
import { createProgressLine, isLiveTerminal } from "./bench-progress.ts";
import { describeBench } from "./bench-text.ts";
import { withAdvice } from "./load-advice.ts";
import { openTarget, type Target } from "./target-file.ts";

export interface BenchCommandOptions {
	/** Rounds that count. */
	rounds: number;
	/** Whether the imports are told apart. */
	imports: boolean;
	/** Where a picture of the result is written. */
	svg?: string;
	/** A result to compare with. */
	compare?: string;
	/** The largest ratio that is no failure. */
	budget?: number;
}

/**
 * `brood bench`: how long plugins take to start, next to a bare Bun.
 *
 * @returns 4 when a plugin failed to load, 7 when each that failed is incompatible, else 8 when one is past the budget
 * @throws BroodError likewise, where a program reads the result; `usage` for what cannot be used, before anything is
 * measured; `cancelled` on SIGINT, SIGTERM and SIGHUP, after what had been measured is told
 */
export async function bench(
	context: CommandContext,
	words: readonly string[],
	own: BenchCommandOptions,
): Promise<number> {
	const { options, output } = context;
	const earlier = own.compare === undefined ? undefined : await readEarlier(own.compare);
	const target = own.svg === undefined ? undefined : await openTarget(own.svg);
	const chosen = await choosePlugins(await placesOf(options), options, words);
	if (chosen.plugins.length === 0) {
		throw failure("usage", { reason: "No plugin was found", hint: "Name one, or put it into .brood/plugins." });
	}
	if (chosen.off.length > 0) {
		reportWarning({ message: `left out, because off: ${chosen.off.map(shownName).join(", ")}` }, output);
	}
	const watch = watchSignals();
	try {
		const { result, record } = await run(context, chosen, own, watch.signal);
		if (isWorthTelling(record)) await tell(record, { own, earlier, target, output });
		if (watch.signal.aborted) await giveTime(output);
		watch.signal.throwIfAborted();
		return judge(result, record, own, output);
	} finally {
		watch.release();
	}
}

async function run(
	{ options, output }: CommandContext,
	{ plugins }: ChosenPlugins,
	{ rounds, imports }: BenchCommandOptions,
	signal: AbortSignal,
) {
	const { plugins: _, places: __, ...start } = await hostOptions(options);
	const settings = {
		rounds,
		warmup: Math.min(rounds, warmupRoundsMax),
		importRounds: imports ? Math.min(rounds, importRoundsMax) : 0,
	};
	const progress = createProgressLine(isLiveTerminal() && !output.json && options.quiet !== true);
	const began = new Date();
	const folder = await mkdtemp(join(tmpdir(), "brood-bench-"));
	try {
		const result = await measure(plugins, { ...settings, start, folder, signal, progress: progress.show });
		return { result, record: recordOf(result, { ...settings, start: "cold" }, began) };
	} finally {
		progress.clear();
		await rm(folder, { recursive: true, force: true });
	}
}

// They fill the caches of Bun, of the system and of this program.
const warmupRoundsMax = 3;
// What imports take is told in milliseconds, not judged.
const importRoundsMax = 10;

// Loaded when it is needed: it brings a schema.
async function readEarlier(path: string): Promise<EarlierRun> {
	const { readRecord } = await import("../../devtools/read-record.ts");
	return await readRecord(path);
}

interface Telling {
	own: BenchCommandOptions;
	earlier: EarlierRun | undefined;
	target: Target | undefined;
	output: Output;
}

async function tell(record: BenchRecord, { own, earlier, target, output }: Telling): Promise<void> {
	const comparisons = earlier === undefined ? undefined : compareRuns(record, earlier);
	if (output.json) output.result(JSON.stringify(jsonOf(record, own, earlier, comparisons)));
	else {
		const compared =
			earlier === undefined || comparisons === undefined
				? undefined
				: { with: own.compare ?? "", comparisons, changed: surroundingsChanged(record, earlier) };
		output.result(describeBench(record, { paint: output.paint.result, width: output.width ?? fileWidth, compared }));
	}
	if (target === undefined) return;
	const { drawBench } = await import("../../devtools/svg/chart.ts");
	await target.write(drawBench(record));
	if (!output.json) output.note(`The picture is in ${target.path}.`);
}

// Where no screen tells.
const fileWidth = 80;

/** What `--json` prints: the record that a later `--compare` reads, and what was asked about it. */
export interface BenchOutput extends BenchRecord {
	/** With `--compare`: what can be said of each plugin against the run of that date. */
	comparison?: { file: string; date: string; plugins: Comparison[] };
	/** With `--budget`: the names of plugins that are past it, the worst first. */
	budget?: { ratio: number; exceeded: string[] };
}

function jsonOf(
	record: BenchRecord,
	{ budget, compare = "" }: BenchCommandOptions,
	earlier: EarlierRun | undefined,
	comparisons: Comparison[] | undefined,
): BenchOutput {
	const past = budget === undefined ? [] : pastBudget(record, budget);
	return {
		...record,
		...(earlier === undefined || comparisons === undefined
			? {}
			: { comparison: { file: compare, date: earlier.date, plugins: comparisons } }),
		...(budget === undefined ? {} : { budget: { ratio: budget, exceeded: past.map(({ name }) => name) } }),
	};
}

function judge({ plugins }: BenchResult, record: BenchRecord, { budget }: BenchCommandOptions, output: Output): number {
	const failed = plugins.flatMap(({ error, state, spec }) =>
		error === undefined ? [] : [{ state, error: withAdvice(error, spec.path) }],
	);
	const past = budget === undefined ? [] : pastBudget(record, budget).map((plugin) => budgetFailure(plugin, budget));
	const decisive = (failed.find(({ state }) => state === "failed") ?? failed[0])?.error ?? past[0];
	if (decisive === undefined) return 0;
	// A program reads one error; the result before it has all of them.
	if (output.json) throw decisive;
	for (const error of [...failed.map((one) => one.error), ...past]) output.note(describeForPeople(error, output));
	return exitCodeOf(decisive);
}

/** Whether what there is says something, also when somebody ended it. */
function isWorthTelling({ complete, floor }: BenchRecord): boolean {
	return complete || (floor?.times.length ?? 0) >= toldRoundsMin;
}

const toldRoundsMin = 5;

/** Whoever is interrupted hands over what it has, and waits for no reader who takes nothing. */
async function giveTime({ drained }: Output): Promise<void> {
	await Promise.race([drained().catch(() => {}), Bun.sleep(handOverMs)]);
}

const handOverMs = 500;
