import type { Codec, Decoded, Decoder, DecoderLimits } from "./codec.ts";

/**
 * Newline-delimited JSON: one value a line, only 0x0A ends a line, CR before it and blank lines are accepted,
 * one byte order mark at the start is dropped. Work is linear in the bytes read, whatever the chunks.
 */
export const ndjson: Codec = {
	encode(message) {
		return `${JSON.stringify(message)}\n`;
	},
	decoder,
};

const newline = 0x0a;
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

function decoder({ lineBytesMax, noiseExcerptCharsMax }: DecoderLimits): Decoder {
	// Pieces of the line that has no end yet; joined once, when the end comes.
	let pieces: Uint8Array[] = [];
	let pieceBytes = 0;
	let first = true;
	let broken = false;

	function complete(bytes: Uint8Array, found: Decoded[]): void {
		// One decode for all lines of a chunk: no UTF-8 sequence contains 0x0A.
		for (const line of utf8.decode(bytes).split("\n")) {
			const text = first && line.startsWith("\uFEFF") ? line.slice(1) : line;
			first = false;
			if (text === "" || text === "\r") continue;
			found.push(parse(text, noiseExcerptCharsMax));
		}
	}

	function takePieces(last: Uint8Array): Uint8Array {
		if (pieceBytes === 0) return last;
		const joined = new Uint8Array(pieceBytes + last.byteLength);
		let offset = 0;
		for (const piece of pieces) {
			joined.set(piece, offset);
			offset += piece.byteLength;
		}
		joined.set(last, offset);
		pieces = [];
		pieceBytes = 0;
		return joined;
	}

	function tooLarge(bytes: number): Decoded[] {
		broken = true;
		pieces = [];
		return [{ kind: "too_large", bytes }];
	}

	return {
		push(chunk) {
			if (broken) return [];
			const firstEnd = chunk.indexOf(newline);
			if (pieceBytes + (firstEnd < 0 ? chunk.byteLength : firstEnd) > lineBytesMax) {
				return tooLarge(pieceBytes + chunk.byteLength);
			}
			if (firstEnd < 0) {
				pieces.push(chunk);
				pieceBytes += chunk.byteLength;
				return [];
			}
			const found: Decoded[] = [];
			const lastEnd = chunk.lastIndexOf(newline);
			complete(takePieces(chunk.subarray(0, lastEnd)), found);
			const rest = chunk.subarray(lastEnd + 1);
			if (rest.byteLength > 0) {
				pieces.push(rest);
				pieceBytes = rest.byteLength;
			}
			return found;
		},
		end() {
			if (broken || pieceBytes === 0) return [];
			const bytes = takePieces(new Uint8Array());
			const excerpt = excerptOf(utf8.decode(bytes), noiseExcerptCharsMax);
			return [{ kind: "noise", excerpt, reason: "the stream ended inside a line", bytes: bytes.byteLength }];
		},
	};
}

function parse(text: string, excerptCharsMax: number): Decoded {
	try {
		return { kind: "message", value: JSON.parse(text), bytes: text.length };
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		return { kind: "noise", excerpt: excerptOf(text, excerptCharsMax), reason, bytes: text.length };
	}
}

/** The beginning of a text with control characters shown as escapes, fit for a log. */
function excerptOf(text: string, charsMax: number): string {
	const quoted = JSON.stringify(text.slice(0, charsMax)).slice(1, -1);
	return text.length > charsMax ? `${quoted}…` : quoted;
}
