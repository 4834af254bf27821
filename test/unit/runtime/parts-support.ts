import { Bytes } from "../../../runtime/bytes.ts";
import type { Decoded } from "../../../runtime/codec/codec.ts";
import { ndjsonParts } from "../../../runtime/codec/ndjson.ts";

const utf8 = new TextEncoder();

export const limits = { lineBytesMax: 8 * 1024 * 1024, noiseExcerptCharsMax: 60, valuesMax: 100_000 };

/** A message as it goes over the wire, with other bytes between its slices. */
export function written(message: unknown, between: string | Uint8Array = ""): Uint8Array {
	const encoded = ndjsonParts.encode(message);
	if (typeof encoded === "string") return utf8.encode(encoded);
	const pieces: Uint8Array[] = [utf8.encode(encoded.line)];
	for (const { heading, bytes } of { [Symbol.iterator]: () => encoded.slices() }) {
		pieces.push(typeof between === "string" ? utf8.encode(between) : between, heading, bytes);
	}
	return joined(...pieces);
}

export function joined(...pieces: (string | Uint8Array)[]): Uint8Array {
	return new Uint8Array(Buffer.concat(pieces.map((piece) => Buffer.from(piece as string))));
}

/** Cuts bytes into pieces of these sizes, over and over. */
export function chunksOf(bytes: Uint8Array, sizes: number[]): Uint8Array[] {
	const chunks: Uint8Array[] = [];
	for (let start = 0; start < bytes.byteLength; ) {
		const size = sizes[chunks.length % sizes.length] ?? 1;
		chunks.push(bytes.slice(start, start + size));
		start += size;
	}
	return chunks;
}

export function read(chunks: Uint8Array[], own: Partial<typeof limits> = {}): Decoded[] {
	const decoder = ndjsonParts.decoder({ ...limits, ...own });
	return [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.end()];
}

/** What a message holds, as a text that tells bytes from texts. */
export function shown(value: unknown): string {
	return JSON.stringify(value, function (this: Record<string, unknown>, key, member) {
		return this[key] instanceof Bytes ? { raw: member } : member;
	});
}
