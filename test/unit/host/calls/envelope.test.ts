import { describe, expect, test } from "bun:test";
import { contentFrom, outputOf, textOf } from "../../../../host/calls/envelope.ts";
import type { ContentBlock } from "../../../../runtime/records.ts";

const text = (value: string): ContentBlock => ({ type: "text", text: value });
const image: ContentBlock = { type: "image", mimeType: "image/png", data: "AAAA" };
const linked: ContentBlock = { type: "image", mimeType: "image/png", url: "https://example.com/a.png" };

describe("the text of a content", () => {
	test("is its text blocks, a line each, without the images", () => {
		expect(textOf([text("one"), image, text("two")])).toBe("one\ntwo");
		expect(textOf([image])).toBe("");
		expect(textOf([])).toBe("");
	});
});

describe("the output that handlers see", () => {
	test("is a text where there are only texts, and else the blocks", () => {
		expect(outputOf([text("one"), text("two")])).toBe("one\ntwo");
		expect(outputOf([])).toBe("");
		expect(outputOf([text("see"), image])).toEqual([text("see"), image]);
	});

	test("is a copy: a handler's change does not reach the content", () => {
		const content = [{ ...image }];
		const output = outputOf(content);
		expect(output).toEqual(content);
		expect((output as object[])[0]).not.toBe(content[0]);
	});
});

describe("a content from what a handler put in place", () => {
	test.each([
		["a text", "plain", [text("plain")]],
		["blocks", [text("a"), image, linked], [text("a"), image, linked]],
		["null", null, []],
		["a number", 7, [text("7")]],
		["an object", { a: 1 }, [text('{"a":1}')]],
		["an empty list", [], [text("[]")]],
		["a list that is no blocks", [1, 2], [text("[1,2]")]],
		[
			"blocks of which one is none",
			[text("a"), { type: "text" }],
			[text('[{"type":"text","text":"a"},{"type":"text"}]')],
		],
		[
			"an image with data and url",
			[{ ...image, url: "https://example.com" }],
			[text(JSON.stringify([{ ...image, url: "https://example.com" }]))],
		],
	])("takes %s", (_, output, content) => {
		expect(contentFrom(output as never)).toEqual(content as ContentBlock[]);
	});

	test("gives back what outputOf made of it", () => {
		for (const content of [[text("one")], [text("see"), image], [linked]]) {
			expect(contentFrom(outputOf(content))).toEqual(content);
		}
	});
});
