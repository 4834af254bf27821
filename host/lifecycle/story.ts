import { type BroodError, failure } from "../../runtime/errors.ts";
import { describeExit, quoteTail } from "../backends/load-failure.ts";
import type { BackendLog } from "../contracts/backend.ts";

/** One step in the life of a plugin that people would miss in its log. */
export type LifeStep =
	| { type: "restarts"; restart: number; restartsMax: number; ms: number }
	| { type: "ready"; launches: number }
	| { type: "given_up" };

/** What its log says of a step; nothing of a first launch that went well. */
export function tellStep(step: LifeStep): BackendLog | undefined {
	if (step.type === "ready") {
		return step.launches > 1 ? { source: "host", level: "info", message: "ready again" } : undefined;
	}
	if (step.type === "given_up") {
		return { source: "host", level: "info", message: "its load is given up for a newer one" };
	}
	const message = `it ended; restart ${step.restart} of ${step.restartsMax} in ${step.ms} ms`;
	return { source: "host", level: "warn", message };
}

/** The error of the last crash of a plugin, which says as well that no other launch follows. */
export function explainGivenUp(crash: BroodError, launches: number): BroodError {
	const { plugin, stage, exit } = crash;
	if (exit === undefined || plugin === undefined) return crash;
	const often = launches === 1 ? "it" : `it crashed ${launches} times and`;
	const reason = `${describeExit(exit)}; ${often} is not started again${quoteTail(exit)}`;
	const hint = `Reload it to try again: host.reload(${JSON.stringify(plugin)}).`;
	return failure("plugin_exited", { plugin, stage, exit, reason, hint, cause: crash });
}
