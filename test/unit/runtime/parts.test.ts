import { describe, expect, test } from "bun:test";
import { Bytes } from "../../../runtime/bytes.ts";
import type { Decoded } from "../../../runtime/codec/codec.ts";
import { agreedCodec, codecOf, ndjson, ndjsonParts } from "../../../runtime/codec/ndjson.ts";
import { joined, read, shown, written } from "./parts-support.ts";

const three = () => new Bytes(new Uint8Array([1, 10, 255]));
const opening = '\u0001[["bytes",3,"params","data"]]\u0002{"params":{"data":null}}\n';

describe("what is written", () => {
	test("a message without bytes is the line that every side reads", () => {
		for (const message of [{ a: "x\ny" }, null, [1], "a".repeat(16_000)]) {
			expect(ndjsonParts.encode(message)).toBe(ndjson.encode(message));
		}
	});

	test("bytes follow the line raw, in a slice that says how many they are, and the line says where they belong", () => {
		expect(written({ params: { data: three() } })).toEqual(joined(opening, "\u00013\n", new Uint8Array([1, 10, 255])));
	});

	test("a side that reads lines alone is given base64", () => {
		expect(ndjson.encode({ data: three() })).toBe('{"data":"AQr/"}\n');
	});

	test("no slice has more than 64 Ki characters or bytes, so that others can go between two of them", () => {
		const encoded = ndjsonParts.encode({ text: "é".repeat(100_000), data: new Bytes(new Uint8Array(200_000)) });
		if (typeof encoded === "string") throw new Error("it was written as a line");
		const slices = [...{ [Symbol.iterator]: () => encoded.slices() }];
		expect(encoded.partBytes).toBe(400_000);
		expect(slices.length).toBeGreaterThan(5);
		for (const { bytes } of slices) expect(bytes.byteLength).toBeLessThanOrEqual(128 * 1024);
	});

	test("a value without a JSON form is refused", () => {
		for (const value of [undefined, () => {}, 1n]) expect(() => ndjsonParts.encode(value)).toThrow(TypeError);
	});

	test("bytes whose memory was given away are zeros, and what follows is read", () => {
		const view = new Uint8Array(3);
		const encoded = ndjsonParts.encode({ data: new Bytes(view) });
		if (typeof encoded === "string") throw new Error("it was written as a line");
		view.buffer.transfer();
		const { value } = encoded.slices().next() as { value: { heading: Uint8Array; bytes: Uint8Array } };
		const found = read([joined(encoded.line, value.heading, value.bytes, "2\n")]);
		expect(valuesOf(found).map(shown)).toEqual(['{"data":{"raw":"AAAA"}}', "2"]);
	});
});

describe("what comes out the same", () => {
	const long = 'a\n"é😀'.repeat(20_000);
	const rows: [string, unknown][] = [
		["bytes at several places", { a: [three(), { b: three() }], c: new Bytes(new Uint8Array()) }],
		["bytes alone", three()],
		["a member of the name __proto__", JSON.parse('{"__proto__":{"x":1}}')],
		[
			"bytes beside what looks like what is written for them",
			{ a: null, b: [["bytes", 3, "a"]], c: "\u0001\u0002", d: three() },
		],
		["long texts", { a: long, b: [long, { c: `${long}!` }], d: three() }],
		["a long text with half of a pair", { a: `${long}\ud800`, b: `\udc00${long}`, c: long }],
		["a long message of short texts", Array.from({ length: 20_000 }, (_, index) => ({ index, text: "ä" }))],
		["a long message of short texts with bytes in it", { a: Array(30_000).fill("text"), b: [three(), long] }],
		["a byte order mark at the beginning of a long text", { a: `\uFEFF${long}` }],
	];
	test.each(rows)("%s", (_, message) => {
		const text = shown(message);
		expect(
			valuesOf(read([joined(written(message), written(message, '"between"\n'))]))
				.map(shown)
				.filter((one) => one !== '"between"'),
		).toEqual([text, text]);
	});

	test("bytes under a member of the name __proto__", () => {
		const message: unknown = JSON.parse('{"a":{"__proto__":[0]}}', (key, value) => (key === "0" ? three() : value));
		expect(valuesOf(read([written(message)])).map(shown)).toEqual(['{"a":{"__proto__":[{"raw":"AQr/"}]}}']);
		expect(Object.getPrototypeOf(valuesOf(read([written(message)]))[0])).toBe(Object.prototype);
	});

	test("bytes that a toJSON method gives are base64, also beside others", () => {
		const own = { toJSON: () => ({ data: three() }) };
		expect(valuesOf(read([written(own)])).map(shown)).toEqual(['{"data":"AQr/"}']);
		expect(valuesOf(read([written([own, three()])])).map(shown)).toEqual(['[{"data":"AQr/"},{"raw":"AQr/"}]']);
	});

	test("bytes have memory of their own, and nothing that walks a message sees their members", () => {
		const [found] = valuesOf(read([written([three()])])) as [[Bytes]];
		expect([...found[0].view]).toEqual([1, 10, 255]);
		expect(found[0].view.buffer.byteLength).toBe(3);
		expect(Object.keys(found[0])).toEqual([]);
		expect(JSON.stringify(found)).toBe('["AQr/"]');
	});

	test("a message counts the bytes of its line and its parts, as its writer does", () => {
		const encoded = ndjsonParts.encode({ params: { data: three() } });
		if (typeof encoded === "string") throw new Error("it was written as a line");
		expect(read([written({ params: { data: three() } })])).toMatchObject([{ bytes: opening.length + 3 }]);
		expect(encoded.line.length + encoded.partBytes).toBe(opening.length + 3);
	});
});

describe("what opens no message is noise, and the next line is heard", () => {
	test.each([
		"\u0001\n",
		"\u0001x\n",
		"\u00015\n",
		"\u0001[]\u0002null\n",
		"\u0001[[]]\u0002null\n",
		'\u0001{"length":1}\u0002null\n',
		'\u0001[["text",1.5]]\u0002null\n',
		'\u0001[["bytes",-1]]\u0002null\n',
		'\u0001[["bytes",1e300]]\u0002null\n',
		'\u0001[["bytes","1"]]\u0002null\n',
		'\u0001[["file",1]]\u0002null\n',
		'\u0001[["bytes",1,null]]\u0002null\n',
		'\u0001[["bytes",1,["a"]]]\u0002null\n',
		'\u0001[["bytes",1]]\u0002{\n',
		'\u0001[["bytes",1]]\n',
		"\u000199999999999999999999\n",
		"\u0001-1\n",
		"\u00010\n",
		"\u0001\u0002\n",
	])("%j", (line) => {
		expect(kindsOf(read([joined(line, "1\n")]))).toEqual(["noise", "message"]);
	});

	test("a second opening, and a slice of more than is missing; the open message is read on", () => {
		const found = read([joined(opening, opening, "\u00014\n", "\u00013\n", "abc", "1\n")]);
		expect(kindsOf(found)).toEqual(["noise", "noise", "message", "message"]);
		expect(valuesOf(found).map(shown)).toEqual(['{"params":{"data":{"raw":"YWJj"}}}', "1"]);
	});

	test.each([
		['[["bytes",1,"b"]]', '{"a":null}'],
		['[["bytes",1,"a"]]', '{"a":0}'],
		['[["bytes",1,"a","b"]]', '{"a":null}'],
		['[["bytes",1,"0"]]', "[null]"],
		['[["bytes",1,0]]', '{"0":null}'],
		['[["bytes",1,1]]', "[null]"],
		['[["bytes",1,"length"]]', "[null]"],
		['[["bytes",1,"toString"]]', "{}"],
		['[["bytes",1,"__proto__"]]', "{}"],
		// The prototype of all objects has null there.
		['[["bytes",1,"__proto__","__proto__"]]', "{}"],
		['[["bytes",1],["bytes",0,"x"]]', "null"],
		['[["bytes",1],["bytes",0]]', "null"],
		['[["json",1]]', "null"],
	])("parts %s of %s, which has no such place", (heading, json) => {
		const found = read([joined(`\u0001${heading}\u0002${json}\n`, "\u00011\n", "{", "1\n")]);
		expect(kindsOf(found)).toEqual(["noise", "message"]);
	});

	test("a text that is not UTF-8, or ends inside a character; every byte of it is read", () => {
		for (const bytes of [new Uint8Array([0xff, 0x0a, 0x0a]), new Uint8Array([0x61, 0x0a, 0xc3])]) {
			const found = read([joined('\u0001[["text",3]]\u0002null\n\u00013\n', bytes, "1\n")]);
			expect(kindsOf(found)).toEqual(["noise", "message"]);
			expect(found[0]).toMatchObject({ reason: "a text in it is not UTF-8" });
		}
	});

	test("a stream that ends inside a message", () => {
		for (const end of ["", "\u00012\n", "\u00012\na", "\u00012\nab", "\u00012\nab\u0001"]) {
			const last = read([joined(opening, end)]).at(-1);
			expect(last).toMatchObject({ kind: "noise", reason: "the stream ended inside a message" });
		}
	});
});

describe("the limits", () => {
	test("a message of exactly the limit passes, and one byte more ends the decoding before its parts come", () => {
		const bytes = opening.length + 3;
		const whole = joined(written({ params: { data: three() } }), "1\n");
		expect(kindsOf(read([whole], { lineBytesMax: bytes }))).toEqual(["message", "message"]);
		expect(read([whole], { lineBytesMax: bytes - 1 })).toEqual([{ kind: "too_large", bytes }]);
	});

	test("a message that announces more than the limit is refused at once, also in several parts", () => {
		for (const heading of ['[["bytes",9000000000000000]]', '[["text",5000000,"a"],["bytes",5000000,"b"]]']) {
			expect(kindsOf(read([joined(`\u0001${heading}\u0002null\n`)]))).toEqual(["too_large"]);
		}
	});

	test("values count in the line, in its heading, and in a part that is JSON", () => {
		const many = `[${"1,".repeat(60)}1]`;
		const tooMany = { kind: "too_large", values: true };
		const own = { valuesMax: 50 };
		expect(read([joined(`\u0001[["bytes",0,"a"]]\u0002${many}\n`)], own)).toMatchObject([tooMany]);
		expect(read([joined(`\u0001[${'["text",0],'.repeat(60)}["text",0]]\u0002null\n`)], own)).toMatchObject([tooMany]);
		const json = joined(`\u0001[["json",${many.length}]]\u0002null\n\u0001${many.length}\n${many}1\n`);
		expect(read([json], own)).toMatchObject([tooMany]);
		expect(kindsOf(read([json], { valuesMax: 500 }))).toEqual(["message", "message"]);
	});
});

test("the best codec that both know is agreed, whatever else a side names", () => {
	expect(agreedCodec()).toBe("ndjson");
	expect(agreedCodec(["ndjson", "cbor"])).toBe("ndjson");
	expect(agreedCodec(["cbor", "ndjson+parts", "ndjson"])).toBe("ndjson+parts");
	expect(codecOf("ndjson+parts")).toBe(ndjsonParts);
	for (const name of ["ndjson", "cbor", "toString"]) expect(codecOf(name)).toBe(ndjson);
});

function kindsOf(found: Decoded[]): Decoded["kind"][] {
	return found.map(({ kind }) => kind);
}

function valuesOf(found: Decoded[]): unknown[] {
	return found.flatMap((item) => (item.kind === "message" ? [item.value] : []));
}
