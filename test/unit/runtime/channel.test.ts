import { describe, expect, test } from "bun:test";
import { failure } from "../../../runtime/errors.ts";
import { openHeard, playedSide } from "./channel-support.ts";
import { byteConnection, turn } from "./support.ts";

describe("messages over two connected byte streams", () => {
	test("messages of both sides arrive, each side's in the order in which they were sent", async () => {
		const [left, right] = connected();
		const numbers = Array.from({ length: 200 }, (_, index) => index);
		for (const number of numbers) {
			left.channel.send({ number }, number % 3 === 0);
			right.channel.send({ back: number });
		}
		while (left.messages.length < numbers.length) await left.next();
		while (right.messages.length < numbers.length) await right.next();
		expect(right.messages).toEqual(numbers.map((number) => ({ number })));
		expect(left.messages).toEqual(numbers.map((number) => ({ back: number })));
	});

	test("both sides count the same bytes for a message", async () => {
		const [left, right] = connected();
		left.channel.send({ text: "é€😀" });
		await right.next();
		expect(left.bytes.out).toEqual([new TextEncoder().encode('{"text":"é€😀"}\n').byteLength]);
		expect(right.bytes.in).toEqual(left.bytes.out);
	});

	test("a line that is no message is told as noise and the next message is heard", async () => {
		const side = playedSide();
		const own = openHeard(side);
		const message = own.next();
		side.give("Hello from a plugin that prints\n1\n");
		expect(await message).toBe(1);
		expect(own.noise).toEqual([{ excerpt: "Hello from a plugin …", reason: expect.stringMatching(/JSON/) }]);
	});
});

describe("writing", () => {
	test("what is sent in one turn leaves in one write", async () => {
		const side = playedSide();
		const { channel } = openHeard(side);
		channel.send(1);
		channel.send(2);
		channel.send(3, true);
		await channel.flush();
		expect(side.writes).toEqual(["1\n2\n3\n"]);
	});

	test("what is sent while the other side takes nothing leaves together once it does", async () => {
		const side = playedSide();
		const { channel } = openHeard(side);
		const release = side.hold();
		channel.send(1);
		await turn();
		channel.send(2);
		await turn();
		channel.send(3);
		await turn();
		expect(side.writes).toEqual(["1\n"]);
		release();
		await channel.flush();
		expect(side.writes).toEqual(["1\n", "2\n3\n"]);
	});

	test("past the limit of the write queue a message is refused as busy, and an urgent one passes", async () => {
		const side = playedSide();
		const { channel } = openHeard(side);
		const release = side.hold();
		channel.send("a".repeat(57));
		await turn();
		channel.send("b".repeat(37));
		expect(() => channel.send("c")).toThrow(expect.objectContaining({ code: "busy" }));
		channel.send("d", true);
		release();
		await channel.flush();
		expect(side.writes.join("")).toBe(`"${"a".repeat(57)}"\n"${"b".repeat(37)}"\n"d"\n`);
	});

	test("a full queue has room again when the other side has taken the bytes", async () => {
		const side = playedSide();
		const { channel } = openHeard(side);
		const release = side.hold();
		channel.send("a".repeat(97));
		expect(() => channel.send("b")).toThrow(expect.objectContaining({ code: "busy" }));
		release();
		await channel.flush();
		channel.send("c");
		await channel.flush();
		expect(side.writes.at(-1)).toBe('"c"\n');
	});

	test("a message larger than the queue is accepted when nothing waits", async () => {
		const side = playedSide();
		const { channel } = openHeard(side);
		channel.send("a".repeat(500));
		await channel.flush();
		expect(side.writes).toEqual([`"${"a".repeat(500)}"\n`]);
	});

	test("a message larger than the limit of a line is refused and the channel goes on", async () => {
		const side = playedSide();
		const own = openHeard(side);
		expect(() => own.channel.send("é".repeat(500))).toThrow(expect.objectContaining({ code: "message_too_large" }));
		own.channel.send(1);
		await own.channel.flush();
		expect(side.writes).toEqual(["1\n"]);
		expect(own.closes).toEqual([]);
	});

	test("a value that JSON cannot carry is refused with the reason and the channel goes on", async () => {
		const side = playedSide();
		const { channel } = openHeard(side);
		const cycle: Record<string, unknown> = {};
		cycle.self = cycle;
		for (const value of [1n, cycle, undefined, () => {}, Symbol("s")]) {
			expect(() => channel.send(value)).toThrow(expect.objectContaining({ code: "not_serializable" }));
		}
		channel.send(1);
		await channel.flush();
		expect(side.writes).toEqual(["1\n"]);
	});
});

describe("flush", () => {
	test("flush waits until the other side has taken what was sent", async () => {
		const side = playedSide();
		const { channel } = openHeard(side);
		const release = side.hold();
		channel.send(1);
		let flushed = false;
		const flush = channel.flush().then(() => {
			flushed = true;
		});
		await turn();
		expect(flushed).toBe(false);
		release();
		await flush;
		expect(flushed).toBe(true);
	});

	test("flush resolves at once when nothing was sent", async () => {
		await openHeard(playedSide()).channel.flush();
	});

	test("flush resolves at the close although the other side never takes the bytes", async () => {
		const side = playedSide();
		const { channel } = openHeard(side);
		side.hold();
		channel.send(1);
		await turn();
		const flush = channel.flush();
		channel.close(failure("host_stopped"));
		await flush;
		await channel.flush();
	});
});

function connected() {
	const [left, right] = byteConnection();
	return [openHeard(left, { writeQueueBytesMax: 100_000 }), openHeard(right, { writeQueueBytesMax: 100_000 })] as const;
}
