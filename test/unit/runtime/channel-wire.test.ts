import { describe, expect, test } from "bun:test";
import { openByteChannel } from "../../../runtime/channel.ts";
import { ndjson } from "../../../runtime/codec/ndjson.ts";
import type { BroodError } from "../../../runtime/errors.ts";
import { limits } from "../../../runtime/limits.ts";
import type { ByteWire, WireListener } from "../../../runtime/wire.ts";
import { turn } from "./support.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** A wire that the test plays: it takes so many bytes as it is told to. */
function playedWire() {
	let listener: WireListener | undefined;
	let room = Number.POSITIVE_INFINITY;
	const told: string[] = [];
	const writes: string[] = [];
	const wire: ByteWire = {
		open(opened) {
			listener = opened;
			told.push("open");
		},
		write(bytes) {
			const taken = bytes.subarray(0, room);
			room -= taken.byteLength;
			if (taken.byteLength > 0) writes.push(new TextDecoder().decode(taken));
			return taken.byteLength;
		},
		pause: () => told.push("pause"),
		resume: () => told.push("resume"),
		end: () => told.push("end"),
	};
	return {
		wire,
		told,
		writes,
		takes(bytes: number) {
			room = bytes;
		},
		data: (text: string) => listener?.data(encode(text)),
		drained: () => listener?.drained(),
		closed: (error?: unknown) => listener?.closed(error),
	};
}

interface Before {
	received?: Uint8Array[];
	unsent?: Uint8Array[];
}

function open(before: Before = {}, onMessage = (_: unknown) => {}, wire: Partial<typeof limits.wire> = {}) {
	const side = playedWire();
	const messages: unknown[] = [];
	const closes: BroodError[] = [];
	const channel = openByteChannel({
		wire: side.wire,
		codec: ndjson,
		limits: { ...limits.wire, ...wire },
		listener: {
			message(value) {
				messages.push(value);
				onMessage(value);
			},
			sent() {},
			noise: (excerpt) => messages.push(`noise ${excerpt}`),
			closed: (reason) => closes.push(reason),
		},
		...before,
	});
	return { ...side, channel, messages, closes };
}

describe("a message that comes alone", () => {
	test("is handled in the very moment in which it is read", async () => {
		const { data, messages } = open();
		await Promise.resolve();
		data('{"n":');
		data("1}\n");
		expect(messages).toEqual([{ n: 1 }]);
	});
});

describe("many messages at once", () => {
	test("hold the other side up while everything else has its turn, and all arrive in order", async () => {
		const slow = () => Bun.sleepSync(1);
		const { data, closed, messages, told, closes } = open({}, slow);
		await Promise.resolve();
		data("1\n2\n3\n");
		expect(messages.length).toBeLessThan(3);
		expect(told).toEqual(["open", "pause"]);
		data("4\n5\n");
		closed();
		while (closes.length === 0) await turn();
		expect(messages).toEqual([1, 2, 3, 4, 5]);
	});

	test("let the other side go on once they were read", async () => {
		const { data, messages, told } = open({}, () => Bun.sleepSync(1));
		await Promise.resolve();
		data("1\n2\n");
		while (!told.includes("resume")) await turn();
		expect(messages).toEqual([1, 2]);
		data("3\n");
		expect(messages).toEqual([1, 2, 3]);
	});

	test("that a listener chokes on close the channel, and the error is the cause", async () => {
		const error = new Error("choked");
		const { data, closes, told } = open({}, () => {
			throw error;
		});
		await Promise.resolve();
		data("1\n2\n");
		await turn();
		expect(closes).toMatchObject([{ code: "channel_closed", cause: error }]);
		expect(told.at(-1)).toBe("end");
	});
});

describe("a wire that somebody else had before", () => {
	test("has what was read of it decoded first, together with what follows", async () => {
		const { data, messages } = open({ received: [encode('1\n{"tor'), encode('n":')] });
		expect(messages).toEqual([]);
		await Promise.resolve();
		data("true}\n");
		expect(messages).toEqual([1, { torn: true }]);
	});

	test("has what could not be written yet sent before anything else", async () => {
		const { channel, writes } = open({ unsent: [encode("un"), encode("sent\n")] });
		channel.send(1);
		await channel.flush();
		expect(writes.join("")).toBe("unsent\n1\n");
	});

	test("hands over what it had by itself, although nothing is sent", async () => {
		const { channel, writes } = open({ unsent: [encode("unsent\n")] });
		await channel.flush();
		expect(writes).toEqual(["unsent\n"]);
	});
});

describe("a wire that takes a part", () => {
	test("is given the rest, and what came meanwhile, once it is drained", async () => {
		const { channel, takes, drained, writes } = open();
		takes(3);
		channel.send("abc");
		await turn();
		channel.send("d");
		await turn();
		expect(writes).toEqual(['"ab']);
		takes(Number.POSITIVE_INFINITY);
		drained();
		await channel.flush();
		expect(writes.join("")).toBe('"abc"\n"d"\n');
	});

	test("counts what it has not taken for the limit of the queue", async () => {
		const { channel, takes } = open({}, undefined, { writeQueueBytesMax: 100 });
		takes(10);
		channel.send("a".repeat(97));
		await turn();
		expect(() => channel.send("b".repeat(20))).toThrow(expect.objectContaining({ code: "busy" }));
	});

	test("is given everything at an exit, in as many attempts as it takes, without a turn of the loop", () => {
		const { channel, takes, writes } = open();
		channel.send("first");
		channel.send("second");
		takes(4);
		expect(channel.handOver()).toBe(false);
		takes(0);
		expect(channel.handOver()).toBe(false);
		takes(Number.POSITIVE_INFINITY);
		expect(channel.handOver()).toBe(true);
		expect(writes.join("")).toBe('"first"\n"second"\n');
		expect(channel.handOver()).toBe(true);
	});
});

test("a large message leaves by itself, so that it is copied for no small one", async () => {
	const { channel, writes } = open();
	channel.send("small");
	channel.send("l".repeat(100_000));
	channel.send("one more");
	channel.send("and another");
	await channel.flush();
	expect(writes.map(({ length }) => length)).toEqual([8, 100_003, 25]);
});
