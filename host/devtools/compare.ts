import type { BenchRecord, MeasuredRecord } from "./record.ts";
import { measuredOf } from "./record.ts";
import { changeOf, type Estimate, rangeRoundsMin } from "./statistics.ts";

/** What can be said of one plugin against an earlier run. */
export type Comparison = { name: string; path: string } & (
	| { verdict: "faster" | "slower" | "same"; change: Estimate; most: LargestChanges }
	/** Nothing can be said, for that reason. */
	| { verdict: "unknown"; reason: string }
);

/** What changed most, as far as the earlier run tells it. */
export interface LargestChanges {
	stage?: PartChange;
	/** Where the imports were told apart in both runs; null names the plugin's own file. */
	import?: PartChange<string | null>;
}

/** How many milliseconds longer the median of a part is than it was; negative when it is shorter. */
export interface PartChange<Name = string> {
	name: Name;
	ms: number;
}

/** What of an earlier run is compared. */
export interface Earlier {
	machine: Pick<BenchRecord["machine"], "cpu" | "cores" | "bun">;
	settings: { start: string };
	floor: { times: readonly number[] } | null;
	plugins: readonly EarlierPlugin[];
}

interface EarlierPlugin {
	name: string;
	path: string;
	ok: boolean;
	start?: { times: readonly number[] } | undefined;
	stages?: Readonly<Record<string, Median>> | undefined;
	imports?: EarlierImports | { error: string } | undefined;
}

interface EarlierImports {
	modules?: readonly ({ specifier: string } & Median)[] | undefined;
	own?: Median | undefined;
}

interface Median {
	median: number;
}

/**
 * Compares each plugin with itself in an earlier run. It is the ratios to the floor that are compared, and a difference
 * counts only when the range of what chance makes of it lies wholly on one side of none.
 */
export function compareRuns(now: BenchRecord, before: Earlier): Comparison[] {
	return measuredOf(now).map((plugin) => ({
		name: plugin.name,
		path: plugin.path,
		...compare(now, plugin, before),
	}));
}

/** What is different about the two, apart from the plugins, and may be the reason of a difference. */
export function surroundingsChanged({ machine: now }: Pick<BenchRecord, "machine">, { machine: before }: Earlier) {
	const names = { cpu: "processor", cores: "number of cores", bun: "version of Bun" } as const;
	return (["cpu", "cores", "bun"] as const)
		.filter((key) => now[key] !== before[key])
		.map((key) => `${names[key]} (${before[key]}, now ${now[key]})`);
}

/** @param change of the ratio, as a part of one */
export function verdictOn({ low, high }: Estimate): "faster" | "slower" | "same" {
	return high < 0 ? "faster" : low > 0 ? "slower" : "same";
}

/** The plugin in an earlier run, or why nothing can be said against that. @param rounds that the plugin has now */
export function findEarlier(
	plugin: { name: string; path: string },
	before: Earlier,
	rounds: number,
): { earlier: EarlierPlugin; times: readonly number[]; floor: readonly number[] } | { reason: string } {
	if (before.settings.start !== "cold") return { reason: "the earlier run started plugins in another way" };
	const same = before.plugins.filter(({ name }) => name === plugin.name);
	// The folder of the sources is another one on another machine.
	const earlier = same.find(({ path }) => path === plugin.path) ?? (same.length === 1 ? same[0] : undefined);
	if (earlier === undefined) return { reason: "it is not in the earlier run" };
	if (!earlier.ok) return { reason: "it did not load in the earlier run" };
	const [times, floor] = [earlier.start?.times ?? [], before.floor?.times ?? []];
	if (Math.min(rounds, times.length, floor.length) < rangeRoundsMin) {
		return { reason: `at least ${rangeRoundsMin} rounds are needed in each run` };
	}
	return { earlier, times, floor };
}

function compare(now: BenchRecord, plugin: MeasuredRecord, before: Earlier) {
	const floor = now.floor?.times ?? [];
	const found = findEarlier(plugin, before, Math.min(floor.length, plugin.start.times.length));
	if ("reason" in found) return { verdict: "unknown" as const, reason: found.reason };
	const change = changeOf({ times: found.times, floor: found.floor }, { times: plugin.start.times, floor });
	return { verdict: verdictOn(change), change, most: largestChanges(found.earlier, plugin) };
}

function largestChanges(before: EarlierPlugin, now: MeasuredRecord): LargestChanges {
	const stage = largestChange(Object.entries(before.stages ?? {}), Object.entries(now.stages));
	const [earlier, later] = [importsOf(before.imports), importsOf(now.imports)];
	// One that is new, or gone, changed by all of its time.
	const most = earlier === undefined || later === undefined ? undefined : largestChange(earlier, later);
	return {
		...(before.stages === undefined || stage === undefined ? {} : { stage }),
		...(most === undefined ? {} : { import: most }),
	};
}

type Part<Name> = readonly [Name, Median];

function importsOf(imports: EarlierImports | { error: string } | undefined): Part<string | null>[] | undefined {
	if (imports === undefined || "error" in imports || imports.modules === undefined) return undefined;
	const modules = imports.modules.map((one) => [one.specifier, one] as const);
	return imports.own === undefined ? modules : [...modules, [null, imports.own]];
}

function largestChange<Name>(before: readonly Part<Name>[], now: readonly Part<Name>[]): PartChange<Name> | undefined {
	const [earlier, later] = [new Map(before), new Map(now)];
	const names = [...new Set([...earlier.keys(), ...later.keys()])];
	const changes = names.map((name) => ({
		name,
		ms: rounded((later.get(name)?.median ?? 0) - (earlier.get(name)?.median ?? 0)),
	}));
	const [first] = changes.sort((a, b) => Math.abs(b.ms) - Math.abs(a.ms));
	return first;
}

/** As many digits as the medians have. */
function rounded(ms: number): number {
	return Math.round(ms * 1_000) / 1_000;
}
