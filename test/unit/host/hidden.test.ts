import { expect, test } from "bun:test";
import { firstOwnFrame, renderFrame } from "../../../host/base/frame.ts";
import { createPluginLog } from "../../../host/base/log.ts";
import { cleanLine, cleanText } from "../../../host/ui/clean.ts";
import { limits } from "../../../runtime/limits.ts";
import { createRedactor } from "../../../runtime/redact.ts";

const hidden = ["\u202a", "\u202e", "\u2066", "\u2069", "\u200b", "\u2060", "\ufeff", "\u001b", "\u009b", "\u0000"];

test("no log line, dialog or code frame has a character that hides or turns a text", () => {
	const log = createPluginLog("p", limits.text);
	for (const character of [...hidden, "\u2028", "\u2029"]) {
		const { message } = log.add({ source: "output", level: "info", message: `a${character}b` });
		expect(message).toBe(`a\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}b`);
		const frame = renderFrame({ file: "/f.ts", line: 1, column: 1, message: character }, `a${character}b`);
		expect(frame).not.toContain(character);
	}
	for (const character of hidden) expect(cleanText(`a${character}`, 10)).toBe("a");
});

test("line ends of other kinds are line feeds in a dialog of several lines and spaces in one of one", () => {
	expect(cleanText("a\u2028b\u2029c", 10)).toBe("a\nb\nc");
	expect(cleanLine("a\u2028b\u2029c", 10)).toBe("a b c");
});

test("joined emoji, Persian and Hebrew stay as they are", () => {
	const text = "👩‍👩‍👧 ❤️ می‌خواهم ‏שלום";
	expect(cleanText(text, 100)).toBe(text);
	expect(createPluginLog("p", limits.text).add({ source: "output", level: "info", message: text }).message).toBe(text);
});

test.each([
	["brackets", " (/"],
	["places", ":1"],
	["blanks", " "],
])("a stack of lines of %s takes about as long as any other of its size", (_name, piece) => {
	const stack = (text: string) => `    at /${text.repeat(4_000 / text.length)}x\n`.repeat(300);
	const fastest = (text: string) =>
		Math.min(
			...Array.from({ length: 3 }, () => {
				const began = performance.now();
				firstOwnFrame(stack(text), "/r");
				return performance.now() - began;
			}),
		);
	fastest("abcd");
	expect(fastest(piece) / fastest("abcd")).toBeLessThan(50);
});

test("a secret of megabytes is learned by its beginning, and a redactor that is full learns no more", () => {
	const redactor = createRedactor();
	redactor.learn(`the first line\n${"x".repeat(100_000)}\nthe last line`);
	expect(redactor.text("the first line, the last line")).toBe("[secret], the last line");
	for (let n = 0; n < 300; n += 1) redactor.learn(`secret number ${1_000 + n}`);
	expect(redactor.text("secret number 1000; secret number 1299")).toBe("[secret]; secret number 1299");
});
