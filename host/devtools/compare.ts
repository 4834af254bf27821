import { type Company, describeCompany } from "./company.ts";
import { type LargestChanges, largestChanges, type PartImports, type PartTimes } from "./compare-parts.ts";
import type { BenchRecord, MeasuredRecord } from "./record.ts";
import { measuredOf } from "./record.ts";
import { changeOf, type Estimate, type Pairs, rangeRoundsMin, verdictOn } from "./statistics.ts";

/** What can be said of one plugin against an earlier run. */
export type Comparison = { name: string; path: string } & (
	| {
			verdict: "faster" | "slower" | "same";
			change: Estimate;
			/** Where there is a difference, and a part of it shows beyond chance. */
			most?: LargestChanges;
			/** What was different beside it, as a clause; the range of the change is wider by what that may come to. */
			beside?: string;
	  }
	/** Nothing can be said, for that reason. */
	| { verdict: "unknown"; reason: string }
);

/** What of an earlier run is compared. */
export interface Earlier {
	machine: Pick<BenchRecord["machine"], "cpu" | "cores" | "os" | "arch" | "bun"> & { brood?: string | undefined };
	settings: { start: string };
	floor: { times: readonly number[] } | null;
	plugins: readonly EarlierPlugin[];
}

interface EarlierPlugin {
	name: string;
	path: string;
	ok: boolean;
	start?: PartTimes | undefined;
	/** Absent where an earlier brood had one floor for all. */
	floor?: PartTimes | undefined;
	stages?: Readonly<Record<string, PartTimes>> | undefined;
	imports?: PartImports | { error: string } | undefined;
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
	return (["cpu", "cores", "os", "arch", "bun", "brood"] as const)
		.filter((key) => before[key] !== undefined && now[key] !== before[key])
		.map((key) => `${surroundings[key]} (${before[key]}, now ${now[key]})`);
}

const surroundings = {
	cpu: "processor",
	cores: "number of cores",
	os: "release of the system",
	arch: "architecture",
	bun: "version of Bun",
	brood: "version of brood",
};

/** The plugin in an earlier run, or why nothing can be said against that. @param rounds that the plugin has now */
export function findEarlier(
	plugin: { name: string; path: string },
	before: Earlier,
	rounds: number,
): { earlier: EarlierPlugin; pairs: Pairs } | { reason: string } {
	if (before.settings.start !== "cold") return { reason: "the earlier run started plugins in another way" };
	const same = before.plugins.filter(({ name }) => name === plugin.name);
	// The folder of the sources is another one on another machine.
	const earlier = same.find(({ path }) => path === plugin.path) ?? (same.length === 1 ? same[0] : undefined);
	if (earlier === undefined) return { reason: "it is not in the earlier run" };
	if (!earlier.ok) return { reason: "it did not load in the earlier run" };
	const [times, floor] = [earlier.start?.times ?? [], (earlier.floor ?? before.floor)?.times ?? []];
	if (Math.min(rounds, times.length, floor.length) < rangeRoundsMin) {
		return { reason: `at least ${rangeRoundsMin} rounds are needed in each run` };
	}
	return { earlier, pairs: { times, floor } };
}

function compare(now: BenchRecord, plugin: MeasuredRecord, before: Earlier) {
	const pairs = { times: plugin.start.times, floor: plugin.floor.times };
	const found = findEarlier(plugin, before, Math.min(pairs.times.length, pairs.floor.length));
	if ("reason" in found) return { verdict: "unknown" as const, reason: found.reason };
	const { earlier } = found;
	const company = describeCompany(
		{ others: othersOf(now, plugin), hasOwnFloor: true },
		{ others: othersOf(before, earlier), hasOwnFloor: earlier.floor !== undefined },
	);
	const change = widened(changeOf(found.pairs, pairs), company);
	const verdict = verdictOn(change);
	const most =
		verdict === "same" ? {} : largestChanges({ ...earlier, pairs: found.pairs }, { ...plugin, pairs }, verdict);
	return {
		verdict,
		change,
		...(Object.keys(most).length === 0 ? {} : { most }),
		...(company === undefined ? {} : { beside: company.difference }),
	};
}

function widened({ value, low, high }: Estimate, company: Company | undefined): Estimate {
	const by = company?.comesTo ?? 0;
	return { value, low: low - by, high: high + by };
}

/** The names of those that were measured in turns with a plugin. */
function othersOf({ plugins }: Pick<Earlier, "plugins">, own: { name: string; path: string }): string[] {
	return plugins.filter(({ ok, name, path }) => ok && (name !== own.name || path !== own.path)).map(({ name }) => name);
}
