import { expect, test } from "bun:test";
import { openByteChannel } from "../../../runtime/channel.ts";
import { ndjson } from "../../../runtime/codec/ndjson.ts";
import { limits } from "../../../runtime/limits.ts";
import { streamWire } from "../../../runtime/wire-stream.ts";

const broken = () => Promise.reject(new Error("EPIPE"));

/** A channel whose writes fail, and what it hears of the other side. */
function openBroken() {
	const heard: unknown[] = [];
	const ended = Promise.withResolvers<void>();
	let say: (line: string) => void = () => {};
	const readable = new ReadableStream<Uint8Array>({
		start(controller) {
			say = (line) => controller.enqueue(new TextEncoder().encode(`${line}\n`));
		},
	});
	const channel = openByteChannel({
		wire: streamWire(readable, { write: broken, flush: () => undefined, end: () => undefined }),
		codec: ndjson,
		limits: limits.wire,
		listener: { message: (value) => heard.push(value), sent() {}, noise() {}, closed: () => ended.resolve() },
	});
	return { channel, heard, ended: ended.promise, say };
}

test("a write that fails cuts off nothing that the other side says meanwhile, however long it takes to read", async () => {
	const { channel, heard, ended, say } = openBroken();
	channel.send({ to: "nobody" });
	for (let word = 0; word < 8; word += 1) {
		say(`{"word":${word}}`);
		// Shorter than a silence that means the end, longer together.
		await Bun.sleep(8);
	}
	await ended;
	expect(heard).toEqual(Array.from({ length: 8 }, (_, word) => ({ word })));
	expect(() => channel.send({})).toThrow("no longer reads");
});

test("a program that stood still reads what came meanwhile before it takes silence for the end", async () => {
	const { channel, heard, ended, say } = openBroken();
	channel.send({ to: "nobody" });
	await Bun.sleep(1);
	// All timers are due before the loop reads again.
	Bun.sleepSync(100);
	setImmediate(() => setImmediate(() => say('{"word":1}')));
	await ended;
	expect(heard).toEqual([{ word: 1 }]);
});
