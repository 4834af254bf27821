import { expect, test } from "bun:test";
import type { Channel } from "../../../runtime/channel.ts";
import { type MemoryEnd, memoryChannels } from "../../../runtime/channel-memory.ts";
import { type BroodError, failure } from "../../../runtime/errors.ts";
import { turn } from "./support.ts";

test("messages arrive on the other side in order, never on one's own", async () => {
	const [left, right] = connected();
	left.channel.send(1);
	left.channel.send(2, true);
	right.channel.send(3);
	left.channel.send(4);
	await turn();
	expect(right.messages).toEqual([1, 2, 4]);
	expect(left.messages).toEqual([3]);
});

test("a message arrives after the call that sent it has returned, and before a flush resolves", async () => {
	const [left, right] = connected();
	left.channel.send(1);
	expect(right.messages).toEqual([]);
	await left.channel.flush();
	expect(right.messages).toEqual([1]);
});

test("the other side sees what the wire would have carried, and no object of this side", async () => {
	const [left, right] = connected();
	const sent = { when: new Date(0), gone: undefined, not: Number.NaN, list: [undefined], inner: { a: 1 } };
	left.channel.send(sent);
	sent.inner.a = 2;
	await turn();
	expect(right.messages).toStrictEqual([
		{ when: "1970-01-01T00:00:00.000Z", not: null, list: [null], inner: { a: 1 } },
	]);
});

test("both sides count the bytes of a message alike", async () => {
	const [left, right] = connected();
	left.channel.send("é€😀");
	await turn();
	expect(left.sizes).toEqual([11]);
	expect(right.sizes).toEqual([11]);
});

test("a value that JSON cannot carry is refused with the reason", () => {
	const [left] = connected();
	for (const value of [1n, undefined, () => {}, Symbol("s"), { toJSON: () => undefined }]) {
		expect(() => left.channel.send(value)).toThrow(expect.objectContaining({ code: "not_serializable" }));
	}
});

test("a close by either side reaches both once, with the same reason, and gives up what is on its way", async () => {
	const [left, right] = connected();
	const reason = failure("host_stopped");
	left.channel.send(1);
	right.channel.close(reason);
	left.channel.close(failure("internal"));
	await turn();
	expect(left.closes).toEqual([reason]);
	expect(right.closes).toEqual([reason]);
	expect(right.messages).toEqual([]);
	expect(() => left.channel.send(2)).toThrow(reason);
	expect(() => right.channel.send(2)).toThrow(reason);
});

interface Side {
	channel: Channel;
	messages: unknown[];
	sizes: number[];
	closes: BroodError[];
}

function connected(): [Side, Side] {
	const [left, right] = memoryChannels();
	return [opened(left), opened(right)];
}

function opened(end: MemoryEnd): Side {
	const messages: unknown[] = [];
	const sizes: number[] = [];
	const closes: BroodError[] = [];
	const channel = end({
		message(value, bytes) {
			messages.push(value);
			sizes.push(bytes);
		},
		sent: (_, bytes) => sizes.push(bytes),
		noise: () => {},
		closed: (reason) => closes.push(reason),
	});
	return { channel, messages, sizes, closes };
}
