/** A part of a shell command: one simple command, or the begin or end of a subshell. */
type ShellStep = { kind: "command"; words: string[]; piped: boolean } | { kind: "open" } | { kind: "close" };

/**
 * Splits a shell command into its simple commands, with quotes removed and redirections, comments and here-documents
 * left out. Expansions stay as they are written, since nothing here may run. Any text gives an answer.
 */
export function shellSteps(text: string): ShellStep[] {
	const scan: Scan = {
		text,
		at: 0,
		steps: [],
		words: [],
		word: undefined,
		piped: false,
		target: undefined,
		heredocs: [],
	};
	while (scan.at < text.length) readToken(scan);
	endCommand(scan, false);
	return scan.steps;
}

interface Scan {
	readonly text: string;
	at: number;
	readonly steps: ShellStep[];
	words: string[];
	/** The word being read; undefined between words, since a quoted word can be empty. */
	word: string | undefined;
	/** The command reads from a pipe. */
	piped: boolean;
	/** The redirection whose target the next word is. */
	target: string | undefined;
	/** Here-documents whose bodies start at the next line. */
	heredocs: { delimiter: string; stripTabs: boolean }[];
}

function readToken(scan: Scan): void {
	const { text, at } = scan;
	const character = text[at] ?? "";
	switch (character) {
		case " ":
		case "\t":
			endWord(scan);
			scan.at += 1;
			return;
		case "\n":
			endCommand(scan, false);
			scan.at += 1;
			skipHeredocs(scan);
			return;
		case ";":
		case "|":
		case "&":
		case "<":
		case ">":
			readOperator(scan);
			return;
		case "(":
		case ")":
			endCommand(scan, false);
			scan.steps.push({ kind: character === "(" ? "open" : "close" });
			scan.at += 1;
			return;
		case "#":
			if (scan.word === undefined) scan.at = indexOrEnd(text, "\n", at);
			else readPart(scan, character, at + 1);
			return;
		case "\\":
			// A backslash before the end of the line joins the lines.
			if (text[at + 1] === "\n") scan.at += 2;
			else readPart(scan, text[at + 1] ?? "", at + 2);
			return;
		case "'":
			readPart(scan, text.slice(at + 1, indexOrEnd(text, "'", at + 1)), endOfPart(text, at));
			return;
		case '"':
			readDoubleQuoted(scan);
			return;
		default: {
			const end = endOfPart(text, at);
			readPart(scan, text.slice(at, end), end);
		}
	}
}

function readOperator(scan: Scan): void {
	const operators = /;+&?|&>>?|&&|\|\||\|&|<<<|<<-?|<>|<&|>>|>&|>\||[&|<>]/y;
	operators.lastIndex = scan.at;
	const operator = operators.exec(scan.text)?.[0] ?? "";
	scan.at += operator.length;
	if (!/[<>]/.test(operator)) {
		endCommand(scan, operator === "|" || operator === "|&");
		return;
	}
	// In `2>file` the number says which output; it is no word.
	if (/^\d+$/.test(scan.word ?? "")) scan.word = undefined;
	endWord(scan);
	scan.target = operator;
}

function readDoubleQuoted(scan: Scan): void {
	const end = endOfPart(scan.text, scan.at);
	const inner = scan.text.slice(scan.at + 1, scan.text[end - 1] === '"' && end > scan.at + 1 ? end - 1 : end);
	readPart(
		scan,
		inner.replace(/\\([\\"$`\n])/g, (_, escaped: string) => (escaped === "\n" ? "" : escaped)),
		end,
	);
}

function readPart(scan: Scan, part: string, end: number): void {
	scan.word = (scan.word ?? "") + part;
	scan.at = end;
}

function endWord(scan: Scan): void {
	const { word, target } = scan;
	if (word === undefined) return;
	scan.word = undefined;
	scan.target = undefined;
	if (target === undefined) scan.words.push(word);
	else if (target === "<<" || target === "<<-") {
		scan.heredocs.push({ delimiter: word, stripTabs: target === "<<-" });
	}
}

function endCommand(scan: Scan, piped: boolean): void {
	endWord(scan);
	if (scan.words.length > 0) {
		scan.steps.push({ kind: "command", words: scan.words, piped: scan.piped || piped });
	}
	scan.words = [];
	scan.piped = piped;
	scan.target = undefined;
}

function skipHeredocs(scan: Scan): void {
	for (const { delimiter, stripTabs } of scan.heredocs.splice(0)) {
		for (let ended = false; !ended && scan.at < scan.text.length; ) {
			const end = indexOrEnd(scan.text, "\n", scan.at);
			const line = scan.text.slice(scan.at, end);
			ended = (stripTabs ? line.replace(/^\t+/, "") : line) === delimiter;
			scan.at = end + 1;
		}
	}
}

/** The index after the quoted or nested part that starts here, or after one plain character. */
function endOfPart(text: string, at: number): number {
	const character = text[at];
	if (text.startsWith("$(", at)) return endOfNested(text, at + 2, "(", ")");
	if (text.startsWith("${", at)) return endOfNested(text, at + 2, "{", "}");
	if (character === "'") return Math.min(indexOrEnd(text, "'", at + 1) + 1, text.length);
	if (character !== '"' && character !== "`") return at + 1;
	let index = at + 1;
	while (index < text.length && text[index] !== character) {
		// A single quote means nothing between double quotes.
		if (text[index] === "\\") index += 2;
		else index = text[index] === "'" ? index + 1 : endOfPart(text, index);
	}
	return Math.min(index + 1, text.length);
}

function endOfNested(text: string, start: number, open: string, close: string): number {
	let depth = 1;
	let index = start;
	while (index < text.length && depth > 0) {
		if (text[index] === open) depth += 1;
		if (text[index] === close) depth -= 1;
		index = text[index] === "\\" ? index + 2 : endOfPart(text, index);
	}
	return Math.min(index, text.length);
}

function indexOrEnd(text: string, part: string, from: number): number {
	const index = text.indexOf(part, from);
	return index === -1 ? text.length : index;
}
