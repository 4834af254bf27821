/** Text of several lines as a dialog may show it: no control characters but line feed and tab, at most `charsMax` code points. */
export function cleanText(text: string, charsMax: number): string {
	return cut(strip(text), charsMax);
}

/** Text of one line as a dialog may show it: line breaks and tabs are spaces, at most `charsMax` code points. */
export function cleanLine(text: string, charsMax: number): string {
	return cut(strip(text).replace(/[\n\t]/g, " "), charsMax);
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

// Bidirectional overrides and isolates can make a text read as another one.
const bidirectional = /[\u202A-\u202E\u2066-\u2069]/g;

function strip(text: string): string {
	return text
		.toWellFormed()
		.replace(escapeSequence, "")
		.replaceAll("\r\n", "\n")
		.replace(/[^\P{Cc}\n\t]/gu, "")
		.replace(bidirectional, "");
}
