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
	encode(message: unknown): string;
	decoder(limits: DecoderLimits): Decoder;
	/** Where a part of a chunk ends that reaches at least to `least`: at the end of a message, or of the chunk. */
	cut(chunk: Uint8Array, least: number): number;
}

export interface DecoderLimits {
	lineBytesMax: number;
	valuesMax: number;
	noiseExcerptCharsMax: number;
}
