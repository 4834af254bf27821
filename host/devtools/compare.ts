import type { BenchRecord, MeasuredRecord } from "./record.ts";
import { measuredOf } from "./record.ts";
import { changeOf, type Estimate } from "./statistics.ts";

/** What can be said of one plugin against an earlier run. */
export type Comparison = { name: string; path: string } & (
	| { verdict: "faster" | "slower" | "same"; change: Estimate }
	/** Nothing can be said, for that reason. */
	| { verdict: "unknown"; reason: string }
);

/** What of an earlier run is compared. */
export interface Earlier {
	machine: Pick<BenchRecord["machine"], "cpu" | "cores" | "bun">;
	settings: { start: string };
	floor: { times: readonly number[] } | null;
	plugins: readonly { name: string; path: string; ok: boolean; start?: { times: readonly number[] } | undefined }[];
}

/** Fewer rounds have no range that would mean anything. */
export const comparedRoundsMin = 5;

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

function compare(now: BenchRecord, plugin: MeasuredRecord, before: Earlier) {
	const unknown = (reason: string) => ({ verdict: "unknown" as const, reason });
	if (before.settings.start !== now.settings.start) return unknown("the earlier run started plugins in another way");
	const same = before.plugins.filter(({ name }) => name === plugin.name);
	// The folder of the sources is another one on another machine.
	const earlier = same.find(({ path }) => path === plugin.path) ?? (same.length === 1 ? same[0] : undefined);
	if (earlier === undefined) return unknown("it is not in the earlier run");
	const [floor, earlierFloor, times] = [now.floor?.times ?? [], before.floor?.times ?? [], earlier.start?.times ?? []];
	if (!earlier.ok) return unknown("it did not load in the earlier run");
	if (Math.min(floor.length, times.length, earlierFloor.length) < comparedRoundsMin) {
		return unknown(`at least ${comparedRoundsMin} rounds are needed in each run`);
	}
	const change = changeOf({ times, floor: earlierFloor }, { times: plugin.start.times, floor });
	return { verdict: verdictOn(change), change };
}
