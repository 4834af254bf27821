import { expect, test } from "bun:test";
import { createLineReader, createTail } from "../../../../host/backends/output.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test("a chunk of many lines leaves turns of the event loop to everybody else, and loses none", async () => {
	let lines = 0;
	const { push } = createLineReader({
		bytesMax: 1_000,
		line() {
			lines += 1;
		},
	});
	const others: number[] = [];
	let isOver = false;
	const other = () => {
		others.push(lines);
		if (!isOver) setImmediate(other);
	};
	setImmediate(other);
	await push(bytes("\n".repeat(500_000)));
	isOver = true;
	expect(lines).toBe(500_000);
	expect(new Set(others).size).toBeGreaterThan(5);
});

test("a stream that always has another chunk leaves turns to everybody else", async () => {
	const { push } = createLineReader({ bytesMax: 1_000, line() {} });
	let isOver = false;
	setImmediate(() => {
		isOver = true;
	});
	let chunks = 0;
	for (; !isOver && chunks < 1_000_000; chunks += 1) await push(bytes("x\n"));
	expect(chunks).toBeLessThan(1_000_000);
});

test("a line in pieces of any size is whole, also when it has no bound", async () => {
	const lines: string[] = [];
	const { push } = createLineReader({ bytesMax: Number.POSITIVE_INFINITY, line: (text) => lines.push(text) });
	const long = "ü😀x".repeat(30_000);
	await push(bytes(`${long}\r\nnext\n`));
	expect(lines).toEqual([long, "next"]);
});

test("a tail of no bytes keeps none", () => {
	const tail = createTail(0);
	for (let n = 0; n < 10; n += 1) tail.push(bytes("text"));
	expect(tail.text()).toBe("");
});
