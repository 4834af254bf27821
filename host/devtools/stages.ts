import type { LoadFact } from "../contracts/backend.ts";

/** The stages of a start, in order: each ends with the fact beside it, and begins where the one before it ends. */
export const stages = [
	["spawn", "spawned"],
	["client.info", "clientInfo"],
	["import", "imported"],
	["activate", "registered"],
	["ready", "ready"],
	["published", "published"],
] as const satisfies readonly (readonly [string, LoadFact])[];

export type BenchStage = (typeof stages)[number][0];

/** Milliseconds of each stage; together they are the time from the spawn until the plugin is published. */
export type StageTimes = Record<BenchStage, number>;

/** Splits a start by the facts that the host heard, in milliseconds since the spawn. */
export function splitStart(facts: Readonly<Record<LoadFact, number | null>>): StageTimes {
	let reached = 0;
	// What was done beside another stage took no time of its own.
	const lengthUntil = (fact: LoadFact) => {
		const before = reached;
		reached = Math.max(before, facts[fact] ?? before);
		return reached - before;
	};
	const lengths = stages.map(([stage, fact]) => [stage, lengthUntil(fact)] as const);
	return Object.fromEntries(lengths) as StageTimes;
}

/** The whole start, in milliseconds. */
export function totalOf(times: StageTimes): number {
	return stages.reduce((sum, [stage]) => sum + times[stage], 0);
}
