import { type Estimate, type Pairs, partChangeOf, rangeRoundsMin, summarize, verdictOn } from "./statistics.ts";

/** What changed most, as far as both runs tell it and chance does not explain it. */
export interface LargestChanges {
	stage?: PartChange;
	/** Where the imports were told apart in both runs; null names the plugin's own file. */
	import?: PartChange<string | null>;
}

/** By how much more of the whole start before a part takes, each measured by its floor. */
export interface PartChange<Name = string> {
	name: Name;
	change: Estimate;
}

export interface PartTimes {
	times: readonly number[];
}

/** A plugin in one of two runs. */
export interface Parts {
	/** The whole start, and the floor beside it. */
	pairs: Pairs;
	stages?: Readonly<Record<string, PartTimes>> | undefined;
	imports?: PartImports | { error: string } | undefined;
}

export interface PartImports {
	modules?: readonly ({ specifier: string } & PartTimes)[] | undefined;
	own?: PartTimes | undefined;
}

/** Finds what changed most, in the direction in which the whole did. */
export function largestChanges(before: Parts, now: Parts, verdict: "faster" | "slower"): LargestChanges {
	const whole = before.pairs;
	const stage = largestChange(stagesOf(before), stagesOf(now), whole, verdict);
	const [earlier, later] = [importsOf(before), importsOf(now)];
	const most = earlier === undefined || later === undefined ? undefined : largestChange(earlier, later, whole, verdict);
	return { ...(stage === undefined ? {} : { stage }), ...(most === undefined ? {} : { import: most }) };
}

type Part<Name> = readonly [Name, Pairs];

function stagesOf({ stages = {}, pairs: { floor } }: Parts): Part<string>[] {
	return Object.entries(stages).map(([name, { times }]) => [name, { times, floor }]);
}

function importsOf({ imports, pairs }: Parts): Part<string | null>[] | undefined {
	if (imports === undefined || "error" in imports || imports.modules === undefined) return undefined;
	// They are measured apart, in rounds without a floor.
	const usual = summarize(pairs.floor).median;
	const besideFloor = ({ times }: PartTimes): Pairs => ({ times, floor: times.map(() => usual) });
	const modules = imports.modules.map((one) => [one.specifier, besideFloor(one)] as const);
	return imports.own === undefined ? modules : [...modules, [null, besideFloor(imports.own)]];
}

function largestChange<Name>(
	before: readonly Part<Name>[],
	now: readonly Part<Name>[],
	whole: Pairs,
	verdict: "faster" | "slower",
): PartChange<Name> | undefined {
	const [earlier, later] = [new Map(before), new Map(now)];
	const changes = [...new Set([...earlier.keys(), ...later.keys()])].flatMap((name) => {
		// One that is new, or gone, changed by all of its time.
		const [first, second] = [earlier.get(name) ?? nothing, later.get(name) ?? nothing];
		if (Math.min(first.times.length, second.times.length) < rangeRoundsMin) return [];
		const change = partChangeOf(first, second, whole);
		return verdictOn(change) === verdict ? [{ name, change }] : [];
	});
	const [most] = changes.sort((a, b) => Math.abs(b.change.value) - Math.abs(a.change.value));
	return most;
}

const nothing: Pairs = { times: Array(rangeRoundsMin).fill(0), floor: Array(rangeRoundsMin).fill(1) };
