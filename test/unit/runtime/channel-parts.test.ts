import { describe, expect, test } from "bun:test";
import { Bytes } from "../../../runtime/bytes.ts";
import { type ByteChannel, openByteChannel } from "../../../runtime/channel.ts";
import { ndjson, ndjsonParts } from "../../../runtime/codec/ndjson.ts";
import { failure } from "../../../runtime/errors.ts";
import { limits } from "../../../runtime/limits.ts";
import type { ByteWire, WireListener } from "../../../runtime/wire.ts";
import { read } from "./parts-support.ts";
import { turn } from "./support.ts";

const large = (id?: number) => ({ ...(id === undefined ? { method: "large" } : { id }), data: "x".repeat(400_000) });

describe("while a large message leaves in slices", () => {
	test("later calls and answers go before what is left of it", async () => {
		const { channel, takes, order } = open();
		takes(100_000);
		channel.send(large(1));
		await turn();
		channel.send({ id: 2 });
		channel.send({ id: 3, method: "ping" });
		takes(Number.POSITIVE_INFINITY);
		await channel.flush();
		expect(order()).toEqual([2, "ping", 1]);
	});

	test("notifications wait for its end, and what is sent after them waits as well", async () => {
		const { channel, takes, order } = open();
		takes(100_000);
		channel.send(large(1));
		channel.send({ id: 2 });
		channel.send({ method: "told" }, true);
		channel.send({ id: 3 });
		channel.send({ method: "told again" });
		takes(Number.POSITIVE_INFINITY);
		await channel.flush();
		expect(order()).toEqual([2, 1, "told", 3, "told again"]);
	});

	test("another large one waits for its end, and small ones pass both", async () => {
		const { channel, takes, order } = open();
		takes(0);
		channel.send(large(1));
		channel.send({ method: "between" });
		channel.send(large(2));
		channel.send({ id: 3 });
		channel.send({ method: "last" });
		channel.send({ id: 4 });
		takes(Number.POSITIVE_INFINITY);
		await channel.flush();
		expect(order()).toEqual([1, "between", 3, 2, "last", 4]);
	});

	test("a large notification keeps its place between small ones", async () => {
		const { channel, takes, order } = open();
		takes(0);
		channel.send({ method: "before" });
		channel.send(large());
		channel.send({ method: "after" });
		takes(Number.POSITIVE_INFINITY);
		await channel.flush();
		expect(order()).toEqual(["before", "large", "after"]);
	});

	test("what is left of it counts for the write queue", async () => {
		const { channel, takes } = open({ writeQueueBytesMax: 400_500 });
		takes(0);
		channel.send(large(1));
		channel.send({ id: 2 });
		expect(() => channel.send(large(3))).toThrow(expect.objectContaining({ code: "busy" }));
		takes(Number.POSITIVE_INFINITY);
		await channel.flush();
		channel.send(large(3));
	});

	test("urgent messages that wait behind it are counted, and past their limit nobody reads them", async () => {
		const { channel, takes, closes } = open({ urgentMessagesMax: 3 });
		takes(0);
		channel.send(large(1));
		for (const method of ["a", "b", "c"]) channel.send({ method }, true);
		expect(() => channel.send({ method: "d" }, true)).toThrow(expect.objectContaining({ code: "busy" }));
		expect(closes).toEqual(["busy"]);
	});

	test("an exit hands over all of it and what waits behind it", () => {
		const { channel, takes, order } = open();
		takes(70_000);
		channel.send(large(1));
		channel.send({ method: "told" });
		channel.send({ id: 2, data: new Bytes(new Uint8Array(200_000)) });
		expect(channel.handOver()).toBe(false);
		takes(Number.POSITIVE_INFINITY);
		expect(channel.handOver()).toBe(true);
		expect(order()).toEqual([1, "told", 2]);
	});

	test("a close gives it up, and flush resolves", async () => {
		const { channel, takes } = open();
		takes(0);
		channel.send(large(1));
		channel.send({ method: "told" });
		const flush = channel.flush();
		channel.close(failure("host_stopped"));
		await flush;
	});

	test("a side that takes everything at once lets this process do other things in between", async () => {
		const { channel, order } = open();
		const turns: number[] = [];
		channel.send({ id: 1, data: new Bytes(new Uint8Array(32 * 1024 * 1024)) });
		setImmediate(() => turns.push(order().length));
		await channel.flush();
		expect(turns).toEqual([0]);
		expect(order()).toEqual([1]);
	});
});

test("before another codec is agreed a large message is one line, with its bytes as base64", async () => {
	const { channel, text } = open({}, false);
	channel.send({ id: 1, data: new Bytes(new Uint8Array([1, 2, 3])), more: "x".repeat(200_000) });
	await channel.flush();
	expect(text().startsWith('{"id":1,"data":"AQID","more":"xxx')).toBe(true);
	channel.speak(ndjsonParts);
	channel.send({ id: 2, data: new Bytes(new Uint8Array([97, 98])) });
	await channel.flush();
	expect(text().endsWith('\u0001[["bytes",2,"data"]]\u0002{"id":2,"data":null}\n\u00012\nab')).toBe(true);
});

test("a message of more bytes or values than allowed is refused, and the channel goes on", async () => {
	const { channel, order } = open({ lineBytesMax: 300_000, valuesMax: 50_000 });
	const refused = expect.objectContaining({ code: "message_too_large" });
	expect(() => channel.send({ id: 1, data: new Bytes(new Uint8Array(300_000)) })).toThrow(refused);
	expect(() => channel.send({ id: 2, data: Array(60_000).fill(1), text: "x".repeat(70_000) })).toThrow(refused);
	channel.send({ id: 3 });
	await channel.flush();
	expect(order()).toEqual([3]);
});

function open(own: Partial<typeof limits.wire> = {}, speaksParts = true) {
	let listener: WireListener | undefined;
	let room = Number.POSITIVE_INFINITY;
	const writes: Uint8Array[] = [];
	const wire: ByteWire = {
		open(opened) {
			listener = opened;
		},
		write(bytes) {
			const taken = bytes.slice(0, room);
			room -= taken.byteLength;
			writes.push(taken);
			return taken.byteLength;
		},
		pause() {},
		resume() {},
		end() {},
	};
	const closes: string[] = [];
	const channel: ByteChannel = openByteChannel({
		wire,
		codec: ndjson,
		limits: { ...limits.wire, ...own },
		listener: { message() {}, sent() {}, noise() {}, closed: ({ code }) => closes.push(code) },
	});
	if (speaksParts) channel.speak(ndjsonParts);
	return {
		channel,
		closes,
		takes(bytes: number) {
			room = bytes;
			queueMicrotask(() => listener?.drained());
		},
		text: () => Buffer.concat(writes).toString(),
		/** The messages that the other side has read so far, in their order. */
		order: () =>
			read(writes, { lineBytesMax: 64 * 1024 * 1024 }).flatMap((item) => {
				if (item.kind !== "message") return [];
				const { id, method } = item.value as { id?: number; method?: string };
				return [method ?? id];
			}),
	};
}
