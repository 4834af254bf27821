import { sep } from "node:path";
import type { SourcePosition } from "../../runtime/errors.ts";
import { limits } from "../../runtime/limits.ts";
import { isInside } from "./confine.ts";
import { hidden } from "./hidden.ts";
import { realPathOf } from "./paths.ts";
import { readTextFile } from "./text-file.ts";

export interface FrameOptions {
	/** Lines shown before and after the one that it is about. */
	contextLines?: number;
}

/**
 * Shows the source around a position as plain text, with a caret under the column.
 * When the file is gone or has changed since, only the line that the position carries is shown.
 */
export async function codeFrame(position: SourcePosition, options: FrameOptions = {}): Promise<string> {
	const source = await readTextFile(position.file, limits.text.documentBytesMax).then(
		(file) => file.text,
		() => undefined,
	);
	return renderFrame(position, source, options);
}

/** The same from a text at hand; reads nothing. */
export function renderFrame(position: SourcePosition, source: string | undefined, options: FrameOptions = {}): string {
	const { file, line, column } = position;
	const head = clean(`${file}:${line}:${column}`);
	const shown = linesAround(position, source, options.contextLines ?? 2);
	if (shown.length === 0) return position.message === undefined ? head : `${head}\n${firstLine(position.message)}`;
	const gutter = Math.max(...shown.map(({ number }) => String(number).length));
	// One cut for all lines keeps them aligned with each other.
	const cutAt = column > widthMax ? column - 1 - Math.floor(widthMax / 2) : 0;
	const rows = shown.flatMap(({ number, text }) => {
		const row = `${number === line ? ">" : " "} ${String(number).padStart(gutter)} | ${cut(text, cutAt)}`.trimEnd();
		if (number !== line) return [row];
		const before = cut(text, cutAt).slice(0, Math.max(0, column - 1 - cutAt));
		const message = position.message === undefined ? "" : ` ${firstLine(position.message)}`;
		return [row, `  ${" ".repeat(gutter)} | ${blank(before)}^${message}`];
	});
	return [head, ...rows].join("\n");
}

/**
 * Finds the first position of a stack trace in a plugin's own files: in `root`, outside of any node_modules.
 *
 * @param root the plugin's folder; a link to it is followed, since stacks hold real paths
 */
export function firstOwnFrame(stack: string, root: string): SourcePosition | undefined {
	const roots = [root, realPathOf(root)];
	for (const text of stack.split("\n", stackLinesMax)) {
		const position = text.length > stackLineCharsMax ? undefined : parseStackLine(text);
		if (position !== undefined && roots.some((folder) => isOwnFile(position.file, folder))) return position;
	}
	return undefined;
}

// A wider line would wrap, and a minified one would fill the screen.
const widthMax = 120;

// A stack comes from plugin code, which may put anything there; real ones are far shorter.
const stackLinesMax = 500;
const stackLineCharsMax = 4_096;

interface ShownLine {
	number: number;
	text: string;
}

function linesAround(position: SourcePosition, source: string | undefined, context: number): ShownLine[] {
	const { line, lineText } = position;
	const all = source?.split(/\r\n|\r|\n/) ?? [];
	const current = all[line - 1];
	const unchanged = current !== undefined && (lineText === undefined || current.trim() === lineText.trim());
	if (!unchanged) return lineText === undefined ? [] : [{ number: line, text: clean(lineText) }];
	const first = Math.max(1, line - context);
	return all.slice(first - 1, line + context).map((text, index) => ({ number: first + index, text: clean(text) }));
}

function cut(text: string, start: number): string {
	return text.slice(start, start + widthMax);
}

/** As much space as the text takes on a terminal. */
function blank(text: string): string {
	return text
		.split("\t")
		.map((part) => " ".repeat(Bun.stringWidth(part)))
		.join("\t");
}

function firstLine(message: string): string {
	return clean(message.split(/[\r\n]/, 1)[0] ?? "");
}

/** Source text may hold escape sequences that a terminal would obey. */
function clean(text: string): string {
	return text.replace(hidden, "\ufffd").replaceAll("\n", "\ufffd");
}

/** Looks for its parts one after another: one expression for all of them would take the square of a hostile line. */
function parseStackLine(text: string): SourcePosition | undefined {
	const call = text.trim();
	const place = /:(\d+):(\d+)\)?$/.exec(call);
	if (place === null || !call.startsWith("at ")) return undefined;
	const head = call.slice("at ".length, place.index);
	const bracket = head.search(/ \((?:file:\/\/)?\//);
	const file = bracket < 0 ? head.replace(/^async /, "") : head.slice(bracket + " (".length);
	if (!/^(?:file:\/\/)?\/./.test(file)) return undefined;
	return { file: pathOf(file), line: Number(place[1]), column: Number(place[2]) };
}

function pathOf(file: string): string {
	if (!file.startsWith("file://")) return file;
	try {
		return Bun.fileURLToPath(file);
	} catch {
		return file;
	}
}

function isOwnFile(file: string, root: string): boolean {
	return isInside(root, file) && !file.slice(root.length).split(sep).includes("node_modules");
}
