import { alignColumns } from "../style.ts";

/** What `list` says of one plugin, ready for a screen. */
export interface ListRow {
	name: string;
	state: string;
	ready: string;
	registers: string;
	path: string;
}

/**
 * Rows in columns. On a screen the registrations are wrapped, and paths cut at their beginning, so that a line fits.
 *
 * @param width columns of the screen; undefined where nothing is to be cut
 */
export function layOutList(rows: readonly ListRow[], width: number | undefined): string[] {
	const widest = (column: keyof ListRow) => Math.max(...rows.map((row) => Bun.stringWidth(row[column])));
	const need = { registers: widest("registers"), path: widest("path") };
	const room = (width ?? Number.POSITIVE_INFINITY) - widest("name") - widest("state") - widest("ready") - 4 * gapChars;
	// A path takes no more than half of what is left, unless the registrations leave more.
	const pathChars = Math.max(charsMin, Math.min(need.path, Math.max(Math.floor(room / 2), room - need.registers)));
	const registersChars = Math.max(charsMin, room - pathChars);
	const lines = rows.flatMap(({ name, state, ready, registers, path }) => {
		const [first = "", ...more] = wrap(registers, registersChars);
		const shownPath = Bun.sliceAnsi(path, -pathChars, undefined, { ellipsis: "…" });
		return [[name, state, ready, first, shownPath], ...more.map((line) => ["", "", "", line])];
	});
	return alignColumns(lines);
}

// Between two columns.
const gapChars = 2;
// Less says nothing; a narrower screen wraps the lines itself.
const charsMin = 16;

function wrap(text: string, chars: number): string[] {
	return Bun.stringWidth(text) <= chars ? [text] : Bun.wrapAnsi(text, chars, { hard: true }).split("\n");
}
