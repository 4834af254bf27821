import { limits } from "../../runtime/limits.ts";
import type { AnnouncedMode } from "../spec.ts";
import { scan, type Token } from "./scan.ts";

/** What a plugin file says about itself without being run. */
export interface StaticFacts {
	description?: string;
	announcedModes: AnnouncedMode[];
	/** Each begins with the file's name and the line. */
	warnings: string[];
}

/** What the file says that cannot be used, and is ignored. */
export interface StaticNote {
	about: "description" | "mode" | "rest";
	/** Counts from 1; none for what is about the whole file. */
	line?: number;
	message: string;
}

/**
 * Reads the text of a plugin file, or its beginning, for `export const description = "…"` and for comments
 * `// @amp-agent-mode {"key":"…","label":"…"}`. What cannot be used is ignored with a warning.
 *
 * @param fileName how warnings call the file
 */
export function readStatic(text: string, fileName: string): StaticFacts {
	const { notes, ...facts } = readNotes(text);
	const place = ({ line }: StaticNote) => (line === undefined ? fileName : `${fileName}:${line}`);
	return { ...facts, warnings: notes.map((note) => `${place(note)}: ${note.message}`) };
}

/** The same with what cannot be used as it is, for whoever shows each in its place. */
export function readNotes(text: string): Omit<StaticFacts, "warnings"> & { notes: StaticNote[] } {
	const facts: ReturnType<typeof readNotes> = { announcedModes: [], notes: [] };
	const last = findLastTrace(text);
	if (last === undefined) return facts;
	let wrong = 0;
	const warnAbout = (about: StaticNote["about"]) => (line: number, message: string) => {
		if (++wrong <= warningsMax) facts.notes.push({ about, line, message });
	};
	const tokens = readTokens(text, last, warnAbout("rest"));
	readModes(tokens, facts.announcedModes, warnAbout("mode"));
	const description = readDescription(text, tokens, warnAbout("description"));
	if (description !== undefined) facts.description = description;
	const untold = `${wrong - warningsMax} more of this kind are not told`;
	if (wrong > warningsMax) facts.notes.push({ about: "rest", message: untold });
	return facts;
}

type Warn = (line: number, message: string) => void;

// Files of strangers are read before anything starts; some thousand lines of code have so many tokens.
const tokensMax = 20_000;
// What may follow the name of a description that belongs to it.
const tokensAfterMax = 64;
const warningsMax = 20;

/** Where the last word is that could be of an export or a mode comment. Most files hold none, or only at their top. */
function findLastTrace(text: string): number | undefined {
	const comment = text.lastIndexOf("@amp-agent-mode");
	const first = Math.max(comment, 0);
	for (let at = text.lastIndexOf("description"); at > first; at = text.lastIndexOf("description", at - 1)) {
		// In what every plugin has, its default export, the word names something else.
		if (/export(?!\s+default\b)[^=;]*$/.test(text.slice(Math.max(0, at - 206), at))) return at;
	}
	return comment < 0 ? undefined : comment;
}

/** The tokens up to a place, and those that may belong to what stands there. */
function readTokens(text: string, last: number, warn: Warn): Token[] {
	const tokens: Token[] = [];
	let after = 0;
	for (const token of scan(text)) {
		if (token.start > last && ++after > tokensAfterMax) break;
		if (tokens.length === tokensMax) {
			warn(token.line, "from here on no description and no mode comment is looked for: too much code comes before");
			break;
		}
		tokens.push(token);
	}
	return tokens;
}

function readModes(tokens: Token[], modes: AnnouncedMode[], warn: Warn): void {
	for (const token of tokens) {
		const json = token.kind === "comment" ? /^\/\/\s*@amp-agent-mode(?!\S)(.*)$/u.exec(token.text)?.[1] : undefined;
		if (json === undefined) continue;
		const mode = parseMode(json);
		if (mode === undefined) {
			warn(token.line, 'the comment @amp-agent-mode is ignored: expected {"key":"…","label":"…"} after it');
		} else modes.push({ ...mode, line: token.line });
	}
}

function parseMode(json: string): { key: string; label: string } | undefined {
	try {
		const value: unknown = JSON.parse(json);
		if (typeof value !== "object" || value === null || !("key" in value) || !("label" in value)) return undefined;
		const { key, label } = value;
		return typeof key === "string" && typeof label === "string" && key !== "" && label !== ""
			? { key, label }
			: undefined;
	} catch {
		return undefined;
	}
}

function readDescription(text: string, tokens: Token[], warn: Warn): string | undefined {
	const code = tokens.filter((token) => token.kind !== "comment");
	const at = code.findIndex((_, index) => exportsDescription(code, index));
	if (at < 0) return undefined;
	const line = code[at]?.line ?? 1;
	const description = readLiteral(text, code, at);
	if (description === undefined) {
		warn(line, 'the description is ignored: it must be written as export const description = "…"');
		return undefined;
	}
	const length = [...description].length;
	if (length <= limits.text.descriptionCharsMax) return description;
	const reason = `it has ${length} characters, and ${limits.text.descriptionCharsMax} are allowed`;
	warn(line, `the description is ignored: ${reason}`);
	return undefined;
}

const declarators = new Set(["const", "let", "var", "function", "class", "enum"]);

/** Whether the token at `index` begins the export of a value named `description`. */
function exportsDescription(code: Token[], index: number): boolean {
	const token = code[index];
	if (token?.text !== "export" || token.kind !== "word" || token.depth > 0 || code[index - 1]?.text === ".")
		return false;
	const next = code[index + 1]?.text ?? "";
	if (next === "async") return code[index + 3]?.text === "description";
	if (declarators.has(next)) return code[index + 2]?.text === "description";
	if (next !== "{") return false;
	for (let at = index + 2; at < code.length && code[at]?.text !== "}"; at++) {
		// In `description as other` another name is exported.
		if (code[at]?.text === "description" && code[at + 1]?.text !== "as" && code[at - 1]?.text !== "type") return true;
	}
	return false;
}

/** The value of `export const description: Type = "literal"`, when that is what stands at `index`. */
function readLiteral(text: string, code: Token[], index: number): string | undefined {
	if (code[index + 1]?.text !== "const") return undefined;
	let at = index + 3;
	if (code[at]?.text === ":") while (at < code.length && code[at]?.text !== "=") at++;
	const literal = code[at + 1];
	if (code[at]?.text !== "=" || literal === undefined || !isLiteral(literal)) return undefined;
	if (!endsAfter(text, literal, code[at + 2])) return undefined;
	return decode(literal.text);
}

function isLiteral({ kind, text }: Token): boolean {
	return kind === "string" || (kind === "template" && text.startsWith("`") && text.endsWith("`"));
}

/** Whether the expression is over after a literal, given the token that follows. */
function endsAfter(text: string, literal: Token, next: Token | undefined): boolean {
	if (next === undefined || /^(?:;|,|as|satisfies)$/.test(next.text)) return true;
	const between = text.slice(literal.start + literal.text.length, next.start);
	if (!/[\n\r\u2028\u2029]/.test(between)) return false;
	return (
		next.kind === "string" ||
		(next.kind === "word" && !/^(?:in|instanceof)$/.test(next.text)) ||
		/^[@{}]/.test(next.text)
	);
}

const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", v: "\v", "0": "\0" };

/** The value of a string or template literal without placeholders. */
function decode(literal: string): string {
	const pattern = /\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|(\r\n|[\s\S]))|\r\n/g;
	return literal.slice(1, -1).replace(pattern, (whole: string, ...groups: (string | undefined)[]) => {
		const [braced, unit, byte, single] = groups;
		const hex = braced ?? unit ?? byte;
		if (hex !== undefined) return fromHex(hex);
		// A template literal turns line ends into line feeds; an escaped line end is nothing.
		if (single === undefined) return "\n";
		return /[\n\r\u2028\u2029]/.test(single) ? "" : (escapes[single] ?? whole.slice(1));
	});
}

function fromHex(hex: string): string {
	const point = Number.parseInt(hex, 16);
	return point > 0x10ffff ? "\ufffd" : String.fromCodePoint(point);
}
