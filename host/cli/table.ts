import { alignColumns, type Paint } from "./style.ts";

/** A table for a screen: the first column is text, all others are numbers or short words, set to the right. */
export interface Table {
	heading: readonly string[];
	rows: readonly (readonly string[])[];
	/** Columns of the screen; the first column is cut so that a line fits, and where none does cells are set below it. */
	width: number;
}

export function layOutTable({ heading, rows, width }: Table, paint: Paint): string[] {
	const all = [heading, ...rows];
	const widths = heading.map((_, column) => Math.max(...all.map((row) => Bun.stringWidth(row[column] ?? ""))));
	const others = widths.slice(1).reduce((sum, chars) => sum + chars + gapChars, 0);
	const first = width - others;
	if (first < Math.min(charsMin, widths[0] ?? 0)) return stack({ heading, rows, width }, paint);
	const laidOut = all.map(([name = "", ...cells]) => [
		cutTo(name, first),
		...cells.map((cell, index) => padStart(cell, widths[index + 1] ?? 0)),
	]);
	return alignColumns(laidOut).map((line, index) => (index === 0 ? paint("bold", line) : line));
}

/** Each row as a name and lines below it, one for each cell that says something. */
function stack({ heading: [title = "", ...columns], rows, width }: Table, paint: Paint): string[] {
	const blocks = rows.map(([name = "", ...cells]) => {
		const told = cells.flatMap((cell, index) => (cell === "" ? [] : [[`  ${columns[index] ?? ""}`, cell] as const]));
		return [cutTo(name, width), ...told];
	});
	const cells = blocks.flat().filter((line) => typeof line !== "string");
	const [left, right] = [0, 1].map((side) => Math.max(0, ...cells.map((cell) => Bun.stringWidth(cell[side] ?? ""))));
	const lines = blocks.flat().map((line) => {
		if (typeof line === "string") return line;
		const [column, cell] = line;
		return `${column}${" ".repeat((left ?? 0) - Bun.stringWidth(column) + gapChars)}${padStart(cell, right ?? 0)}`;
	});
	return [paint("bold", cutTo(title, width)), ...lines];
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
