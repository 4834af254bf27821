import { isBroodError, messageOf } from "../runtime/errors.ts";
import { ownFiles } from "./own-files.ts";

/**
 * An error as Bun shows it in several lines: source, message, members, stack, causes; without the places in this
 * runtime's own files, which are none of the author's. Never throws, whatever was thrown.
 */
export function showError(error: unknown, own = ownFiles): string {
	const text = withoutOwnPlaces(inspect(error), own).trimEnd();
	// Members of the class that this one does not have.
	return isBroodError(error) ? text.replace(/^ *[\w.]+: (?:undefined|true),?\n/gm, "") : text;
}

/** Any value in one line; an error in it without its source. Never throws. */
export function showInLine(value: unknown, own = ownFiles): string {
	const text = inspect(value);
	return frame.test(text) ? lineOf(withoutOwnPlaces(text, own)) : text;
}

/** Name and message of an error alone; what is no error names itself. Never throws. */
export function headOf(error: unknown): string {
	try {
		if (error instanceof Error) return `${error.name}: ${messageOf(error)}`;
	} catch {
		// Its name may be anything, and a getter may throw.
	}
	return messageOf(error);
}

// Numbered lines of a source and, where there is room, a caret below; within an object the first of them stands behind the name of a member.
const source = String.raw`(?:^ *)?\d+ \| .*\n(?: *\d+ \| .*\n)* *\^?\n`;
const frame = /^ +at /m;
// Kept, since a plugin may replace the global functions.
const { inspect: inspectValue } = Bun;

function withoutOwnPlaces(text: string, own: readonly string[]): string {
	const isOwn = (place: string) => own.some((path) => place.includes(path));
	const shown = text.replace(new RegExp(`(${source})([^]*?^ +at .*\\n?)`, "gm"), (whole, _: string, rest: string) =>
		isOwn(placeOf(rest)) ? rest : whole,
	);
	const lines = shown.split("\n");
	return lines.filter((line) => !frame.test(line) || !isOwn(line)).join("\n");
}

function placeOf(text: string): string {
	return text.trimEnd().split("\n").at(-1) ?? "";
}

function lineOf(text: string): string {
	const withoutSource = text.replace(new RegExp(source, "gm"), "");
	return withoutSource.trim().replace(/\s*\n\s*/g, " ");
}

function inspect(value: unknown): string {
	try {
		return inspectValue(value, { depth: 4, compact: true });
	} catch (error) {
		return `[a value that cannot be shown: ${error instanceof Error ? error.message : "its getter threw"}]`;
	}
}
