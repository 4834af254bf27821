import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Decoded } from "../../../runtime/codec/codec.ts";
import { ndjson } from "../../../runtime/codec/ndjson.ts";
import { propertyRuns } from "../../support/effort.ts";

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 });
const line = fc.record({
	value: fc.jsonValue({ stringUnit: "binary" }),
	blanks: fc.constantFrom("", "", "\n", "\r\n", "\n\n"),
	end: fc.constantFrom("\n", "\r\n"),
});

test("any messages in any chunks come out the same", () => {
	fc.assert(
		fc.property(fc.array(line, { minLength: 1 }), fc.boolean(), sizes, (lines, marked, chunkSizes) => {
			const text = lines.map(({ value, blanks, end }) => blanks + ndjson.encode(value).trimEnd() + end).join("");
			const bytes = new TextEncoder().encode((marked ? "\uFEFF" : "") + text);
			const found = decode(chunksOf(bytes, chunkSizes), 1_000_000);
			const values = found.map((item) => (item.kind === "message" ? JSON.stringify(item.value) : item));
			expect(values).toEqual(lines.map(({ value }) => JSON.stringify(value)));
		}),
		propertyRuns,
	);
});

test("what is found in any bytes does not depend on the chunks", () => {
	// Few kinds of bytes, so that ends, marks, halves of characters and whole JSON values all occur.
	const byte = fc.constantFrom(0x0a, 0x0a, 0x0d, 0x22, 0x31, 0x32, 0x20, 0xc3, 0xa9, 0xff);
	const bom = fc.constant([0xef, 0xbb, 0xbf]);
	const bytes = fc.array(fc.oneof({ weight: 9, arbitrary: byte.map((one) => [one]) }, bom), { maxLength: 120 });
	fc.assert(
		fc.property(bytes, sizes, (parts, chunkSizes) => {
			const all = new Uint8Array(parts.flat());
			expect(withoutSize(decode(chunksOf(all, chunkSizes), 12))).toEqual(withoutSize(decode([all], 12)));
		}),
		propertyRuns,
	);
});

test("a line sixteen times as long takes nothing like the square of sixteen times as long", () => {
	const small = lineChunks(2);
	const large = lineChunks(32);
	time(small);
	// Linear work takes 16 times as long, quadratic work 256 times.
	const ratios = [1, 2, 3].map(() => time(large) / time(small));
	expect(Math.min(...ratios)).toBeLessThanOrEqual(64);
});

function decode(chunks: Uint8Array[], lineBytesMax: number): Decoded[] {
	const decoder = ndjson.decoder({ lineBytesMax, noiseExcerptCharsMax: 200, valuesMax: 1_000_000 });
	return [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.end()];
}

/** Cuts bytes into pieces of these sizes, over and over. */
function chunksOf(bytes: Uint8Array, chunkSizes: number[]): Uint8Array[] {
	const chunks: Uint8Array[] = [];
	for (let start = 0; start < bytes.byteLength; ) {
		const size = chunkSizes[chunks.length % chunkSizes.length] ?? 1;
		chunks.push(bytes.slice(start, start + size));
		start += size;
	}
	return chunks;
}

function withoutSize(found: Decoded[]): unknown[] {
	return found.map(({ bytes, ...rest }) => (rest.kind === "too_large" ? rest : { bytes, ...rest }));
}

function lineChunks(mebibytes: number): Uint8Array[] {
	const text = ndjson.encode("a".repeat(mebibytes * 1024 * 1024));
	return chunksOf(new TextEncoder().encode(text), [64 * 1024]);
}

function time(chunks: Uint8Array[]): number {
	const start = performance.now();
	expect(decode(chunks, 64 * 1024 * 1024)).toHaveLength(1);
	return performance.now() - start;
}
