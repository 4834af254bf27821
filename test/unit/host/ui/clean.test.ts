import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cleanLine, cleanText, cut } from "../../../../host/ui/clean.ts";

const forbidden = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/u;

describe("cleaned text", () => {
	test.each([
		["a colour", "\u001b[1;31mred\u001b[0m", "red"],
		["a terminal title", "\u001b]0;owned\u0007text", "text"],
		["a link", "\u001b]8;;http://a.b\u001b\\link\u001b]8;;\u001b\\", "link"],
		["a device string", "\u001bPq#0\u001b\\text", "text"],
		["a charset switch", "\u001b(0text", "text"],
		["a reset", "\u001bctext", "text"],
		["a lone escape at the end", "text\u001b", "text"],
		["bell, NUL and delete", "t\u0007e\u0000x\u007ft", "text"],
		["C1 controls", "t\u0085e\u009bxt", "text"],
		["bidirectional overrides", "t\u202ee\u2066xt\u2069", "text"],
		["a carriage return", "te\rxt", "text"],
		["a sequence within a sequence", "\u001b\u001b[31m[2Jtext", "[2Jtext"],
	])("has no trace of %s", (_name, dirty, clean) => {
		expect(cleanText(dirty, 100)).toBe(clean);
	});

	test("keeps what follows a control string that is never closed", () => {
		expect(cleanText("\u001b]0;the rest", 100)).toBe("0;the rest");
	});

	test("keeps line feeds and tabs, Windows line ends as line feeds, and joined emoji", () => {
		expect(cleanText("a\r\nb\n\tc 👩‍👩‍👧", 100)).toBe("a\nb\n\tc 👩‍👩‍👧");
	});

	test("has a replacement character for half a surrogate pair", () => {
		expect(cleanText("a\ud83d", 100)).toBe("a\ufffd");
	});

	test("on one line has spaces for line feeds and tabs", () => {
		expect(cleanLine("a\r\nb\tc\nd", 100)).toBe("a b c d");
	});

	test("never has a forbidden character, whatever comes in, and is not changed by a second cleaning", () => {
		const piece = fc.constantFrom(
			"\u001b",
			"[",
			"]",
			"31m",
			";",
			"\u0007",
			"\\",
			"\u009b",
			"\u009c",
			"\r",
			"\n",
			"a",
			"P",
			"\u202e",
			" ",
		);
		fc.assert(
			fc.property(
				fc.oneof(
					fc.string({ unit: "binary" }),
					fc.array(piece).map((pieces) => pieces.join("")),
				),
				(dirty) => {
					const clean = cleanText(dirty, 50);
					expect(clean).not.toMatch(forbidden);
					expect(cleanText(clean, 50)).toBe(clean);
					expect([...clean].length).toBeLessThanOrEqual(50);
				},
			),
			{ seed: 7, numRuns: 300 },
		);
	});
});

describe("a cut text", () => {
	test("of just the limit is left alone", () => {
		expect(cut("😀😀😀", 3)).toBe("😀😀😀");
	});

	test("past the limit ends in an ellipsis within the limit, and halves no character", () => {
		expect(cut("😀😀😀😀", 3)).toBe("😀😀…");
		expect(cut("abcd", 1)).toBe("…");
	});
});
