import type { Goal } from "./figures.ts";
import type { Result } from "./results.ts";
import { samplingOf } from "./suites.ts";

/** A result for people: ratios beside their goals first, then what was measured. */
export function showResult({ title, suite, rounds, machine, figures, measurements }: Result): string {
	const withGoals = figures.filter(({ met }) => met !== undefined);
	const met = withGoals.filter((figure) => figure.met);
	const rows = figures.map((figure) => [
		figure.value === undefined ? "–" : showNumber(figure.value),
		figure.middle === undefined ? "" : figure.middle.map(showNumber).join("–"),
		figure.goal === undefined ? "" : showGoal(figure.goal),
		figure.met === undefined ? "" : figure.met ? "met" : "not met",
		figure.skipped === undefined ? figure.title : `${figure.title} (skipped: ${figure.skipped})`,
	]);
	const samples = measurements.map(({ name, unit, median, p90, min }) => [
		...[median, p90, min].map(showNumber),
		unit,
		name,
	]);
	const where = `${machine.cpu}, ${machine.cores} cores, ${machine.system}, Bun ${machine.bun}`;
	const taken = rounds === 1 ? "one round" : `${rounds} rounds in turns`;
	const sampling = samplingOf(suite);
	const how = sampling === undefined ? taken : `${taken} (${sampling})`;
	return [
		title,
		...align([["ratio", "middle half", "goal", "", ""], ...rows], 2),
		"",
		...align([["median", "p90", "min", "", ""], ...samples], 3),
		"",
		`${met.length} of ${withGoals.length} goals met; medians of ${how} from bun run bench ${suite}, on ${where}`,
	].join("\n");
}

/** A goal as people write it. */
export function showGoal({ atMost, atLeast, stretch }: Goal): string {
	const goal = atMost !== undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
	return stretch === undefined ? goal : `${goal}, better ${stretch}`;
}

/** Three digits that mean something. */
export function showNumber(value: number): string {
	const size = Math.abs(value);
	return size >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(size >= 10 ? 1 : 2);
}

/** Columns side by side; the first ones to the right, as numbers are. */
function align(rows: string[][], right: number): string[] {
	const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
	return rows.map((row) => {
		const cells = row.map((cell, at) => (at < right ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)));
		return `  ${cells.join("  ").trimEnd()}`;
	});
}
