import type { Json } from "../../runtime/records.ts";

/** A text that is no JSON, and where; line and column count from 1. */
export class JsoncError extends Error {
	readonly line: number;
	readonly column: number;

	constructor(message: string, text: string, offset: number) {
		super(message);
		this.name = "JsoncError";
		const before = text.slice(0, offset).split(/\r\n|\r|\n/);
		this.line = before.length;
		this.column = (before.at(-1)?.length ?? 0) + 1;
	}
}

/**
 * Parses JSON with comments and trailing commas. It exists because the parsers at hand tell no position,
 * and `Bun.JSONC` ignores what follows the value. A member named `__proto__` is left out.
 *
 * @param options.strict takes neither comments nor trailing commas
 * @throws JsoncError at the first character that does not fit
 */
export function parseJsonc(text: string, { strict = false } = {}): Json {
	const reader: Reader = { text, offset: 0, strict };
	const value = readValue(reader, 0);
	skipBlank(reader);
	if (reader.offset < text.length) throw wrong(reader, `nothing may follow the value, but ${found(reader)} does`);
	return value;
}

/** Where a member of the outermost object stands in its text, as offsets. */
export interface MemberPlace {
	key: string;
	start: number;
	valueStart: number;
	end: number;
	/** The comma that follows it, if one does. */
	comma: number | undefined;
}

/** Where the braces of the outermost object and its members stand. */
export interface ObjectPlace {
	open: number;
	close: number;
	members: MemberPlace[];
}

/** Finds the members of the outermost object; one that stands twice is found twice. @throws JsoncError */
export function locateMembers(text: string): ObjectPlace {
	const reader: Reader = { text, offset: 0, strict: false };
	const members: MemberPlace[] = [];
	skipBlank(reader);
	const open = reader.offset;
	readList(reader, "}", () => {
		const start = reader.offset;
		const key = readKey(reader);
		skipBlank(reader);
		const valueStart = reader.offset;
		readValue(reader, 1);
		const end = reader.offset;
		skipBlank(reader);
		members.push({ key, start, valueStart, end, comma: text[reader.offset] === "," ? reader.offset : undefined });
		reader.offset = end;
	});
	return { open, close: reader.offset - 1, members };
}

interface Reader {
	text: string;
	offset: number;
	strict: boolean;
}

// No settings of a person are nested like this, and the stack of the host has an end.
const depthMax = 100;

function readValue(reader: Reader, depth: number): Json {
	skipBlank(reader);
	if (depth > depthMax) throw wrong(reader, `values are nested more than ${depthMax} deep`);
	const first = reader.text[reader.offset];
	if (first === "{") return readObject(reader, depth);
	if (first === "[") return readArray(reader, depth);
	if (first === '"') return readString(reader);
	const word = match(reader, /[A-Za-z]+/y);
	if (word !== undefined) return readWord(reader, word);
	return readNumber(reader);
}

function readObject(reader: Reader, depth: number): Json {
	const members: [string, Json][] = [];
	readList(reader, "}", () => {
		const key = readKey(reader);
		const value = readValue(reader, depth + 1);
		// Whoever assigns it to another object would change that object's prototype.
		if (key !== "__proto__") members.push([key, value]);
	});
	return Object.fromEntries(members);
}

/** Reads the name of a member and the colon behind it. */
function readKey(reader: Reader): string {
	if (reader.text[reader.offset] !== '"')
		throw wrong(reader, `expected a name in double quotes, found ${found(reader)}`);
	const key = readString(reader);
	skipBlank(reader);
	if (reader.text[reader.offset] !== ":") throw wrong(reader, `expected ":" after "${key}", found ${found(reader)}`);
	reader.offset++;
	return key;
}

function readArray(reader: Reader, depth: number): Json {
	const items: Json[] = [];
	readList(reader, "]", () => items.push(readValue(reader, depth + 1)));
	return items;
}

function readList(reader: Reader, end: string, readItem: () => void): void {
	const start = reader.offset++;
	for (;;) {
		const comma = reader.offset - 1;
		skipBlank(reader);
		if (reader.text[reader.offset] === end) {
			if (reader.strict && comma > start) throw wrong({ ...reader, offset: comma }, "nothing follows this comma");
			break;
		}
		readItem();
		skipBlank(reader);
		if (reader.text[reader.offset] === end) break;
		if (reader.text[reader.offset] !== ",") throw wrong(reader, `expected "," or "${end}", found ${found(reader)}`);
		reader.offset++;
	}
	reader.offset++;
}

function readString(reader: Reader): string {
	const start = reader.offset;
	for (let at = start + 1; at < reader.text.length; at++) {
		const character = reader.text.charAt(at);
		if (character < " ")
			throw wrong({ ...reader, offset: at }, "a string ends on its line and holds no control character");
		if (character === "\\") at++;
		if (character !== '"') continue;
		reader.offset = at + 1;
		return decodeString(reader.text.slice(start, at + 1), reader, start);
	}
	throw wrong(reader, "the string is not closed");
}

function decodeString(quoted: string, reader: Reader, start: number): string {
	try {
		return String(JSON.parse(quoted));
	} catch {
		throw wrong({ ...reader, offset: start }, "the string holds an escape that JSON does not have");
	}
}

function readWord(reader: Reader, word: string): Json {
	if (word === "true") return true;
	if (word === "false") return false;
	if (word === "null") return null;
	throw wrong({ ...reader, offset: reader.offset - word.length }, `expected a value, found "${word}"`);
}

function readNumber(reader: Reader): number {
	const start = reader.offset;
	const digits = match(reader, /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
	if (digits === undefined) throw wrong(reader, `expected a value, found ${found(reader)}`);
	const number = Number(digits);
	if (!Number.isFinite(number)) throw wrong({ ...reader, offset: start }, "the number is too large");
	return number;
}

function skipBlank(reader: Reader): void {
	for (;;) {
		match(reader, /[ \t\r\n]+/y);
		if (reader.strict) return;
		if (reader.text.startsWith("//", reader.offset)) {
			match(reader, /[^\r\n]+/y);
		} else if (reader.text.startsWith("/*", reader.offset)) {
			const end = reader.text.indexOf("*/", reader.offset + 2);
			if (end < 0) throw wrong(reader, "the comment is not closed");
			reader.offset = end + 2;
		} else return;
	}
}

function match(reader: Reader, pattern: RegExp): string | undefined {
	pattern.lastIndex = reader.offset;
	const text = pattern.exec(reader.text)?.[0];
	reader.offset += text?.length ?? 0;
	return text;
}

function found(reader: Reader): string {
	const point = reader.text.codePointAt(reader.offset);
	return point === undefined ? "the end of the file" : JSON.stringify(String.fromCodePoint(point));
}

function wrong(reader: Reader, message: string): JsoncError {
	return new JsoncError(message, reader.text, reader.offset);
}
