import { summarize } from "../../host/devtools/statistics.ts";
import { type Range, ratioOf } from "./statistics.ts";

/** One row of a result: a ratio of two measurements of the same run, or one measurement by itself. */
export interface FigureDefinition {
	id: string;
	title: string;
	/** The measurement that it is about. */
	of: string;
	/** What it is divided by; nothing when absent. */
	against?: string;
	goal?: Goal;
}

export interface Goal {
	atMost?: number;
	atLeast?: number;
	/** What would be better still. */
	stretch?: number;
}

export interface Figure {
	id: string;
	title: string;
	goal?: Goal;
	/** Absent when it was skipped. */
	value?: number;
	/** The middle half of what single rounds gave: how much noise there was. */
	middle?: Range;
	/** Absent where there is no goal, or no value. */
	met?: boolean;
	/** Why there is no value. */
	skipped?: string;
}

/** The samples of each measurement, one per round, and why others are missing. */
export interface Measured {
	samples: ReadonlyMap<string, readonly number[]>;
	skipped: ReadonlyMap<string, string>;
}

/** Puts measurements beside their goals; figures of variants that nobody asked for are left out. */
export function judge(
	definitions: readonly FigureDefinition[],
	measured: Measured,
	wanted: (measurement: string) => boolean = () => true,
): Figure[] {
	const asked = definitions.filter(({ of, against = of }) => wanted(of) && wanted(against));
	return asked.map((definition) => {
		const { id, title, of, against, goal } = definition;
		const head = { id, title, ...(goal === undefined ? {} : { goal }) };
		const samples = measured.samples.get(of);
		if (samples === undefined) return { ...head, skipped: reasonFor(of, measured) };
		const others = against === undefined ? undefined : measured.samples.get(against);
		if (against !== undefined && others === undefined) return { ...head, skipped: reasonFor(against, measured) };
		const { value, middle } = others === undefined ? alone(samples) : ratioOf(samples, others);
		return { ...head, value, middle, ...(goal === undefined ? {} : { met: isMet(value, goal) }) };
	});
}

function alone(samples: readonly number[]): { value: number; middle: Range } {
	const { median, q1, q3 } = summarize(samples);
	return { value: median, middle: [q1, q3] };
}

function isMet(
	value: number,
	{ atMost = Number.POSITIVE_INFINITY, atLeast = Number.NEGATIVE_INFINITY }: Goal,
): boolean {
	return value <= atMost && value >= atLeast;
}

function reasonFor(name: string, { skipped }: Measured): string {
	return skipped.get(name) ?? `${name} was not measured`;
}
