import type { MeasuredPlugin } from "../../../../host/devtools/measure.ts";
import { type BenchRecord, recordOf } from "../../../../host/devtools/record.ts";
import type { StageTimes } from "../../../../host/devtools/stages.ts";
import { seededRandom } from "../../../../host/devtools/statistics.ts";

/** How a measurement looks that nobody has made. */
export interface SyntheticRun {
	seed: number;
	rounds?: number;
	/** Times as long as usual that the plugins take. */
	slower?: number;
}

/** Times of a plugin that takes 1.8 times as long as the floor, with the noise of a machine that does other things too. */
export function syntheticTimes({ seed, rounds = 50, slower = 1 }: SyntheticRun) {
	const random = seededRandom(seed);
	// Some tenth of a time around its mean, and one of fifty several times as long.
	const noise = () => (random() < 0.02 ? 1 + 3 * random() : 1) * (1 + (random() + random() + random() - 1.5) * 0.15);
	const shared = Array.from({ length: rounds }, () => 1 + (random() - 0.5) * 0.1);
	return {
		floor: shared.map((factor) => 4 * factor * noise()),
		times: shared.map((factor) => 7.2 * factor * slower * noise()),
	};
}

/** A record of such plugins. */
export function syntheticRecord({ plugins = ["hello"], ...run }: SyntheticRun & { plugins?: string[] }): BenchRecord {
	const { floor, times } = syntheticTimes(run);
	const measured = plugins.map((name): MeasuredPlugin => ({ spec: specOf(name), starts: times.map(stagesOf), floor }));
	const settings = { rounds: times.length, warmup: 0, importRounds: 0, start: "cold" } as const;
	return recordOf({ plugins: measured, isComplete: true }, settings, new Date(0));
}

export function stagesOf(total: number): StageTimes {
	const parts = { spawn: 0.05, "client.info": 0.55, import: 0.3, activate: 0.04, ready: 0.01, published: 0.05 };
	const times = Object.entries(parts).map(([stage, part]) => [stage, part * total]);
	return Object.fromEntries(times) as StageTimes;
}

export function specOf(name: string): MeasuredPlugin["spec"] {
	return {
		name,
		system: "amp",
		scope: "project",
		kind: "file",
		path: `/plugins/${name}.ts`,
		root: "/plugins",
		rank: [0, 0, name],
		announcedModes: [],
		warnings: [],
	};
}
