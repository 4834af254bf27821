import { expect, test } from "bun:test";
import { Bytes } from "../../../runtime/bytes.ts";
import { chunksOf, read, written } from "./parts-support.ts";

const mebibyte = 1024 * 1024;
const chunkBytes = 64 * 1024;

test.each([
	["a line", (bytes: number) => [new TextEncoder().encode(`"${"a".repeat(bytes)}"\n`)]],
	["a long text", (bytes: number) => [written({ text: "a".repeat(bytes) })]],
	["bytes", (bytes: number) => [written({ data: new Bytes(new Uint8Array(bytes)) })]],
])("reading %s of 16 MiB takes at most 8 times as long as 4 MiB", (_, make) => {
	const [small, large] = [4, 16].map((size) => make(size * mebibyte).flatMap((bytes) => chunksOf(bytes, [chunkBytes])));
	time(small);
	// Linear work takes 4 times as long, quadratic work 16 times.
	const ratios = [1, 2, 3].map(() => least(large) / least(small));
	expect(Math.min(...ratios)).toBeLessThanOrEqual(8);
});

/** The least of some times: whoever else uses the machine only makes them longer. */
function least(chunks: Uint8Array[] | undefined): number {
	return Math.min(time(chunks), time(chunks), time(chunks));
}

function time(chunks: Uint8Array[] = []): number {
	const begin = performance.now();
	const found = read(chunks, { lineBytesMax: 64 * mebibyte });
	const ms = performance.now() - begin;
	expect(found.map(({ kind }) => kind)).toEqual(["message"]);
	return ms;
}
