import { isTerminal } from "./is-terminal.ts";

export type Colour = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Colours a text, or gives it back as it is. */
export type Paint = (colour: Colour, text: string) => string;

export function createPaint(colours: boolean): Paint {
	if (!colours) return (_, text) => text;
	// Slow to load, and of no use where a program reads the results.
	const { styleText } = process.getBuiltinModule("node:util");
	return (colour, text) => styleText(colour, text, { validateStream: false });
}

/** Whether a file descriptor takes colours: FORCE_COLOR decides, then NO_COLOR, then whether it is a terminal. */
export function wantsColours(
	descriptor: number,
	environment: Record<string, string | undefined> = process.env,
	isOne: (descriptor: number) => boolean = isTerminal,
): boolean {
	const { FORCE_COLOR, NO_COLOR, TERM } = environment;
	if (FORCE_COLOR) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
	if (NO_COLOR) return false;
	return isOne(descriptor) && TERM !== "dumb";
}

/** Aligns rows in columns by the width they have on a screen; the last column is not padded. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
	const widths: number[] = [];
	for (const row of rows) {
		for (const [column, cell] of row.entries()) {
			widths[column] = Math.max(widths[column] ?? 0, Bun.stringWidth(cell));
		}
	}
	return rows.map((row) =>
		row
			.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell)))
			.join("  ")
			.trimEnd(),
	);
}
