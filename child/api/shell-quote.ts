import { cannotPlace, openScript } from "./shell-frames.ts";
import { type Place, placeOf, readLiteral, readPlaced } from "./shell-script.ts";

/**
 * Puts values between the literal parts of a `sh` command so that each arrives as the text it is, whatever quotes it
 * stands in, and nothing of it is run.
 *
 * @throws TypeError for a value without a text of its own and for a place where no quoting is safe
 */
export function shellCommand(literals: readonly string[], values: readonly unknown[]): string {
	const script = openScript();
	let command = "";
	for (const [index, literal] of literals.entries()) {
		readLiteral(script, literal);
		command += literal;
		if (index === literals.length - 1) break;
		const place = placeOf(script);
		const text = write(wordsOf(values[index], index + 1), place);
		// The author's own `$` before a value is a dollar sign; it must not begin an expansion of the value.
		if (script.openDollar) command = `${command.slice(0, -1)}\\$`;
		readPlaced(script, text);
		command += text;
	}
	return command;
}

/** Writes words as their place demands; only a place for words keeps several of them apart. */
function write(words: string[], place: Place): string {
	const text = words.join(" ");
	switch (place.kind) {
		case "word":
			// After NAME= a second word would be run as a command.
			if (place.assignment) return quote(text);
			if (place.redirect && words.length !== 1) throw cannotPlace("as a file to redirect to unless it is one word");
			return words.map(quote).join(" ");
		case "single":
			return text.replaceAll("'", "'\\''");
		case "double":
			return text.replace(/[\\"$`]/g, "\\$&");
		case "heredoc":
			return heredocText(text, place);
		case "arithmetic":
			if (!/^-?\d+$/.test(text)) throw cannotPlace("in arithmetic unless it is an integer");
			return text.startsWith("-") ? `(${text})` : text;
		case "comment":
			return "";
	}
}

function heredocText(text: string, { quoted, losesTab }: Place & { kind: "heredoc" }): string {
	if (!quoted) return text === "" ? "" : plainLine + text.replace(/[\\$`]/g, "\\$&").replaceAll("\n", `\n${plainLine}`);
	if (losesTab(text)) throw cannotPlace("in a here-document that would take away the tab that begins a line of it");
	return text;
}

/**
 * Expands to nothing, since `$0` is always set. With it before each line of a value, no line ends the here-document or
 * loses its tabs to `<<-`, and dash does not lose a byte where a line begins as the end would.
 */
const plainLine = `\${0+}`;

function quote(word: string): string {
	return `'${word.replaceAll("'", "'\\''")}'`;
}

// Deep enough for lists of lists; a list that holds itself must not hang.
const nestingMax = 8;

function wordsOf(value: unknown, position: number): string[] {
	const values: unknown[] = Array.isArray(value) ? value.flat(nestingMax) : [value];
	return values.map((one) => wordOf(one, position));
}

function wordOf(value: unknown, position: number): string {
	const text = textOf(value);
	if (text === undefined) {
		const kind = value === null ? "null" : typeof value === "object" ? "an object without a text" : typeof value;
		throw new TypeError(`Value ${position} of amp.$ is ${kind}; give a string, a number, a URI or an array of them`);
	}
	if (text.includes("\0")) {
		throw new TypeError(`Value ${position} of amp.$ holds a NUL character, which no argument of a program can`);
	}
	return text;
}

/** The text that a value stands for; undefined when it has none, since "undefined" or "[object Object]" is a mistake. */
function textOf(value: unknown): string | undefined {
	switch (typeof value) {
		case "string":
			return value;
		case "number":
		case "bigint":
		case "boolean":
			return String(value);
		case "object":
			return value === null ? undefined : objectText(value);
		default:
			return undefined;
	}
}

function objectText(value: object): string | undefined {
	// Typed arrays share this one: their text would be a list of numbers.
	if (value.toString === Array.prototype.toString || typeof value.toString !== "function") return undefined;
	const text = String(value);
	return /^\[object .*\]$/.test(text) ? undefined : text;
}
