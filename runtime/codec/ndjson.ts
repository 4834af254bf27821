import type { CodecName } from "../protocol.ts";
import type { Codec } from "./codec.ts";
import { LineDecoder } from "./decoder.ts";
import { newline } from "./marks.ts";
import { encodeParts } from "./parts-encode.ts";

/** A codec whose messages are lines alone. */
export interface LineCodec extends Codec {
	encode(message: unknown): string;
}

// Kept, since a plugin may replace the global functions.
const { stringify } = JSON;

/**
 * Newline-delimited JSON: one value a line, only 0x0A ends a line, CR before it and blank lines are accepted,
 * one byte order mark at the start is dropped, a line that is not UTF-8 is noise. Work is linear in the bytes
 * read, whatever the chunks. Bytes are written as base64; what is read is the same as in `ndjsonParts`.
 */
export const ndjson: LineCodec = {
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

/**
 * "ndjson+parts": the same lines, and beside them messages whose bytes and long texts follow as parts, in slices that let other messages
 * between them. Both codecs read both; a side writes this one once the other has said that it reads it.
 *
 *     message = JSON LF
 *     opening = SOH [[kind, bytes, ...path], ...] STX JSON LF    null stands in the JSON at each path
 *     slice   = SOH bytes LF so many bytes                       of the parts of the opened message, in their order
 *
 * `kind` is "bytes", "text" (UTF-8) or "json"; the last stands at the empty path for all of a long message. One message is
 * open at a time. No line of JSON begins with SOH, and a path says where a part belongs, so that nothing a message holds
 * can be taken for either.
 */
export const ndjsonParts: Codec = { ...ndjson, encode: encodeParts };

/** The codec that a side writes in to one that reads the codecs of these names; it may know others than this side. */
export function agreedCodec(names: readonly string[] = []): CodecName {
	return names.includes("ndjson+parts") ? "ndjson+parts" : "ndjson";
}

/** The codec of a name; of one that this side does not know, the one that every side reads. */
export function codecOf(name: string): Codec {
	return name === "ndjson+parts" ? ndjsonParts : ndjson;
}
