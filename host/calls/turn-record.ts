import type { JsonObject } from "../../runtime/records.ts";
import { mismatches } from "./turn-expect.ts";
import type { TurnFailure, TurnMismatch, TurnOptions, TurnStep } from "./turn-types.ts";

/** The steps of a turn as they come, and what failed in them. */
export interface TurnRecord {
	readonly steps: TurnStep[];
	readonly failures: TurnFailure[];
	/** Compares a step with what is expected of it and keeps it. @returns its number, from 1 */
	step(step: TurnStep, expect?: JsonObject): number;
	fail(kind: TurnFailure["kind"], message: string, more?: Pick<TurnFailure, "step" | "plugin">): void;
}

/** Makes an empty record; `onStep` hears each step. */
export function createTurnRecord(onStep: TurnOptions["onStep"]): TurnRecord {
	const steps: TurnStep[] = [];
	const failures: TurnFailure[] = [];
	const fail: TurnRecord["fail"] = (kind, message, more = {}) => {
		failures.push({ kind, ...more, message });
	};

	return {
		steps,
		failures,
		fail,
		step(given, expect) {
			const step = expect === undefined ? given : { ...given, mismatches: mismatches(expect, given.outcome) };
			const number = steps.push(step);
			const where = `${step.step}${step.tool === undefined ? "" : ` ${step.tool}`}`;
			for (const { plugin, error } of step.handlers) {
				if (error !== undefined) {
					fail("handler", `the handler of ${step.step} failed: ${error.message}`, { step: number, plugin });
				}
			}
			for (const mismatch of step.mismatches ?? []) {
				fail("expectation", `${where}: ${describeMismatch(mismatch)}`, { step: number });
			}
			onStep?.(step, number);
			return number;
		},
	};
}

/** Says of a member what was expected and what came. */
export function describeMismatch({ path, expected, actual }: TurnMismatch): string {
	const got = actual === undefined ? "there is none" : `it is ${JSON.stringify(actual)}`;
	return `${path} should be ${JSON.stringify(expected)}, and ${got}`;
}
