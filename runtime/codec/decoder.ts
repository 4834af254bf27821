import { joinBytes } from "./bytes.ts";
import type { Decoded, Decoder, DecoderLimits } from "./codec.ts";
import { decodeLossily, decodeStrictly, linesOf, messagesOf, noise, parse } from "./lines.ts";
import { headingStart, newline } from "./marks.ts";
import { OpenMessage, readHeading, readSliceBytes } from "./parts-decode.ts";
import { holdsMoreValues } from "./values.ts";

/** Reads lines, and messages with parts; a stream without parts pays nothing for them. */
export class LineDecoder implements Decoder {
	readonly #limits: DecoderLimits;
	// Pieces of the line that has no end yet; joined once, when the end comes.
	#pieces: Uint8Array[] = [];
	#pieceBytes = 0;
	#first = true;
	#broken = false;
	/** The message whose parts are being read. */
	#open: OpenMessage | undefined;
	/** So many bytes of a slice are still to come before the next line. */
	#sliceBytes = 0;

	constructor(limits: DecoderLimits) {
		this.#limits = limits;
	}

	push(chunk: Uint8Array): Decoded[] {
		const found: Decoded[] = [];
		for (let rest = chunk; rest.byteLength > 0 && !this.#broken; ) {
			rest = this.#sliceBytes > 0 ? this.#readSlice(rest, found) : this.#readLines(rest, found);
		}
		return found;
	}

	end(): Decoded[] {
		if (this.#broken) return [];
		const { noiseExcerptCharsMax } = this.#limits;
		const found: Decoded[] = [];
		if (this.#pieceBytes > 0) {
			const bytes = this.#join(new Uint8Array());
			const text = decodeLossily(bytes);
			const last = parse(text, bytes.byteLength, noiseExcerptCharsMax);
			// No part of an object is an object, so this one is whole and only its end is missing.
			const isWhole = last.kind === "message" && typeof last.value === "object" && last.value !== null;
			const cutOff = () => noise(text, "the stream ended inside a line", bytes.byteLength, noiseExcerptCharsMax);
			found.push(isWhole ? last : cutOff());
		}
		if (this.#open !== undefined) found.push(this.#open.cutOff(noiseExcerptCharsMax));
		return found;
	}

	/** @returns what is left of the bytes: those after the line that opens a slice, or those of a slice */
	#readLines(bytes: Uint8Array, found: Decoded[]): Uint8Array {
		const { lineBytesMax } = this.#limits;
		const firstEnd = bytes.indexOf(newline);
		const lineBytes = this.#pieceBytes + (firstEnd < 0 ? bytes.byteLength : firstEnd);
		if (lineBytes > lineBytesMax) return this.#breakOff(lineBytes, found);
		if (firstEnd < 0) return this.#keep(bytes);
		if ((this.#pieces[0] ?? bytes)[0] === heading) {
			this.#readHeading(this.#join(bytes.subarray(0, firstEnd)), found);
			return bytes.subarray(firstEnd + 1);
		}
		const lastEnd = bytes.lastIndexOf(newline);
		const begun = this.#pieceBytes;
		const lines = this.#join(bytes.subarray(0, lastEnd));
		const headingAt = this.#parseLines(lines, found);
		// A line that began in an earlier chunk has ended before it.
		if (headingAt !== undefined) return bytes.subarray(headingAt - begun);
		if (this.#broken || lastEnd + 1 === bytes.byteLength) return none;
		const rest = bytes.subarray(lastEnd + 1);
		return rest.byteLength > lineBytesMax ? this.#breakOff(rest.byteLength, found) : this.#keep(rest);
	}

	/** @returns where the first line stands that is a heading and was not read */
	#parseLines(bytes: Uint8Array, found: Decoded[]): number | undefined {
		const { lineBytesMax, valuesMax } = this.#limits;
		// Within both limits together no line of them passes its own.
		if (!this.#first && bytes.byteLength <= lineBytesMax && bytes.byteLength <= valuesMax) {
			const messages = messagesOf(bytes);
			if (messages !== undefined) {
				for (const message of messages) found.push(message);
				return undefined;
			}
		}
		const headingAt = headingIn(bytes);
		this.#parseOneByOne(headingAt === undefined ? bytes : bytes.subarray(0, headingAt - 1), found);
		return headingAt;
	}

	#parseOneByOne(bytes: Uint8Array, found: Decoded[]): void {
		const { noiseExcerptCharsMax, lineBytesMax, valuesMax } = this.#limits;
		for (const line of linesOf(bytes)) {
			const text = this.#first && line.text.startsWith("\uFEFF") ? line.text.slice(1) : line.text;
			this.#first = false;
			if (text === "" || text === "\r") continue;
			// With its end, so that both sides of a wire count the same.
			const bytes = line.bytes + 1;
			if (line.bytes > lineBytesMax) return void this.#breakOff(bytes, found);
			if (holdsMoreValues(text, valuesMax)) return void this.#breakOff(bytes, found, true);
			if (line.valid) found.push(parse(text, bytes, noiseExcerptCharsMax));
			else found.push(noise(text, "it is not UTF-8", bytes, noiseExcerptCharsMax));
		}
	}

	#readHeading(line: Uint8Array, found: Decoded[]): void {
		this.#first = false;
		const { noiseExcerptCharsMax, lineBytesMax, valuesMax } = this.#limits;
		const bytes = line.byteLength + 1;
		const text = decodeStrictly(line) ?? "";
		const sliceBytes = readSliceBytes(text);
		if (sliceBytes !== undefined && sliceBytes <= (this.#open?.missing ?? 0)) {
			this.#sliceBytes = sliceBytes;
			return;
		}
		if (holdsMoreValues(text, valuesMax)) return void this.#breakOff(bytes, found, true);
		const opening = sliceBytes === undefined && this.#open === undefined ? readHeading(text) : undefined;
		if (opening === undefined) {
			found.push(noise(decodeLossily(line), "it opens no message and no slice", bytes, noiseExcerptCharsMax));
			return;
		}
		const all = bytes + opening.partBytes;
		if (all > lineBytesMax) return void this.#breakOff(all, found);
		this.#open = new OpenMessage(opening, bytes);
		this.#closeWhole(found);
	}

	#readSlice(bytes: Uint8Array, found: Decoded[]): Uint8Array {
		const taken = bytes.subarray(0, this.#sliceBytes);
		this.#sliceBytes -= taken.byteLength;
		this.#open?.take(taken);
		this.#closeWhole(found);
		return bytes.subarray(taken.byteLength);
	}

	/** Gives out the open message once nothing of it is missing. */
	#closeWhole(found: Decoded[]): void {
		if (this.#open === undefined || this.#open.missing > 0) return;
		const item = this.#open.close(this.#limits);
		this.#open = undefined;
		if (item.kind === "too_large") this.#breakOff(item.bytes, found, item.values);
		else found.push(item);
	}

	/** Nothing after such a line can be trusted. */
	#breakOff(bytes: number, found: Decoded[], values?: true): Uint8Array {
		this.#broken = true;
		this.#pieces = [];
		this.#open = undefined;
		found.push({ kind: "too_large", bytes, ...(values && { values }) });
		return none;
	}

	#keep(piece: Uint8Array): Uint8Array {
		this.#pieces.push(piece);
		this.#pieceBytes += piece.byteLength;
		return none;
	}

	/** The kept pieces and this last one, as one. */
	#join(last: Uint8Array): Uint8Array {
		if (this.#pieceBytes === 0) return last;
		const joined = joinBytes([...this.#pieces, last], this.#pieceBytes + last.byteLength);
		this.#pieces = [];
		this.#pieceBytes = 0;
		return joined;
	}
}

const none = new Uint8Array();
const heading = headingStart.charCodeAt(0);

/** Where the first line stands that is a heading, but for the very first line. */
function headingIn(bytes: Uint8Array): number | undefined {
	for (let at = bytes.indexOf(heading); at >= 0; at = bytes.indexOf(heading, at + 1)) {
		if (bytes[at - 1] === newline) return at;
	}
	return undefined;
}
