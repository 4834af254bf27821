import { type Brackets, matchBrackets } from "./brackets.ts";
import { lineAt, mask } from "./mask.ts";

/** A function of a source, whatever its notation. */
export interface FunctionSpan {
	name: string;
	firstLine: number;
	/** Lines from its head to its end, nested functions included. */
	lines: number;
	/** Offsets of its body in the source; `end` is the last character. */
	start: number;
	end: number;
	/** An arrow without braces. */
	expression: boolean;
	/** The first word of what it is handed to: `test` in `test.each(rows)("…", () => {})`. */
	handedTo: string | undefined;
}

/** Finds functions, methods and arrow functions in well-formatted TypeScript, outer ones first. */
export function functionsOf(source: string): FunctionSpan[] {
	const { code } = mask(source);
	const brackets = matchBrackets(code);
	const bodies = new Map<number, FunctionSpan>();
	for (const [open, close] of brackets.closeOf) {
		if (code[open] !== "(") continue;
		const head = headBefore(code, open);
		const body = bodyAfter(code, close + 1, { brackets, mayBeArrow: beforeArrow.test(head.word) });
		// Of two heads for one body the first is meant: the second stands in its return type.
		if (body === undefined || bodies.has(body.start) || notFunctions.has(head.word) || head.isBase) continue;
		const end = body.expression ? endOfExpression(code, body.start, brackets) : brackets.closeOf.get(body.start);
		if (end === undefined) continue;
		const firstLine = lineAt(source, head.start);
		const lines = lineAt(source, end) - firstLine + 1;
		const handedTo = handedToAt(code, open, brackets);
		bodies.set(body.start, { name: head.name, firstLine, lines, ...body, end, handedTo });
	}
	return [...bodies.values()].sort((a, b) => a.start - b.start);
}

interface Body {
	start: number;
	expression: boolean;
}

/** Words before a parenthesis and a block that make no function. */
const notFunctions = new Set(["if", "for", "while", "switch", "catch", "with", "await"]);
/** A word, or none, before the parameters of an arrow; any other names a function or a method. */
const beforeArrow = /^(?:|async|return|default|yield|await|case|throw|typeof|void)$/;
/** Words within a type that more must follow. */
const typeModifiers = /^(?:is|extends|keyof|typeof|infer|readonly|asserts|unique|in|new|abstract)$/;

interface Context {
	brackets: Brackets;
	mayBeArrow: boolean;
}

function bodyAfter(code: string, from: number, context: Context): Body | undefined {
	const at = skipSpace(code, from);
	if (code[at] === "{") return { start: at, expression: false };
	if (code.startsWith("=>", at)) {
		const start = skipSpace(code, at + 2);
		return { start, expression: code[start] !== "{" };
	}
	return code[at] === ":" ? bodyAfterType(code, at + 1, context) : undefined;
}

/** Reads over a return type; a brace begins the body only where the type can end. */
function bodyAfterType(code: string, from: number, { brackets, mayBeArrow }: Context): Body | undefined {
	let complete = false;
	let angles = 0;
	for (let at = skipSpace(code, from); at < code.length; at = skipSpace(code, at)) {
		const char = code.charAt(at);
		const word = /^[\w$]+/.exec(code.slice(at, at + 80))?.[0];
		if (code.startsWith("=>", at)) {
			const start = skipSpace(code, at + 2);
			if (code[start] === "{" && angles === 0 && mayBeArrow) return { start, expression: false };
			complete = false;
			at += 2;
		} else if (word !== undefined) {
			const modifier = typeModifiers.test(word);
			if (complete && !modifier) return undefined;
			complete = !modifier;
			at += word.length;
		} else if (char === "{" && complete) {
			return angles === 0 ? { start: at, expression: false } : undefined;
		} else if ("{([".includes(char)) {
			at = (brackets.closeOf.get(at) ?? code.length) + 1;
			complete = true;
		} else if ("\"'`".includes(char)) {
			at = code.indexOf(char, at + 1) + 1;
			complete = true;
		} else if ("<>|&.?:-".includes(char) || (char === "," && angles > 0)) {
			angles += char === "<" ? 1 : char === ">" ? -1 : 0;
			complete = char === ">";
			at += 1;
		} else return undefined;
	}
	return undefined;
}

function headBefore(code: string, open: number): { start: number; word: string; name: string; isBase: boolean } {
	const beforeParameters = skipTypeParameters(code, code.slice(0, open).trimEnd().length);
	const before = code.slice(Math.max(0, beforeParameters - 200), beforeParameters);
	const word = /[#\w$]+$/.exec(before)?.[0] ?? "";
	const named = word === "" || word === "async" || word === "function";
	const assigned = /([#\w$]+)\s*(?:=|:)\s*(?:async\s*|function\s*)*$/.exec(before)?.[1];
	return {
		start: named ? open : beforeParameters - word.length,
		word,
		name: named ? (assigned ?? "a function") : word,
		isBase: /\bextends\s+[#\w$]+$/.test(before),
	};
}

function skipTypeParameters(code: string, end: number): number {
	if (code[end - 1] !== ">" || code[end - 2] === "=") return end;
	let depth = 0;
	for (let at = end - 1; at >= 0; at -= 1) {
		if (code[at] === ">" && code[at - 1] !== "=") depth += 1;
		if (code[at] === "<") depth -= 1;
		if (depth === 0) return at;
	}
	return end;
}

function endOfExpression(code: string, from: number, brackets: Brackets): number {
	for (let at = from; at < code.length; at += 1) {
		const close = brackets.closeOf.get(at);
		if (close !== undefined) at = close;
		else if (",;)]}".includes(code.charAt(at))) return at - 1;
	}
	return code.length - 1;
}

function handedToAt(code: string, open: number, brackets: Brackets): string | undefined {
	let at = brackets.parentOf.get(open);
	if (at === undefined || code[at] !== "(") return undefined;
	for (;;) {
		const before = code.slice(0, at).trimEnd();
		if (!before.endsWith(")")) return /([\w$]+)(?:\.[\w$]+)*$/.exec(before.slice(-200))?.[1];
		at = brackets.openOf.get(before.length - 1) ?? 0;
	}
}

function skipSpace(code: string, from: number): number {
	let at = from;
	while (at < code.length && /\s/.test(code.charAt(at))) at += 1;
	return at;
}
