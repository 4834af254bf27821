import { expect, test } from "bun:test";
import fc from "fast-check";
import { Bytes } from "../../../runtime/bytes.ts";
import type { Decoded } from "../../../runtime/codec/codec.ts";
import { ndjson } from "../../../runtime/codec/ndjson.ts";
import { propertyMs, propertyRuns } from "../../support/effort.ts";
import { chunksOf, joined, read, shown, written } from "./parts-support.ts";

const bytes = fc.uint8Array({ maxLength: 40 }).map((view) => new Bytes(view.slice()));
const pattern = fc.constantFrom("a", "é", "😀", '"\n', "\ud800", "\u0001\u0002", "ab😀");
// Around the lengths from which on a text, and then a line, is written as a part.
const longText = fc
	.tuple(pattern, fc.constantFrom(16_383, 16_385, 65_530, 132_000), fc.nat(9))
	.map(([text, length, more]) => text.repeat((length + more) / text.length));
const { value } = fc.letrec((tie) => ({
	value: fc.oneof(
		{ maxDepth: 3 },
		{ weight: 6, arbitrary: fc.jsonValue({ stringUnit: "binary", maxDepth: 2 }) },
		{ weight: 6, arbitrary: bytes },
		{ weight: 1, arbitrary: longText },
		{ weight: 4, arbitrary: fc.array(tie("value"), { maxLength: 4 }) },
		{
			weight: 4,
			arbitrary: fc.dictionary(fc.oneof(fc.string(), fc.constant("__proto__")), tie("value"), { maxKeys: 4 }),
		},
	),
}));

test(
	"any JSON mixed with bytes and long texts comes out the same at any chunks, whatever goes between its slices",
	() => {
		const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 10 });
		fc.assert(
			fc.property(
				fc.array(value, { minLength: 1, maxLength: 4 }),
				fc.jsonValue(),
				sizes,
				(messages, other, chunkSizes) => {
					const between = ndjson.encode([other]);
					const wire = joined(...messages.map((message) => written(message, between)), between);
					// Pieces of a long stream are long as well; they end anywhere in a slice.
					const factor = wire.byteLength > 20_000 ? 1_999 : 1;
					const found = read(
						chunksOf(
							wire,
							chunkSizes.map((size) => size * factor),
						),
					);
					const texts = found.map((item) => (item.kind === "message" ? shown(item.value) : item));
					const line = JSON.stringify([other]);
					const isBetween = (text: unknown) => text === line;
					expect(texts.filter((text) => !isBetween(text))).toEqual(
						messages.map(shown).filter((text) => !isBetween(text)),
					);
					expect(texts.at(-1)).toBe(line);
				},
			),
			propertyRuns,
		);
	},
	propertyMs,
);

test("what is found in hostile bytes does not depend on the chunks, throws nothing and stays within the limits", () => {
	const limit = 80;
	const fragment = fc.constantFrom<string | Uint8Array>(
		"\n",
		"\n",
		"\u0001",
		"\u0002",
		"1",
		"7",
		"99",
		"-",
		"[",
		"]",
		"null",
		'"a"',
		"{",
		"\uFEFF",
		"\r",
		"\u00011\n",
		"\u00013\n",
		"\u000112\n",
		"abc",
		"\n1\n",
		new Uint8Array([0xff]),
		new Uint8Array([0xc3]),
		new Uint8Array([0]),
		'\u0001[["bytes",3]]\u0002null\n',
		'\u0001[["text",3,"a"]]\u0002{"a":null}\n',
		'\u0001[["json",4]]\u0002null\n',
		'\u0001[["bytes",0,0]]\u0002[null]\n',
		'\u0001[["bytes",60]]\u0002null\n',
		'\u0001[["bytes",12,"a"],["text",1,"b"]]\u0002{"b":null}\n',
	);
	const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 6 });
	fc.assert(
		fc.property(fc.array(fragment, { maxLength: 40 }), sizes, (fragments, chunkSizes) => {
			const all = joined(...fragments);
			const whole = read([all], { lineBytesMax: limit });
			expect(comparable(read(chunksOf(all, chunkSizes), { lineBytesMax: limit }))).toEqual(comparable(whole));
			for (const item of whole) {
				if (item.kind === "message") expect(item.bytes).toBeLessThanOrEqual(limit + 1);
				if (item.kind === "message" && item.value instanceof Bytes)
					expect(item.value.view.byteLength).toBeLessThan(limit);
			}
		}),
		{ ...propertyRuns, numRuns: propertyRuns.numRuns * 5 },
	);
});

test("lines read together are what each of them is when it is parsed alone", () => {
	const token = fc.constantFrom(
		"1",
		"2",
		"-",
		".5",
		"e9",
		" ",
		"{",
		"}",
		"[",
		"]",
		":",
		'"a"',
		'"',
		",",
		"\n",
		"\n",
		"\n",
		"\r",
		"\t",
		"\f",
		"true",
		"nul",
		"\uFEFF",
		"//",
		"'",
		'"\\ud800"',
		'{"__proto__":[1]}',
		'{"a":1}',
		"\u2028",
		"é",
		"NaN",
		"1e999",
		"-0",
	);
	fc.assert(
		fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
			const text = `${tokens.join("")}\n`;
			const alone = text
				.slice(0, -1)
				.split("\n")
				.filter((line) => line !== "" && line !== "\r")
				.map(parsedAlone);
			expect(
				read([joined("0\n"), joined(text)])
					.slice(1)
					.map(essence),
			).toEqual(alone);
		}),
		{ ...propertyRuns, numRuns: propertyRuns.numRuns * 10 },
	);
});

function parsedAlone(line: string): unknown {
	try {
		return [JSON.stringify(JSON.parse(line)), Buffer.byteLength(line) + 1];
	} catch {
		return "noise";
	}
}

function essence(item: Decoded): unknown {
	return item.kind === "message" ? [JSON.stringify(item.value), item.bytes] : item.kind;
}

/** How much of a line that is too large had come depends on the chunks. */
function comparable(found: Decoded[]): unknown[] {
	return found.map((item) => {
		if (item.kind === "too_large") return item.kind;
		return item.kind === "message" ? [shown(item.value), item.bytes] : item;
	});
}
