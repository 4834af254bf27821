import { cut } from "../ui/clean.ts";
import { createPaint, type Paint, wantsColours } from "./style.ts";

/** Where the demo writes: plain text, or colours and rows that change where somebody watches. */
export interface Screen {
	line(text?: string): void;
	/** A ruler with a title. */
	heading(title: string): void;
	/** Some columns, each with its width, and a text: the form of most lines. */
	row(cells: [text: string, width: number][], rest: string): void;
	/** Writes a line again that was written before, `up` lines above the cursor; only where `live` is true. */
	rewrite(up: number, text: string): void;
	readonly paint: Paint;
	/** Whether lines may be written again. */
	readonly live: boolean;
	/** Characters in a line. */
	readonly width: number;
	/** Cuts a text that would wrap after `used` characters; nothing is cut where nobody watches. */
	fit(text: string, used: number): string;
}

/** Makes the screen that fits stdout and what the environment says about colours. */
export function createScreen(output: NodeJS.WriteStream = process.stdout): Screen {
	const colours = wantsColours(1);
	const paint = createPaint(colours);
	const width = Math.min(output.columns || widthWithoutTerminal, widthMax);
	const line = (text = "") => {
		output.write(`${text.trimEnd()}\n`);
	};
	return {
		line,
		heading(title) {
			const ruler = "─".repeat(Math.max(2, width - title.length - 4));
			line(`\n${paint("cyan", "──")} ${paint("bold", title)} ${paint("cyan", ruler)}`);
		},
		row: (cells, rest) => line(`  ${cells.map(([text, size]) => `${padEnd(text, size)}  `).join("")}${rest}`),
		rewrite: (up, text) => output.write(`\x1b[${up}A\r${text}\x1b[K\x1b[${up}B\r`),
		paint,
		live: output.isTTY && colours && width >= widthForRows && output.rows >= rowsForRows,
		width,
		fit: (text, used) => (output.isTTY ? cut(text, Math.max(width - used, fitCharsMin)) : text),
	};
}

/** Pads by what is seen: colours take no room. */
export function padEnd(text: string, size: number): string {
	return text + " ".repeat(Math.max(0, size - Bun.stringWidth(text)));
}

/** A time as the demo shows all of them; the unit stands beside the number or over the column. */
export function inMs(ms: number): string {
	return ms.toFixed(1);
}

const widthWithoutTerminal = 100;
// A longer ruler leads the eye nowhere.
const widthMax = 110;
// A row that wraps, or has left the screen, cannot be written again.
const widthForRows = 76;
const rowsForRows = 20;
// Less says nothing.
const fitCharsMin = 8;
