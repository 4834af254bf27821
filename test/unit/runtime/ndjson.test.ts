import { describe, expect, test } from "bun:test";
import type { Decoded } from "../../../runtime/codec/codec.ts";
import { ndjson } from "../../../runtime/codec/ndjson.ts";

const limits = { lineBytesMax: 64, noiseExcerptCharsMax: 16, valuesMax: 1_000_000 };

describe("what a line may look like", () => {
	test("an encoded message is one line with one end", () => {
		expect(ndjson.encode({ a: "x\ny" })).toBe('{"a":"x\\ny"}\n');
	});

	test("a carriage return before the end of a line is accepted", () => {
		expect(messages(decode('{"a":1}\r\n{"b":2}\r\n'))).toEqual([{ a: 1 }, { b: 2 }]);
	});

	test("a carriage return alone ends no line", () => {
		expect(decode('{"a":1}\r{"b":2}\n')).toMatchObject([{ kind: "noise" }]);
	});

	test("one byte order mark at the start is dropped", () => {
		expect(messages(decode('\uFEFF{"a":1}\n'))).toEqual([{ a: 1 }]);
	});

	test("a byte order mark anywhere else is noise and takes only its line with it", () => {
		expect(kinds(decode("\uFEFF\uFEFF1\n2\n\uFEFF3\n4\n"))).toEqual(["noise", "message", "noise", "message"]);
	});

	test("a byte order mark inside a string is kept", () => {
		expect(messages(decode('"a\uFEFFb"\n"\uFEFF"\n'))).toEqual(["a\uFEFFb", "\uFEFF"]);
	});

	test("blank lines say nothing", () => {
		expect(messages(decode("\n\r\n\n1\n\n\r\n2\n"))).toEqual([1, 2]);
	});

	test("the line separators of Unicode inside a string end no line", () => {
		expect(messages(decode('"a\u2028b\u2029c\u0085d"\n'))).toEqual(["a\u2028b\u2029c\u0085d"]);
	});

	test("a value without a JSON form is refused when it is encoded", () => {
		expect(() => ndjson.encode(undefined)).toThrow(TypeError);
		expect(() => ndjson.encode(() => {})).toThrow(TypeError);
		expect(() => ndjson.encode(1n)).toThrow(TypeError);
	});
});

describe("what is no message", () => {
	test("a line that is no JSON is noise with its beginning and the reason, and the next line is heard", () => {
		const [noise, message] = decode("Listening on port 3000\n1\n");
		expect(noise).toMatchObject({ kind: "noise", excerpt: "Listening on por…" });
		expect(noise).toHaveProperty("reason", expect.stringMatching(/JSON/));
		expect(message).toMatchObject({ kind: "message", value: 1 });
	});

	test("control characters in an excerpt are escaped", () => {
		expect(decode("\u001b[31m\u0007\n")).toMatchObject([{ excerpt: "\\u001b[31m\\u0007" }]);
	});

	test("a line that is not UTF-8 is skipped, also where its JSON would parse, and its neighbours are heard", () => {
		const bytes = [...utf8('"é"\n"'), 0xff, ...utf8('"\n"ö"\n"'), 0xc3, ...utf8('"\n2\n')];
		const found = decode(new Uint8Array(bytes));
		expect(kinds(found)).toEqual(["message", "noise", "message", "noise", "message"]);
		expect(messages(found)).toEqual(["é", "ö", 2]);
		expect(found[1]).toMatchObject({ reason: "it is not UTF-8", excerpt: '\\"\uFFFD\\"' });
	});

	test("a first line that is not UTF-8 uses up the place of the byte order mark", () => {
		const bytes = new Uint8Array([0xff, 0x0a, ...utf8("\uFEFF1\n2\n")]);
		expect(kinds(decode(bytes))).toEqual(["noise", "noise", "message"]);
	});

	test("a rest without an end is noise, unless it is a whole object, which cannot be part of a longer one", () => {
		const ended = { kind: "noise", reason: "the stream ended inside a line" };
		expect(decode('1\n{"a":1')).toMatchObject([
			{ kind: "message", value: 1 },
			{ ...ended, excerpt: '{\\"a\\":1', bytes: 6 },
		]);
		expect(decode("1\n12")).toMatchObject([
			{ kind: "message", value: 1 },
			{ ...ended, excerpt: "12" },
		]);
		expect(decode('1\n{"a":1}')).toMatchObject([
			{ kind: "message", value: 1 },
			{ kind: "message", value: { a: 1 }, bytes: 7 },
		]);
	});

	test("a stream that ends after a line leaves nothing", () => {
		expect(decode("1\n")).toHaveLength(1);
		expect(decode("")).toEqual([]);
	});
});

describe("the limit of a line", () => {
	const longest = `"${"a".repeat(62)}"`;

	test("a line of exactly the limit passes", () => {
		expect(messages(decode(`${longest}\n`))).toEqual(["a".repeat(62)]);
	});

	test("one byte more ends the decoding, wherever the line stands in a chunk", () => {
		for (const text of [`${longest} \n1\n`, `0\n${longest} \n1\n`, `0\n${longest} `, `0\n${longest} \n${longest} `]) {
			const found = kinds(decode(text)).filter((kind) => kind !== "message");
			expect(found).toEqual(["too_large"]);
			expect(messages(decode(text))).not.toContain(1);
		}
	});

	test("the limit counts bytes, not characters", () => {
		expect(kinds(decode(`"${"é".repeat(31)}"\n`))).toEqual(["message"]);
		expect(kinds(decode(`"${"é".repeat(32)}"\n`))).toEqual(["too_large"]);
	});

	test("a line that is not UTF-8 counts as it stood on the wire", () => {
		const bytes = new Uint8Array(65).fill(0xff);
		bytes[64] = 0x0a;
		expect(decode(bytes)).toMatchObject([{ kind: "noise", reason: "it is not UTF-8", bytes: 65 }]);
	});

	test("a line that has no end yet is refused as soon as it passes the limit", () => {
		const decoder = ndjson.decoder(limits);
		expect(decoder.push(new Uint8Array(40).fill(0x20))).toEqual([]);
		expect(decoder.push(new Uint8Array(40).fill(0x20))).toEqual([{ kind: "too_large", bytes: 80 }]);
		expect(decoder.push(utf8("\n1\n"))).toEqual([]);
		expect(decoder.end()).toEqual([]);
	});

	test("the size of a message is what its line takes on the wire", () => {
		const text = ndjson.encode({ text: "é€😀" });
		expect(decode(text)).toMatchObject([{ bytes: utf8(text).byteLength }]);
	});
});

function decode(input: string | Uint8Array): Decoded[] {
	const decoder = ndjson.decoder(limits);
	return [...decoder.push(typeof input === "string" ? utf8(input) : input), ...decoder.end()];
}

function utf8(text: string): Uint8Array {
	return new TextEncoder().encode(text);
}

function kinds(found: Decoded[]): Decoded["kind"][] {
	return found.map((item) => item.kind);
}

function messages(found: Decoded[]): unknown[] {
	return found.flatMap((item) => (item.kind === "message" ? [item.value] : []));
}
