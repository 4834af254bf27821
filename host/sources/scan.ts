/** What a piece of source text is. */
export type TokenKind = "word" | "string" | "template" | "regex" | "comment" | "mark" | "broken";

/** A piece of source text; blanks lie between. */
export interface Token {
	/** `word` includes numbers; `template` has no placeholder or is a part beside one; `broken` has no end. */
	kind: TokenKind;
	text: string;
	start: number;
	/** Counts from 1. */
	line: number;
	/** How many brackets of any kind are open around it. */
	depth: number;
}

/**
 * Splits JavaScript or TypeScript into tokens, well enough to tell code from strings and comments.
 * Where a slash may divide or begin a regular expression, it goes by the token before; markup text is read as code.
 */
export function* scan(source: string): Generator<Token> {
	const open = new OpenBrackets();
	const expressions = new Expressions(source);
	let line = 1;
	let previous: Token | undefined;
	for (let offset = 0; offset < source.length; ) {
		const blank = matchAt(blankPattern, source, offset);
		if (blank !== undefined) {
			line += countLineEnds(blank);
			offset += blank.length;
			continue;
		}
		const closesPlaceholder = open.close(source.charAt(offset)) === "${";
		const { kind, end } = readToken(source, offset, previous, closesPlaceholder, expressions);
		const token: Token = { kind, text: source.slice(offset, end), start: offset, line, depth: open.depth };
		yield token;
		if (kind === "template" && token.text.endsWith("${")) open.push("${");
		else if (kind === "mark" && pairs.has(token.text)) open.push(token.text);
		if (kind !== "comment") previous = token;
		if (kind !== "word" && kind !== "mark") line += countLineEnds(token.text);
		offset = end;
	}
}

const pairs = new Map([
	["{", "}"],
	["${", "}"],
	["(", ")"],
	["[", "]"],
]);
const blankPattern = /[\s\uFEFF]+/uy;
const wordPattern = /[$#_\p{L}\p{M}\p{N}\u200c\u200d]+/uy;
const lineCommentPattern = /(?:\/\/|#!)[^\n\r\u2028\u2029]*/y;
// What looks like the begin of a longer one is a division; each search for an end is short.
const regexCharsMax = 500;
// So much may be read in vain, in a whole text; after that every slash divides.
const vainCharsMax = 64 * 1_024;
// After one of these a value is expected, so that a slash begins a regular expression.
const operatorWords =
	/^(?:await|case|delete|do|else|extends|in|instanceof|new|of|return|throw|typeof|void|yield|default)$/;

/** The brackets that are open; a scan stays linear in the text, which may be hostile. */
class OpenBrackets {
	readonly #open: string[] = [];
	#braces = 0;

	get depth(): number {
		return this.#open.length;
	}

	push(opener: string): void {
		this.#open.push(opener);
		if (pairs.get(opener) === "}") this.#braces++;
	}

	/** Takes the bracket that a character closes from the open ones. @returns it */
	close(character: string): string | undefined {
		if (character === "}") return this.#closeBrace();
		const innermost = this.#open.at(-1);
		// A parenthesis in markup text must not close one that lies outside of the braces around it.
		return innermost !== undefined && pairs.get(innermost) === character ? this.#open.pop() : undefined;
	}

	#closeBrace(): string | undefined {
		if (this.#braces === 0) return undefined;
		this.#braces--;
		let opener: string | undefined;
		// What markup text left open inside of the braces goes with them.
		do opener = this.#open.pop();
		while (opener !== undefined && pairs.get(opener) !== "}");
		return opener;
	}
}

type Piece = { kind: TokenKind; end: number };

function readToken(
	source: string,
	offset: number,
	previous: Token | undefined,
	inTemplate: boolean,
	expressions: Expressions,
): Piece {
	const first = source.charAt(offset);
	if (first === "`" || inTemplate) return readTemplate(source, offset);
	if (first === '"' || first === "'") return readString(source, offset, first);
	if (first === "/" || (first === "#" && offset === 0)) {
		const comment = readComment(source, offset);
		if (comment !== undefined) return comment;
	}
	if (first === "/" && expectsValue(previous)) {
		const end = expressions.findEnd(offset);
		if (end !== undefined) return { kind: "regex", end };
	}
	const word = matchAt(wordPattern, source, offset);
	return word === undefined ? { kind: "mark", end: offset + 1 } : { kind: "word", end: offset + word.length };
}

function readComment(source: string, offset: number): Piece | undefined {
	const line = matchAt(lineCommentPattern, source, offset);
	if (line !== undefined) return { kind: "comment", end: offset + line.length };
	if (!source.startsWith("/*", offset)) return undefined;
	const end = source.indexOf("*/", offset + 2);
	return end < 0 ? { kind: "broken", end: source.length } : { kind: "comment", end: end + 2 };
}

function readString(source: string, offset: number, quote: string): Piece {
	for (let at = offset + 1; at < source.length; at++) {
		const character = source[at];
		if (character === quote) return { kind: "string", end: at + 1 };
		// An apostrophe in markup text must not swallow what follows its line.
		if (character === "\n" || character === "\r") return { kind: "broken", end: at };
		if (character === "\\") at += source.startsWith("\r\n", at + 1) ? 2 : 1;
	}
	return { kind: "broken", end: source.length };
}

/** Reads to the closing backtick or to the next placeholder, from a backtick or from the end of a placeholder. */
function readTemplate(source: string, offset: number): Piece {
	for (let at = offset + 1; at < source.length; at++) {
		const character = source[at];
		if (character === "`") return { kind: "template", end: at + 1 };
		if (character === "$" && source[at + 1] === "{") return { kind: "template", end: at + 2 };
		if (character === "\\") at++;
	}
	return { kind: "broken", end: source.length };
}

function expectsValue(previous: Token | undefined): boolean {
	if (previous === undefined) return true;
	if (previous.kind === "word") return operatorWords.test(previous.text);
	if (previous.kind === "template") return previous.text.endsWith("${");
	// A closing tag begins with "<" and a slash.
	return previous.kind === "mark" && !/[})\]<]/.test(previous.text);
}

/** The regular expressions of a text; a scan stays linear in a text full of slashes that begin none. */
class Expressions {
	readonly #source: string;
	#vainChars = 0;

	constructor(source: string) {
		this.#source = source;
	}

	/** Where the one ends that begins at a slash, if one does. */
	findEnd(offset: number): number | undefined {
		if (this.#vainChars > vainCharsMax) return undefined;
		const { end, read } = this.#read(offset);
		if (end === undefined) this.#vainChars += read - offset;
		return end;
	}

	#read(offset: number): { end?: number; read: number } {
		let inClass = false;
		const last = Math.min(this.#source.length, offset + regexCharsMax);
		for (let at = offset + 1; at < last; at++) {
			const character = this.#source.charAt(at);
			if (character === "\n" || character === "\r") return { read: at };
			if (character === "\\") at++;
			else if (character === "[") inClass = true;
			else if (character === "]") inClass = false;
			else if (character === "/" && !inClass) {
				const flags = matchAt(/[a-z]*/y, this.#source, at + 1) ?? "";
				return { end: at + 1 + flags.length, read: at };
			}
		}
		return { read: last };
	}
}

function countLineEnds(text: string): number {
	return text.match(/\r\n|[\n\r\u2028\u2029]/g)?.length ?? 0;
}

function matchAt(pattern: RegExp, source: string, offset: number): string | undefined {
	pattern.lastIndex = offset;
	return pattern.exec(source)?.[0];
}
