/** One thing that a decoder found in a stream. */
export type Decoded =
	| { kind: "message"; value: unknown; bytes: number }
	/** Bytes between two message ends that are no message; `excerpt` shows their beginning. */
	| { kind: "noise"; excerpt: string; reason: string; bytes: number }
	/** A message grew past a limit, of bytes unless `values` is set; nothing after it can be trusted. */
	| { kind: "too_large"; bytes: number; values?: true };

/** Turns a stream of byte chunks into messages; keeps what is not complete yet. */
export interface Decoder {
	/** @returns what became complete with this chunk, in order */
	push(chunk: Uint8Array): Decoded[];
	/** Ends the stream; a rest without an end is noise. */
	end(): Decoded[];
}

/** One framing of messages on a byte stream. */
export interface Codec {
	/** @throws what JSON.stringify throws for a value that cannot be carried */
	encode(message: unknown): Encoded;
	decoder(limits: DecoderLimits): Decoder;
	/** Where a part of a chunk ends that reaches at least to `least`: at the end of a message, or of the chunk. */
	cut(chunk: Uint8Array, least: number): number;
}

/** A message as it goes over the wire: one line with its end, or one that parts follow. */
export type Encoded = string | PartedMessage;

/** A message with parts that follow its line in slices; whole other messages may go between two slices. */
export interface PartedMessage {
	/** The line with its end, which must go before the slices. */
	line: string;
	/** What its parts have together. */
	partBytes: number;
	/** Text of a part that is JSON; it counts for the limit of values as the line does. */
	json?: string;
	/** Makes the slices, each when it is asked for. */
	slices(): Iterator<Slice>;
}

/** Some of the bytes of a message's parts, with the line that goes before them. */
export interface Slice {
	heading: Uint8Array;
	bytes: Uint8Array;
}

export interface DecoderLimits {
	/** Of a line, and of a line with its parts. */
	lineBytesMax: number;
	valuesMax: number;
	noiseExcerptCharsMax: number;
}
