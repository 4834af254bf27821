import {
	block,
	type CommandFrame,
	cannotPlace,
	commandFrame,
	type Frame,
	type HeredocFrame,
	inHeredoc,
	opaque,
	type Script,
	topOf,
} from "./shell-frames.ts";
import { endHeredocLine, openHeredocs, readHeredocOperator } from "./shell-heredoc.ts";

/** Where a value stands. */
export type Place =
	| { kind: "word"; assignment: boolean; redirect: boolean }
	| { kind: "double" | "single" | "comment" | "arithmetic" }
	| { kind: "heredoc"; quoted: boolean; losesTab(text: string): boolean };

/** Reads the next piece of the author's own text. */
export function readLiteral(script: Script, text: string): void {
	script.openDollar = false;
	let at = 0;
	while (at < text.length) {
		const frame = topOf(script);
		const nestedInHeredoc = frame.kind !== "heredoc" && inHeredoc(script);
		const length = readNext(script, frame, text, at);
		// A here-document is cut into lines before what it nests is parsed, so these lines may end it.
		if (nestedInHeredoc && text.slice(at, at + length).includes("\n")) {
			block(script, "a substitution of several lines in a here-document");
		}
		at += length;
	}
}

/**
 * Says where a value stands that follows now.
 * @throws TypeError where no way of writing it is safe in every `sh`
 */
export function placeOf(script: Script): Place {
	if (script.obstacle !== undefined) throw cannotPlace(`after ${script.obstacle}`);
	const frame = topOf(script);
	if (frame.kind === "arithmetic" && script.openDollar) throw cannotPlace("after a $ in arithmetic");
	if (frame.kind === "heredoc") {
		const { quoted = true, stripTabs = true } = frame.queue[0] ?? {};
		const begins = /^\t*$/.test(frame.line);
		const losesTab = (text: string) => stripTabs && (/\n\t/.test(text) || (begins && text.startsWith("\t")));
		return { kind: "heredoc", quoted, losesTab };
	}
	if (frame.kind === "arithmetic") return { kind: frame.kind };
	if (inHeredoc(script)) throw cannotPlace("in a substitution in a here-document");
	if (frame.kind !== "command") return { kind: frame.kind };
	return { kind: "word", assignment: /^[A-Za-z_]\w*\+?=/.test(frame.word), redirect: frame.redirect };
}

/** Takes note of a value as it was written at the place. */
export function readPlaced(script: Script, text: string): void {
	const frame = topOf(script);
	if (frame.kind === "command" && text !== "") frame.word += opaque;
	if (frame.kind !== "heredoc") return;
	for (const [index, line] of text.split("\n").entries()) {
		if (index > 0) endHeredocLine(script, frame);
		frame.line += line;
		frame.holdsValue = true;
	}
}

/** Reads one token of the text and gives its length; 0 when only the frame changed. */
function readNext(script: Script, frame: Frame, text: string, at: number): number {
	switch (frame.kind) {
		case "command":
			return readCommand(script, frame, text, at);
		case "heredoc":
			return readHeredoc(script, frame, text, at);
		case "arithmetic":
			return readArithmetic(script, frame, text, at);
		case "double":
			if (text[at] === '"') script.frames.pop();
			return readExpandable(script, text, at);
		case "single":
			if (text[at] === "'") script.frames.pop();
			return 1;
		case "comment":
			if (text[at] !== "\n") return 1;
			script.frames.pop();
			return 0;
	}
}

function readCommand(script: Script, frame: CommandFrame, text: string, at: number): number {
	const character = text[at] ?? "";
	switch (character) {
		case " ":
		case "\t":
			endWord(script, frame);
			return 1;
		case "\n":
			endCommand(script, frame);
			openHeredocs(script, frame);
			return 1;
		case ";":
			endCommand(script, frame);
			return 1;
		case "&":
		case "|":
			if (!frame.redirect || frame.word !== "") endCommand(script, frame);
			return 1;
		case "<":
		case ">":
			endWord(script, frame);
			frame.redirect = true;
			if (text.startsWith("<<<", at)) return 3;
			return text.startsWith("<<", at) ? readHeredocOperator(script, frame, text, at) : 1;
		case "(":
		case ")":
			return readParenthesis(script, frame, text, at);
		case "#":
			if (frame.word === "") script.frames.push({ kind: "comment" });
			else frame.word += character;
			return 1;
		case "\\":
			if (text[at + 1] !== "\n") frame.word += opaque;
			return readExpandable(script, text, at);
		case "'":
		case '"':
			frame.word += opaque;
			script.frames.push({ kind: character === '"' ? "double" : "single" });
			return 1;
		case "$":
			if (text[at + 1] === "'") block(script, "$'");
			frame.word += opaque;
			return readExpandable(script, text, at);
		default:
			frame.word += character;
			return readExpandable(script, text, at);
	}
}

function readParenthesis(script: Script, frame: CommandFrame, text: string, at: number): number {
	endCommand(script, frame);
	if (text.startsWith("((", at)) {
		// Arithmetic in some shells, two subshells in others: the stricter rules serve both.
		script.frames.push({ kind: "arithmetic", depth: 2 });
		return 2;
	}
	if (!frame.nested) return 1;
	frame.depth += text[at] === "(" ? 1 : -1;
	if (frame.depth >= 0) return 1;
	if (frame.heredocs.length > 0) block(script, "a here-document that starts inside $( ) and goes on after it");
	script.frames.pop();
	return 1;
}

/** Reads what means the same unquoted, in double quotes and in here-documents: backslash, backquote, dollar. */
function readExpandable(script: Script, text: string, at: number): number {
	if (text[at] === "`") block(script, "a backquote (use $( ) instead)");
	if (text[at] === "\\") {
		if (at + 1 === text.length) block(script, "a backslash");
		return 2;
	}
	if (text[at] !== "$") return 1;
	if (at + 1 === text.length) script.openDollar = true;
	if (text.startsWith("$((", at)) {
		script.frames.push({ kind: "arithmetic", depth: 2 });
		return 3;
	}
	if (text.startsWith("$(", at)) {
		script.frames.push(commandFrame(true));
		return 2;
	}
	if (text.startsWith("${", at)) {
		const simple = /^\$\{#?(?:\w+|[#?@*!$-])\}/.exec(text.slice(at, at + 256));
		if (simple === null) block(script, "a parameter expansion with more than a name in it");
		return simple?.[0].length ?? 2;
	}
	if (text[at + 1] === "[") block(script, "$[ ]");
	return text[at + 1] === "$" || text[at + 1] === "#" ? 2 : 1;
}

function readArithmetic(
	script: Script,
	frame: { kind: "arithmetic"; depth: number },
	text: string,
	at: number,
): number {
	const character = text[at] ?? "";
	if ("'\"#\n".includes(character)) block(script, "arithmetic with quotes, comments or several lines");
	if (character === "(") frame.depth += 1;
	if (character === ")") frame.depth -= 1;
	if (frame.depth === 0) script.frames.pop();
	if (!text.startsWith("<<", at)) return readExpandable(script, text, at);
	if (!/^<<[ \t]*\d/.test(text.slice(at, at + 32))) block(script, "<< in arithmetic");
	return 2;
}

function readHeredoc(script: Script, frame: HeredocFrame, text: string, at: number): number {
	if (text[at] === "\n") {
		endHeredocLine(script, frame);
		return 1;
	}
	const length = frame.queue[0]?.quoted ? 1 : readExpandable(script, text, at);
	frame.line += text.slice(at, at + length);
	return length;
}

function endWord(script: Script, frame: CommandFrame): void {
	// The patterns of `case` close parentheses that nothing opened, so the end of $( ) is no longer known.
	if (frame.nested && frame.word === "case") block(script, "`case` inside $( )");
	if (frame.word !== "") frame.redirect = false;
	frame.word = "";
}

function endCommand(script: Script, frame: CommandFrame): void {
	endWord(script, frame);
	frame.redirect = false;
}
