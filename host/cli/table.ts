import { alignColumns, type Paint } from "./style.ts";

/** A table for a screen: the first column is text, all others are numbers or short words, set to the right. */
export interface Table {
	heading: readonly string[];
	rows: readonly (readonly string[])[];
	/** Columns of the screen; the first column is cut so that a line fits. */
	width: number;
}

export function layOutTable({ heading, rows, width }: Table, paint: Paint): string[] {
	const all = [heading, ...rows];
	const widths = heading.map((_, column) => Math.max(...all.map((row) => Bun.stringWidth(row[column] ?? ""))));
	const others = widths.slice(1).reduce((sum, chars) => sum + chars + gapChars, 0);
	const first = Math.max(charsMin, width - others);
	const laidOut = all.map(([name = "", ...cells]) => [
		cutTo(name, first),
		...cells.map((cell, index) => padStart(cell, widths[index + 1] ?? 0)),
	]);
	return alignColumns(laidOut).map((line, index) => (index === 0 ? paint("bold", line) : line));
}

// Between two columns.
const gapChars = 2;
// Less of a name says nothing.
const charsMin = 8;

/** Where a wide character is cut in two, Bun gives a column too much. */
function cutTo(text: string, columns: number): string {
	const cut = Bun.sliceAnsi(text, 0, columns, { ellipsis: "…" });
	return Bun.stringWidth(cut) <= columns ? cut : Bun.sliceAnsi(text, 0, columns - 1, { ellipsis: "…" });
}

function padStart(cell: string, chars: number): string {
	return " ".repeat(Math.max(0, chars - Bun.stringWidth(cell))) + cell;
}
