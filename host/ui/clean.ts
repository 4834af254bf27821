import { hidden } from "../base/hidden.ts";

/** Text of several lines as a dialog may show it: no control characters but line feed and tab, at most `charsMax` code points. */
export function cleanText(text: string, charsMax: number): string {
	return cut(strip(within(text, charsMax)), charsMax);
}

/** Text of one line as a dialog may show it: line breaks and tabs are spaces, at most `charsMax` code points. */
export function cleanLine(text: string, charsMax: number): string {
	return cut(strip(within(text, charsMax)).replace(/[\n\t]/g, " "), charsMax);
}

/** Cuts after `charsMax` code points; the last of them is then an ellipsis. */
export function cut(text: string, charsMax: number): string {
	if (text.length <= charsMax) return text;
	let chars = 0;
	let keep = 0;
	for (const char of text) {
		chars += 1;
		if (chars > charsMax) return `${text.slice(0, keep)}…`;
		if (chars < charsMax) keep += char.length;
	}
	return text;
}

// CSI, then the strings (OSC, DCS, SOS, PM, APC) that are closed, then what else ESC begins.
// The classes exclude ESC, so that no input makes a match start over.
const escapeSequence =
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
	/\u001B(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)|[ -/]*[0-~])/g;

/** What a text without any is spared all further looks for. */
const dirty = new RegExp(hidden, "u");

/** The beginning of a text that is far longer than what can be shown of it; expressions over all of it would take long. */
function within(text: string, charsMax: number): string {
	const unitsMax = rawUnits * charsMax;
	return text.length <= unitsMax ? text : `${text.slice(0, unitsMax)}…`;
}

// Two units a character, and as much again of what is not shown.
const rawUnits = 4;

function strip(text: string): string {
	if (!dirty.test(text)) return text.toWellFormed();
	return text
		.toWellFormed()
		.replace(escapeSequence, "")
		.replace(/\r\n|[\u2028\u2029]/g, "\n")
		.replace(hidden, "");
}
