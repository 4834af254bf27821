import { summarize } from "../../host/devtools/statistics.ts";
import { judge } from "./figures.ts";
import { describeCommit, describeMachine } from "./machine.ts";
import type { Result } from "./results.ts";
import { runRounds, type Suite } from "./suite.ts";
import { openWorkbench } from "./workbench.ts";

export interface RunOptions {
	rounds?: number;
	quick?: boolean;
	only?: string[];
	/** Hears what is done now. */
	progress?(text: string): void;
	/** Fires when the run is to end at once. */
	signal?: AbortSignal;
}

/** Runs a suite; whatever it started and wrote is gone when this resolves. @throws Error when a variant fails */
export async function runSuite(name: string, suite: Suite, options: RunOptions = {}): Promise<Result> {
	const { only, quick = false, progress = () => {}, signal } = options;
	const rounds = options.rounds ?? (quick ? suite.quickRounds : suite.rounds);
	// Who wants few rounds does not want to wait for others.
	const warmUp = Math.min(suite.warmUp, rounds - 1);
	await using bench = await openWorkbench(signal);
	progress("makes ready");
	const wanted = (variant: string) => only === undefined || only.includes(variant);
	const prepared = await suite.prepare(bench, wanted, quick);
	const isAsked = (measurement: string) =>
		only === undefined || only.some((variant) => `${measurement} `.startsWith(`${variant} `));
	const measured = await runRounds(prepared, {
		rounds,
		warmUp,
		begins: (round) => {
			signal?.throwIfAborted();
			progress(round < 0 ? "warms up" : `round ${round + 1} of ${rounds}`);
		},
	});
	return {
		suite: name,
		title: suite.title,
		date: new Date().toISOString(),
		commit: describeCommit(),
		machine: describeMachine(),
		rounds,
		figures: judge(suite.figures, measured, isAsked).map((figure) =>
			rounded({ ...figure, command: `bun run bench ${name}` }),
		),
		measurements: [...measured.samples].map(([measurement, samples]) => {
			const { median, p90, min } = summarize(samples);
			const unit = measured.units.get(measurement) ?? "";
			return rounded({ name: measurement, unit, median, p90, min, samples: [...samples] });
		}),
	};
}

/** The same with five digits of each number: more of them are noise. */
function rounded<Value>(value: Value): Value {
	return JSON.parse(JSON.stringify(value), (_, part) =>
		typeof part === "number" ? Number(part.toPrecision(5)) : part,
	);
}
