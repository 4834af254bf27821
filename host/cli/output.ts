import { BroodError } from "../../runtime/errors.ts";
import { revealHidden } from "../base/hidden.ts";
import { describeFileError } from "../base/text-file.ts";
import { usualSize } from "../ui/terminal-size.ts";
import { isTerminal } from "./is-terminal.ts";
import { createPaint, type Paint, wantsColours } from "./style.ts";

/** Where a command writes: results to stdout, everything else to stderr. */
export interface Output {
	/** Whether a program reads it. */
	readonly json: boolean;
	/** Columns of the screen that shows the result; undefined where a file or a program takes it. */
	readonly width: number | undefined;
	/** Adds text to the result; it ends its line. */
	result(text: string): void;
	/** Tells the person something, on lines of its own. */
	note(text: string): void;
	/** Puts something on the screen as it is, on stderr and in order with the rest; no line of its own. */
	draw(text: string): void;
	/** Whether this was one of the last notes. */
	wasNoted(text: string): boolean;
	/** Colours for each of the two, or none. */
	readonly paint: { result: Paint; note: Paint };
	/** Resolves when all has been handed over. @throws Error when stdout takes no more; a reader who left is no error */
	drained(): Promise<void>;
	/** Resolves when stdout takes no more: its reader has left, or a disk is full. */
	readonly refused: Promise<void>;
	/** Waits no longer for whoever takes the results; what is not taken yet may be lost, and what comes later is. */
	abandonResults(): void;
}

export function createOutput({ json }: { json: boolean }): Output {
	// One line of writes for both, so that a person sees them in their order.
	let last: Promise<unknown> = Promise.resolve();
	let failed: { error: unknown } | undefined;
	let isAbandoned = false;
	const abandoned = Promise.withResolvers<void>();
	const refused = Promise.withResolvers<void>();
	const noted: string[] = [];

	function write(send: (text: string) => Promise<unknown>, text: string, onError: (error: unknown) => void): void {
		last = last.then(() => send(text)).catch(onError);
	}

	// In JSON they stand in strings alone, where an escape is the same; a terminal obeys some that JSON leaves as they are.
	const shown = json ? revealHidden : (text: string) => text;

	const toStderr = (text: string) => Bun.write(Bun.stderr, text);

	return {
		json,
		get width() {
			// A stream is slow to make, and most commands have nothing to lay out.
			return isTerminal(1) ? process.stdout.columns || usualSize.columns : undefined;
		},
		result(text) {
			// Stdout may be closed by then, and its number be that of another file.
			const send = async (lines: string) =>
				isAbandoned || Promise.race([Bun.write(Bun.stdout, lines), abandoned.promise]);
			write(send, line(shown(text)), (error) => {
				if (isAbandoned) return;
				failed ??= { error };
				refused.resolve();
			});
		},
		// Nobody could be told that stderr takes no more.
		note(text) {
			noted.push(text);
			if (noted.length > notesMax) noted.shift();
			write(toStderr, line(shown(text)), () => {});
		},
		draw: (text) => write(toStderr, text, () => {}),
		wasNoted: (text) => noted.includes(text),
		paint: { result: createPaint(wantsColours(1)), note: createPaint(wantsColours(2)) },
		async drained() {
			await last;
			if (failed !== undefined && !isReaderGone(failed.error)) throw unwritten(failed.error);
		},
		refused: refused.promise,
		abandonResults() {
			isAbandoned = true;
			abandoned.resolve();
		},
	};
}

// What stands further up is off the screen of most.
const notesMax = 24;

/** A length of time for people. */
export function formatMs(ms: number): string {
	// From here on one more digit would round up to two before the point.
	return `${ms < 9.95 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** A length of time for programs: more than microseconds would only be noise. */
export function roundMs(ms: number): number {
	return Math.round(ms * 1_000) / 1_000;
}

/** What keeps the result from whoever wants it, such as a full disk, is no mistake of brood's. */
function unwritten(error: unknown): BroodError {
	return new BroodError("internal", `The result could not be written: ${describeFileError(error)}.`, { cause: error });
}

function line(text: string): string {
	return text.endsWith("\n") ? text : `${text}\n`;
}

function isReaderGone(error: unknown): boolean {
	return error instanceof Error && "code" in error && error.code === "EPIPE";
}
