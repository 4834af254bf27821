import { messageOf } from "../errors.ts";
import type { Decoded } from "./codec.ts";
import { newline } from "./marks.ts";

export interface Line {
	text: string;
	/** As it stood on the wire, without its end; the text of an invalid line is longer. */
	bytes: number;
	valid: boolean;
}

/** The lines of a chunk, decoded at once, since no UTF-8 sequence contains 0x0A; one by one when some are not UTF-8. */
export function linesOf(bytes: Uint8Array): Line[] {
	const whole = decodeStrictly(bytes);
	if (whole !== undefined) {
		const isAscii = whole.length === bytes.byteLength;
		const sizeOf = (text: string) => (isAscii ? text.length : Buffer.byteLength(text));
		return whole.split("\n").map((text) => ({ text, bytes: sizeOf(text), valid: true }));
	}
	const lines: Line[] = [];
	for (let begin = 0; begin <= bytes.byteLength; ) {
		const found = bytes.indexOf(newline, begin);
		const end = found < 0 ? bytes.byteLength : found;
		const line = bytes.subarray(begin, end);
		const text = decodeStrictly(line);
		lines.push({ text: text ?? decodeLossily(line), bytes: line.byteLength, valid: text !== undefined });
		begin = end + 1;
	}
	return lines;
}

/**
 * The messages of whole lines when all that stands in these is one value in each, parsed together; undefined when
 * anything else does.
 */
export function messagesOf(bytes: Uint8Array): Decoded[] | undefined {
	const text = decodeStrictly(bytes);
	if (text === undefined) return undefined;
	const { values, error } = parseChunk(text);
	if (error !== null) return undefined;
	// Two values in a line are an error. So as many values as lines means one in each.
	const isAscii = text.length === bytes.byteLength;
	const found: Decoded[] = [];
	let begin = 0;
	for (const value of values) {
		const end = isAscii ? text.indexOf("\n", begin) : bytes.indexOf(newline, begin);
		const next = (end < 0 ? bytes.byteLength : end) + 1;
		// With its end, so that both sides of a wire count the same.
		found.push({ kind: "message", value, bytes: next - begin });
		begin = next;
	}
	return begin > bytes.byteLength ? found : undefined;
}

export function parse(text: string, bytes: number, excerptCharsMax: number): Decoded {
	try {
		return { kind: "message", value: parseJson(text), bytes };
	} catch (error) {
		return noise(text, messageOf(error), bytes, excerptCharsMax);
	}
}

export function noise(text: string, reason: string, bytes: number, excerptCharsMax: number): Decoded {
	return { kind: "noise", excerpt: excerptOf(text, excerptCharsMax), reason, bytes };
}

export function decodeStrictly(bytes: Uint8Array): string | undefined {
	try {
		return strict.decode(bytes);
	} catch {
		return undefined;
	}
}

export function decodeLossily(bytes: Uint8Array): string {
	return lossy.decode(bytes);
}

// Kept, since a plugin may replace the global functions.
const { parse: parseJson, stringify } = JSON;
const { parseChunk } = Bun.JSONL;
const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
const lossy = new TextDecoder("utf-8", { ignoreBOM: true });

/** The beginning of a text with control characters shown as escapes, fit for a log. */
function excerptOf(text: string, charsMax: number): string {
	const quoted = stringify(text.slice(0, charsMax)).slice(1, -1);
	return text.length > charsMax ? `${quoted}…` : quoted;
}
