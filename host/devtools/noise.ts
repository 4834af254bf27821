import { summarize } from "./statistics.ts";

/**
 * What shows in the times of the floor that other programs kept the machine busy, as a clause; undefined on a machine that
 * was quiet. Work that comes and goes makes a few times long; work that stays makes all of them long but the luckiest.
 */
export function noiseOf(floor: readonly number[]): string | undefined {
	if (floor.length < 2) return undefined;
	const { min, median, p90 } = summarize(floor);
	const [usual, late] = [median / min, p90 / median];
	if (usual >= noisyRatio && usual >= late) {
		return `bare Bun usually took ${usual.toFixed(1)} times as long as in its fastest start`;
	}
	if (late < noisyRatio) return undefined;
	return `one in ten bare Buns took ${late.toFixed(1)} times as long as usual or longer`;
}

// A quiet machine stays well below.
const noisyRatio = 1.5;
