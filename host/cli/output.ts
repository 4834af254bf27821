import { createPaint, type Paint, wantsColours } from "./style.ts";

/** Where a command writes: results to stdout, everything else to stderr. */
export interface Output {
	/** Whether a program reads it. */
	readonly json: boolean;
	/** Adds text to the result; it ends its line. */
	result(text: string): void;
	/** Tells the person something, on lines of its own. */
	note(text: string): void;
	/** Colours for each of the two, or none. */
	readonly paint: { result: Paint; note: Paint };
	/** Resolves when all has been handed over. @throws Error when stdout takes no more; a reader who left is no error */
	drained(): Promise<void>;
}

export function createOutput({ json }: { json: boolean }): Output {
	const stdout = createSink(Bun.stdout);
	const stderr = createSink(Bun.stderr);
	return {
		json,
		result: (text) => stdout.write(asLines(text)),
		note: (text) => stderr.write(asLines(text)),
		paint: { result: createPaint(wantsColours(1)), note: createPaint(wantsColours(2)) },
		async drained() {
			// Nobody can be told that stderr is gone.
			await stderr.drained().catch(() => {});
			await stdout.drained();
		},
	};
}

/** A length of time for people. */
export function formatMs(ms: number): string {
	return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** A length of time for programs: more than microseconds would only be noise. */
export function roundMs(ms: number): number {
	return Math.round(ms * 1_000) / 1_000;
}

interface Sink {
	write(text: string): void;
	drained(): Promise<void>;
}

/** Writes one text after the other; after the first failure nothing more. */
function createSink(file: Bun.BunFile): Sink {
	let last: Promise<unknown> = Promise.resolve();
	return {
		write(text) {
			last = last.then(() => Bun.write(file, text));
			// It is told to whoever waits for the end.
			last.catch(() => {});
		},
		async drained() {
			await last.catch((error: unknown) => {
				if (!isReaderGone(error)) throw error;
			});
		},
	};
}

function isReaderGone(error: unknown): boolean {
	return error instanceof Error && "code" in error && error.code === "EPIPE";
}

function asLines(text: string): string {
	return text.endsWith("\n") ? text : `${text}\n`;
}
