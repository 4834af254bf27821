import { type BroodError, failure } from "../../runtime/errors.ts";
import { type BenchRecord, type MeasuredRecord, measuredOf, type RatioRecord } from "./record.ts";
import { type BenchStage, stages } from "./stages.ts";

/** Plugins whose ratio is past the budget, the worst first. */
export function pastBudget(record: Pick<BenchRecord, "plugins">, budget: number): MeasuredRecord[] {
	const past = measuredOf(record).filter(({ ratio }) => ratio.value > budget);
	return past.sort((a, b) => b.ratio.value - a.ratio.value);
}

/**
 * Says of one plugin how far it is past the budget, and where most of its time goes.
 *
 * @param noise what shows that the machine was busy
 */
export function budgetFailure(plugin: MeasuredRecord, budget: number, noise?: string): BroodError {
	const { name, ratio } = plugin;
	const { stage, part } = largestStage(plugin);
	const busy = noise === undefined ? "" : `; the machine was busy: ${noise}`;
	return failure("budget_exceeded", {
		plugin: name,
		reason: `it takes ${ratio.value.toFixed(2)} times as long as a bare Bun (${describeRange(ratio, budget)}), and the budget is ${budget}; ${Math.round(part * 100)} % of it is ${stage}${busy}`,
		hint: advice[stage],
	});
}

function describeRange({ low, high }: RatioRecord, budget: number): string {
	if (low === null || high === null) return "too few rounds to say how much of it is chance";
	// A budget that lies in the range may be kept by the next run.
	const doubt = low <= budget ? ", so that chance may decide; more --rounds narrow it" : "";
	return `${low.toFixed(2)} to ${high.toFixed(2)} at 95 %${doubt}`;
}

function largestStage({ stages: times }: MeasuredRecord): { stage: BenchStage; part: number } {
	const sum = stages.reduce((total, [stage]) => total + times[stage].median, 0);
	const shares = stages.map(([stage]) => ({ stage, part: times[stage].median / sum }));
	return shares.reduce((largest, one) => (one.part > largest.part ? one : largest));
}

const own = "That stage is brood and Bun rather than the plugin; a budget below it cannot be kept.";

const advice: Record<BenchStage, string> = {
	spawn: own,
	"client.info": own,
	import: "Import what is large when it is first needed: const { parse } = await import(…).",
	activate: "Do what takes long in a handler instead of in the default export.",
	ready: own,
	published: own,
};
