import { cut } from "../ui/clean.ts";

/** Where the demo writes: plain text, or colours and rows that change where somebody watches. */
export interface Screen {
	line(text?: string): void;
	/** A ruler with a title. */
	heading(title: string): void;
	/** Two spaces, some columns and a text: the form of most lines. */
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

/** Each puts a text in its colour, or leaves it as it is where there are none. */
export type Paint = Record<"bold" | "dim" | "accent" | "good" | "bad" | "warm", (text: string) => string>;

type Output = Pick<NodeJS.WriteStream, "write"> & Partial<Pick<NodeJS.WriteStream, "isTTY" | "columns" | "rows">>;

/** Makes the screen that fits an output and what the environment says about colours. */
export function createScreen(output: Output, environment: Record<string, string | undefined> = process.env): Screen {
	const watched = output.isTTY === true && environment.TERM !== "dumb";
	const forced = environment.FORCE_COLOR !== undefined && !/^(?:0|false)$/.test(environment.FORCE_COLOR);
	const colours = !environment.NO_COLOR && (watched || forced);
	const width = Math.min(output.columns || widthWithoutTerminal, widthMax);
	const paint = createPaint(colours);
	const line = (text = "") => output.write(`${text}\n`);
	return {
		line,
		heading(title) {
			line(
				`\n${paint.accent("──")} ${paint.bold(title)} ${paint.accent("─".repeat(Math.max(2, width - title.length - 4)))}`,
			);
		},
		row: (cells, rest) => line(`  ${cells.map(([text, size]) => `${padEnd(text, size)}  `).join("")}${rest}`),
		rewrite: (up, text) => output.write(`\x1b[${up}A\r${text}\x1b[K\x1b[${up}B\r`),
		paint,
		live: colours && watched && width >= widthForRows && (output.rows ?? 0) >= rowsForRows,
		width,
		fit: (text, used) => (watched ? cut(text, Math.max(width - used, fitCharsMin)) : text),
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
// Less says nothing.
const fitCharsMin = 8;
// A row that wraps, or has left the screen, cannot be written again.
const widthForRows = 78;
const rowsForRows = 20;

function createPaint(colours: boolean): Paint {
	const style = (code: string) => (text: string) => (colours && text !== "" ? `\x1b[${code}m${text}\x1b[0m` : text);
	return {
		bold: style("1"),
		dim: style("2"),
		accent: style("36"),
		good: style("32"),
		bad: style("31"),
		warm: style("33"),
	};
}
