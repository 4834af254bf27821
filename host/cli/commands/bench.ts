import { failure } from "../../../runtime/errors.ts";
import { budgetFailure, pastBudget } from "../../devtools/budget.ts";
import { isChildBundled } from "../../devtools/bundled.ts";
import { type Comparison, compareRuns, findEarlier, surroundingsChanged } from "../../devtools/compare.ts";
import { type BenchResult, measure } from "../../devtools/measure.ts";
import { noiseOf } from "../../devtools/noise.ts";
import type { EarlierRun } from "../../devtools/read-record.ts";
import { type BenchRecord, measuredOf, recordOf, wholeRoundsOf } from "../../devtools/record.ts";
import type { CommandContext } from "../context.ts";
import { describeForPeople, exitCodeOf, reportWarning } from "../failure.ts";
import type { Output } from "../output.ts";
import { placesOf } from "../places.ts";
import { shownName } from "../screen-text.ts";
import { hostOptions, watchSignals } from "../session.ts";
import { createBenchFolder, removeLeftFolders } from "./bench-folder.ts";
import { type ChosenPlugins, choosePlugins, withDistinctNames } from "./bench-plugins.ts";
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
		const hint = options.places
			? "Name one, or put it into .brood/plugins."
			: "Give the path of one, or leave out --no-places.";
		throw failure("usage", { reason: "No plugin was found", hint });
	}
	if (chosen.off.length > 0) {
		reportWarning({ message: `left out, because off: ${chosen.off.map(shownName).join(", ")}` }, output);
	}
	if (earlier !== undefined) refuseToCompareNothing(chosen, earlier, own);
	const watch = watchSignals();
	try {
		if (!(await isChildBundled())) reportWarning({ message: unbundled }, output);
		const { result, record } = await run(context, chosen, own, watch.signal);
		if (isWorthTelling(record)) await tell(record, { own, earlier, target, output });
		if (watch.signal.aborted) await giveTime(output);
		watch.signal.throwIfAborted();
		return judge(result, record, own, output);
	} finally {
		watch.release();
	}
}

const unbundled =
	'the bundle of the child cannot be kept in the cache, so that plugins start from the sources of brood, which takes about twice as long ("brood doctor" says why)';

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
	await removeLeftFolders();
	await using folder = createBenchFolder();
	try {
		const { show } = progress;
		const result = await measure(plugins, { ...settings, start, openFolder: folder.open, signal, progress: show });
		return { result, record: recordOf(result, { ...settings, start: "cold" }, began) };
	} finally {
		progress.clear();
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

/** A check that judges nothing must not pass. @throws BroodError `usage` */
function refuseToCompareNothing({ plugins }: ChosenPlugins, earlier: EarlierRun, own: BenchCommandOptions): void {
	const reasons = plugins.flatMap((plugin) => {
		const found = findEarlier(plugin, earlier, own.rounds);
		return "reason" in found ? [`${shownName(plugin.name)}: ${found.reason}`] : [];
	});
	if (reasons.length < plugins.length) return;
	const names = earlier.plugins.map(({ name }) => shownName(name));
	throw failure("usage", {
		reason: `--compare ${own.compare ?? ""} has nothing to compare: ${reasons.slice(0, reasonsMax).join("; ")}`,
		hint: `Measured there: ${names.length === 0 ? "no plugin" : names.slice(0, reasonsMax).join(", ")}.`,
	});
}

const reasonsMax = 12;

interface Telling {
	own: BenchCommandOptions;
	earlier: EarlierRun | undefined;
	target: Target | undefined;
	output: Output;
}

async function tell(record: BenchRecord, { own, earlier, target, output }: Telling): Promise<void> {
	const comparisons = earlier === undefined ? undefined : compareRuns(record, earlier);
	const shown = withDistinctNames(record);
	if (output.json) output.result(JSON.stringify(jsonOf(record, own, earlier, comparisons)));
	else {
		const compared =
			earlier === undefined || comparisons === undefined
				? undefined
				: {
						with: own.compare ?? "",
						comparisons: withDistinctNames({ plugins: comparisons }).plugins,
						changed: surroundingsChanged(record, earlier),
						noise: noiseOf(earlier),
					};
		output.result(describeBench(shown, { paint: output.paint.result, width: output.width ?? fileWidth, compared }));
	}
	if (target === undefined) return;
	if (measuredOf(record).length === 0) {
		reportWarning({ message: "no picture was drawn, since no plugin was measured" }, output);
		return;
	}
	const { drawBench } = await import("../../devtools/svg/chart.ts");
	await target.write(drawBench(shown));
	if (!output.json) output.note(`The picture is in ${target.path}.`);
}

// Where no screen tells.
const fileWidth = 80;

/** What `--json` prints: the record that a later `--compare` reads, and what was asked about it. */
export interface BenchOutput extends BenchRecord {
	/** With `--compare`: what can be said of each plugin against the run of that date. */
	comparison?: { file: string; date: string; plugins: Comparison[] } & Noise;
	/** With `--budget`: the names of plugins that are past it, the worst first. */
	budget?: { ratio: number; exceeded: string[] } & Noise;
}

/** What shows that the machine was busy, which makes a judgement doubtful; absent where it was quiet. */
interface Noise {
	noise?: { now?: string; before?: string };
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
			: {
					comparison: {
						file: compare,
						date: earlier.date,
						plugins: comparisons,
						...describeNoise(record, earlier),
					},
				}),
		...(budget === undefined
			? {}
			: { budget: { ratio: budget, exceeded: past.map(({ name }) => name), ...describeNoise(record) } }),
	};
}

function describeNoise(record: BenchRecord, earlier?: EarlierRun): Noise {
	const [now, before] = [noiseOf(record), earlier === undefined ? undefined : noiseOf(earlier)];
	if (now === undefined && before === undefined) return {};
	return { noise: { ...(now === undefined ? {} : { now }), ...(before === undefined ? {} : { before }) } };
}

function judge({ plugins }: BenchResult, record: BenchRecord, { budget }: BenchCommandOptions, output: Output): number {
	const failed = plugins.flatMap(({ error, state, spec }) =>
		error === undefined ? [] : [{ state, error: withAdvice(error, spec.path) }],
	);
	const noise = noiseOf(record);
	const named = output.json ? record : withDistinctNames(record);
	const past =
		budget === undefined ? [] : pastBudget(named, budget).map((plugin) => budgetFailure(plugin, budget, noise));
	const decisive = (failed.find(({ state }) => state === "failed") ?? failed[0])?.error ?? past[0];
	if (decisive === undefined) return 0;
	// A program reads one error; the result before it has all of them.
	if (output.json) throw decisive;
	for (const error of [...failed.map((one) => one.error), ...past]) output.note(describeForPeople(error, output));
	return exitCodeOf(decisive);
}

/** Whether what there is says something, also when somebody ended it. */
function isWorthTelling(record: BenchRecord): boolean {
	return record.complete || wholeRoundsOf(record) >= toldRoundsMin;
}

const toldRoundsMin = 5;

/** Whoever is interrupted hands over what it has, and waits for no reader who takes nothing. */
async function giveTime({ drained }: Output): Promise<void> {
	await Promise.race([drained().catch(() => {}), Bun.sleep(handOverMs)]);
}

const handOverMs = 500;
