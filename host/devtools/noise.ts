import { summarize } from "./statistics.ts";

/**
 * What shows in the times of the floor that other programs kept the machine busy, as a clause; undefined on a machine that
 * was quiet. Work that comes and goes makes a few times long; work that stays makes all of them long but the luckiest.
 * Each plugin is judged by a floor of its own, so the floor where most shows is the one that is told.
 */
export function noiseOf({ floor, plugins }: Floors): string | undefined {
	const own = plugins.flatMap((plugin) => (plugin.floor === undefined ? [] : [plugin.floor]));
	const floors = own.length > 0 || floor === null ? own : [floor];
	const [worst] = floors.flatMap(({ times }) => unrestOf(times)).sort((a, b) => b.times - a.times);
	return worst !== undefined && worst.times >= noisyRatio ? worst.clause : undefined;
}

/** A run, as far as its floors go; that of an earlier brood may have one for all plugins. */
export interface Floors {
	floor: Floor | null;
	plugins: readonly { ok: boolean; floor?: Floor | undefined }[];
}

interface Floor {
	times: readonly number[];
}

/** How far the times of one floor lie apart, in both ways in which they may. */
function unrestOf(floor: readonly number[]): { times: number; clause: string }[] {
	if (floor.length < 2) return [];
	const { min, median, p90 } = summarize(floor);
	const [usual, late] = [median / min, p90 / median];
	return [
		{ times: usual, clause: `bare Bun usually took ${usual.toFixed(1)} times as long as in its fastest start` },
		{ times: late, clause: `one in ten bare Buns took ${late.toFixed(1)} times as long as usual or longer` },
	];
}

// A quiet machine stays well below.
const noisyRatio = 1.5;
