import { writeSync } from "node:fs";
import { isatty } from "node:tty";
import type { BenchProgress } from "../../devtools/measure.ts";

export interface ProgressLine {
	show(progress: BenchProgress): void;
	/** Takes the line away. */
	clear(): void;
}

/** Shows on a terminal how far a measurement has come, in one line that changes; elsewhere nothing. */
export function createProgressLine(
	isShown: boolean,
	write: (text: string) => void = (text) => void writeSync(2, text),
	now: () => number = () => performance.now(),
): ProgressLine {
	let phase: BenchProgress["phase"] | undefined;
	let since = 0;
	return {
		show(progress) {
			if (!isShown) return;
			if (progress.phase !== phase) since = now();
			phase = progress.phase;
			write(`${lineStart}${describeProgress(progress, now() - since)}`);
		},
		clear() {
			if (isShown && phase !== undefined) write(lineStart);
			phase = undefined;
		},
	};
}

/** Whether a person looks at stderr who can see a line change. */
export function isLiveTerminal({ TERM }: Record<string, string | undefined> = process.env): boolean {
	return isatty(2) && TERM !== "dumb";
}

// Back to the beginning, and all of the line away.
const lineStart = "\r\u001B[2K";

/** @param ms since the first round of this phase began */
export function describeProgress({ phase, round, of }: BenchProgress, ms: number): string {
	const done = round - 1;
	const seconds = done === 0 ? 0 : Math.round(((ms / done) * (of - done)) / 1_000);
	const left = seconds === 0 ? "" : `, about ${seconds} s left`;
	const what = { "warm-up": "warm-up", rounds: "round", imports: "imports, round" }[phase];
	return `${what} ${round} of ${of}${phase === "warm-up" ? "" : left}`;
}
