import type { FigureDefinition, Measured } from "./figures.ts";
import type { Workbench } from "./workbench.ts";

/** A subject that is measured in one interleaved run. */
export interface Suite {
	title: string;
	/** What else is to know about its samples than that all variants take turns, or that they take none. */
	sampling?: string;
	/** How often each variant runs, and how often before that without being counted. */
	rounds: number;
	warmUp: number;
	/** For a look in passing. */
	quickRounds: number;
	figures: readonly FigureDefinition[];
	/** The names by which variants are wanted. */
	variants: readonly string[];
	/** Makes ready what can be measured here, and tells why the rest cannot. */
	prepare(bench: Workbench, wanted: (name: string) => boolean, quick: boolean): Promise<Prepared>;
}

export interface Prepared {
	variants: Variant[];
	skipped?: { name: string; reason: string }[];
}

/** One way to do the work. */
export interface Variant {
	name: string;
	/** Of each measurement that it gives, the unit. */
	units: Record<string, Unit>;
	/** Does the work once; gives one sample for each measurement, or one for each of several children. */
	run(): Promise<Record<string, number | readonly number[]>>;
}

export type Unit = "ms" | "µs" | "per s" | "MB";

export interface Rounds {
	rounds: number;
	warmUp: number;
	/** Hears before each round which one it is; those that warm up are below zero. */
	begins?(round: number): void;
}

/** Lets the variants take turns, so that what the machine does meanwhile meets all of them. */
export async function runRounds(
	{ variants, skipped = [] }: Prepared,
	{ rounds, warmUp, begins }: Rounds,
): Promise<Measured & { units: ReadonlyMap<string, Unit> }> {
	const samples = new Map<string, number[]>();
	for (let round = -warmUp; round < rounds; round += 1) {
		begins?.(round);
		for (const variant of inTurn(variants, round + warmUp)) {
			const values = await variant.run();
			if (round < 0) continue;
			for (const [name, value] of Object.entries(values)) {
				samples.set(name, (samples.get(name) ?? []).concat(value));
			}
		}
	}
	return {
		samples,
		skipped: new Map(skipped.map(({ name, reason }) => [name, reason])),
		units: new Map(variants.flatMap(({ units }) => Object.entries(units))),
	};
}

/** Another one begins in each round, and every other round goes backwards, so that none always follows the same. */
export function inTurn<Item>(items: readonly Item[], round: number): Item[] {
	const first = items.length === 0 ? 0 : round % items.length;
	const turned = [...items.slice(first), ...items.slice(0, first)];
	return round % 2 === 0 ? turned : turned.reverse();
}
