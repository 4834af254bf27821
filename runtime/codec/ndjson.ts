import { messageOf } from "../errors.ts";
import { joinBytes } from "./bytes.ts";
import type { Codec, Decoded, Decoder, DecoderLimits } from "./codec.ts";
import { holdsMoreValues } from "./values.ts";

/**
 * Newline-delimited JSON: one value a line, only 0x0A ends a line, CR before it and blank lines are accepted,
 * one byte order mark at the start is dropped, a line that is not UTF-8 is noise. Work is linear in the bytes
 * read, whatever the chunks.
 */
export const ndjson: Codec = {
	encode(message) {
		const text: string | undefined = stringify(message);
		if (text === undefined) throw new TypeError(`${typeof message} has no JSON form`);
		return `${text}\n`;
	},
	decoder: (limits) => new LineDecoder(limits),
	cut(chunk, least) {
		const end = chunk.indexOf(newline, least - 1);
		return end < 0 ? chunk.byteLength : end + 1;
	},
};

const newline = 0x0a;
// Kept, since a plugin may replace the global functions.
const { parse: parseJson, stringify } = JSON;
const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
const lossy = new TextDecoder("utf-8", { ignoreBOM: true });

class LineDecoder implements Decoder {
	readonly #limits: DecoderLimits;
	// Pieces of the line that has no end yet; joined once, when the end comes.
	#pieces: Uint8Array[] = [];
	#pieceBytes = 0;
	#first = true;
	#broken = false;

	constructor(limits: DecoderLimits) {
		this.#limits = limits;
	}

	push(chunk: Uint8Array): Decoded[] {
		if (this.#broken) return [];
		const firstEnd = chunk.indexOf(newline);
		const lineBytes = this.#pieceBytes + (firstEnd < 0 ? chunk.byteLength : firstEnd);
		if (lineBytes > this.#limits.lineBytesMax) return [this.#tooLarge(lineBytes)];
		if (firstEnd < 0) {
			this.#keep(chunk);
			return [];
		}
		const lastEnd = chunk.lastIndexOf(newline);
		const found = this.#parseLines(this.#join(chunk.subarray(0, lastEnd)));
		const rest = chunk.subarray(lastEnd + 1);
		if (this.#broken || rest.byteLength === 0) return found;
		if (rest.byteLength > this.#limits.lineBytesMax) found.push(this.#tooLarge(rest.byteLength));
		else this.#keep(rest);
		return found;
	}

	end(): Decoded[] {
		if (this.#broken || this.#pieceBytes === 0) return [];
		const { noiseExcerptCharsMax } = this.#limits;
		const bytes = this.#join(new Uint8Array());
		const text = lossy.decode(bytes);
		const last = parse(text, bytes.byteLength, noiseExcerptCharsMax);
		// No part of an object is an object, so this one is whole and only its end is missing.
		if (last.kind === "message" && typeof last.value === "object" && last.value !== null) return [last];
		return [noise(text, "the stream ended inside a line", bytes.byteLength, noiseExcerptCharsMax)];
	}

	/** Nothing after such a line can be trusted. */
	#tooLarge(bytes: number): { kind: "too_large"; bytes: number } {
		this.#broken = true;
		this.#pieces = [];
		return { kind: "too_large", bytes };
	}

	#keep(piece: Uint8Array): void {
		this.#pieces.push(piece);
		this.#pieceBytes += piece.byteLength;
	}

	/** The kept pieces and this last one, as one. */
	#join(last: Uint8Array): Uint8Array {
		const joined = joinBytes([...this.#pieces, last], this.#pieceBytes + last.byteLength);
		this.#pieces = [];
		this.#pieceBytes = 0;
		return joined;
	}

	#parseLines(bytes: Uint8Array): Decoded[] {
		const { noiseExcerptCharsMax, lineBytesMax, valuesMax } = this.#limits;
		const found: Decoded[] = [];
		for (const line of linesOf(bytes)) {
			const text = this.#first && line.text.startsWith("\uFEFF") ? line.text.slice(1) : line.text;
			this.#first = false;
			if (text === "" || text === "\r") continue;
			// With its end, so that both sides of a wire count the same.
			const bytes = line.bytes + 1;
			if (line.bytes > lineBytesMax) {
				found.push(this.#tooLarge(bytes));
				break;
			}
			if (holdsMoreValues(text, valuesMax)) {
				found.push({ ...this.#tooLarge(bytes), values: true });
				break;
			}
			if (line.valid) found.push(parse(text, bytes, noiseExcerptCharsMax));
			else found.push(noise(text, "it is not UTF-8", bytes, noiseExcerptCharsMax));
		}
		return found;
	}
}

interface Line {
	text: string;
	/** As it stood on the wire, without its end; the text of an invalid line is longer. */
	bytes: number;
	valid: boolean;
}

/** The lines of a chunk, decoded at once, since no UTF-8 sequence contains 0x0A; one by one when some are not UTF-8. */
function linesOf(bytes: Uint8Array): Line[] {
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
		lines.push({ text: text ?? lossy.decode(line), bytes: line.byteLength, valid: text !== undefined });
		begin = end + 1;
	}
	return lines;
}

function decodeStrictly(bytes: Uint8Array): string | undefined {
	try {
		return strict.decode(bytes);
	} catch {
		return undefined;
	}
}

function parse(text: string, bytes: number, excerptCharsMax: number): Decoded {
	try {
		return { kind: "message", value: parseJson(text), bytes };
	} catch (error) {
		return noise(text, messageOf(error), bytes, excerptCharsMax);
	}
}

function noise(text: string, reason: string, bytes: number, excerptCharsMax: number): Decoded {
	return { kind: "noise", excerpt: excerptOf(text, excerptCharsMax), reason, bytes };
}

/** The beginning of a text with control characters shown as escapes, fit for a log. */
function excerptOf(text: string, charsMax: number): string {
	const quoted = stringify(text.slice(0, charsMax)).slice(1, -1);
	return text.length > charsMax ? `${quoted}…` : quoted;
}
