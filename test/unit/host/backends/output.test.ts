import { describe, expect, test } from "bun:test";
import { createLineReader, createTail } from "../../../../host/backends/output.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function reader(bytesMax = 1_000) {
	const lines: string[] = [];
	let arrived = Promise.withResolvers<void>();
	const { push, end } = createLineReader({
		bytesMax,
		line(text) {
			lines.push(text);
			arrived.resolve();
			arrived = Promise.withResolvers();
		},
	});
	return { lines, push: (text: string) => push(bytes(text)), pushBytes: push, end, next: () => arrived.promise };
}

describe("lines", () => {
	test("are the same whatever the chunks", () => {
		const text = "one\ntwo ü 😀\r\n\nfour\n";
		const whole = bytes(text);
		for (let size = 1; size <= whole.length; size++) {
			const { lines, pushBytes, end } = reader();
			for (let at = 0; at < whole.length; at += size) pushBytes(whole.subarray(at, at + size));
			end();
			expect({ size, lines }).toEqual({ size, lines: ["one", "two ü 😀", "", "four"] });
		}
	});

	test("without an end come out at the end, or when nothing more comes for a while", async () => {
		const { lines, push, end, next } = reader();
		push("a question? ");
		expect(lines).toEqual([]);
		await next();
		expect(lines).toEqual(["a question? "]);
		push("the last words");
		end();
		end();
		expect(lines).toEqual(["a question? ", "the last words"]);
	});

	test("that are too long are cut, and the rest of them is dropped, however it comes", async () => {
		const { lines, push, next } = reader(10);
		push("0123456789ABC");
		expect(lines).toEqual(["0123456789…"]);
		push("DEF");
		// Longer than a text waits for its end.
		await Bun.sleep(80);
		push("GHI");
		push(`${"J".repeat(40)}\nnext\n`);
		expect(lines).toEqual(["0123456789…", "next"]);
		push("0123456789ABC\n");
		expect(lines.at(-1)).toBe("0123456789…");
		push("short");
		await next();
		expect(lines.at(-1)).toBe("short");
	});

	test("of just the limit are not cut", () => {
		const { lines, push } = reader(10);
		push("0123456789\n");
		expect(lines).toEqual(["0123456789"]);
	});
});

describe("a tail", () => {
	test("is the end of what was written, whatever the chunks", () => {
		for (const size of [1, 3, 7, 100, 1_000]) {
			const tail = createTail(50);
			const text = Array.from({ length: 60 }, (_, n) => `line ${n}\n`).join("");
			for (let at = 0; at < text.length; at += size) tail.push(bytes(text.slice(at, at + size)));
			expect({ size, text: tail.text() }).toEqual({ size, text: text.slice(-50) });
		}
	});

	test("is all of it where that is short", () => {
		const tail = createTail(50);
		expect(tail.text()).toBe("");
		tail.push(bytes("last words"));
		expect(tail.text()).toBe("last words");
	});

	test("keeps no more memory than it needs", () => {
		const tail = createTail(1_000);
		const chunk = bytes("x".repeat(1_000));
		for (let n = 0; n < 10_000; n++) tail.push(chunk);
		expect(tail.text()).toBe("x".repeat(1_000));
	});
});
