import { type BroodError, isBroodError, messageOf } from "../../../runtime/errors.ts";
import type { Exit, Expected } from "./expected.ts";
import type { FaultName, Point } from "./points.ts";
import type { Recording } from "./run-point.ts";
import type { World } from "./world.ts";

/** How a promise settled, when, and what was visible then. */
export interface Settled {
	at: number;
	visible: string[];
	text: string;
	error?: BroodError | Error;
}

/** A promise that may be looked at. */
export interface Watched {
	promise: Promise<Settled>;
	settled(): Settled | undefined;
}

export function settle(world: World, promise: Promise<unknown>): Watched {
	let settled: Settled | undefined;
	const note = (rest: Pick<Settled, "text" | "error">): Settled => {
		settled = { at: Date.now(), visible: world.visible(), ...rest };
		return settled;
	};
	return {
		promise: promise.then(
			(value) => note({ text: typeof value === "string" ? value : JSON.stringify(value) }),
			(error: unknown) =>
				note({ text: messageOf(error), error: error instanceof Error ? error : new Error(String(error)) }),
		),
		settled: () => settled,
	};
}

export interface Outcome {
	world: World;
	point: Point;
	recording: Recording;
	expected: Expected;
	/** Of what the caller asked for. */
	answer: Settled;
	/** A call that the subject never answers, and that waits all the time. */
	background: Watched | undefined;
	committedAt: number;
}

/** The milliseconds that a fault needs to end the process, at most: the host waits for the exit that a close announces. */
const endMs: Partial<Record<FaultName, number>> = { "close stdout": 600, "endless line": 600, "close stdin": 800 };

/** What a stop of a child that does not answer takes, with the bounds of these tests. */
export const ladderMs = 600;

/** When what waits for a process that ended must have settled. */
export function settledBy({ world, point, committedAt }: Outcome): number {
	const endedAt = world.givenUpAt() ?? committedAt + (point.fault === "SIGSTOP" ? ladderMs : (endMs[point.fault] ?? 0));
	return endedAt + 1_000;
}

export function describe({ error, text }: Settled): string {
	return isBroodError(error) ? `${error.code}: ${text}` : text;
}

/** A call that waited when the process ended must tell how it ended, in time. */
export function checkLost(
	outcome: Outcome,
	settled: Settled | undefined,
	what: string,
	exits = exitsOf(outcome),
): string[] {
	if (settled === undefined) return [`${what} still waits`];
	const { error, at } = settled;
	if (!isBroodError(error, "plugin_exited")) return [`${what} got ${describe(settled)}`];
	const late = at - settledBy(outcome);
	return [
		...(exits.some((exit) => isExit(error.exit, exit)) ? [] : [`${what} tells the exit ${JSON.stringify(error.exit)}`]),
		...(late > 0 ? [`${what} was settled ${late} ms too late`] : []),
	];
}

function exitsOf({ expected }: Outcome): Exit[] {
	return expected.ending.is === "crashes" ? expected.ending.exits : [];
}

export function isExit(given: Exit | undefined, { code, signal }: Exit): boolean {
	return given !== undefined && given.code === code && given.signal === signal;
}

export const isOfSubject = (entry: string) => /^\S+ subject\b/.test(entry);

export function different(when: string, given: string[], wanted: string[]): string[] {
	if (Bun.deepEquals(given, wanted)) return [];
	const missing = wanted.filter((entry) => !given.includes(entry));
	const extra = given.filter((entry) => !wanted.includes(entry));
	return [`${when}, missing: ${missing.join(", ") || "nothing"}; too much: ${extra.join(", ") || "nothing"}`];
}
