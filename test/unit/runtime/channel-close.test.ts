import { describe, expect, test } from "bun:test";
import { failure } from "../../../runtime/errors.ts";
import { openHeard, playedSide } from "./channel-support.ts";
import { byteConnection, turn } from "./support.ts";

const brokenPipe = Object.assign(new Error("EPIPE: broken pipe, write"), { code: "EPIPE" });

describe("the reason of a close", () => {
	test("one's own close is told with the reason it was given, once, and to the other side as its end", async () => {
		const [left, right] = byteConnection();
		const own = openHeard(left);
		const other = openHeard(right);
		const reason = failure("host_stopped");
		own.channel.close(reason);
		own.channel.close(failure("internal"));
		expect(await own.closed).toBe(reason);
		expect(await other.closed).toMatchObject({
			code: "channel_closed",
			message: expect.stringMatching(/the other side ended/),
		});
		await turn();
		expect(own.closes).toEqual([reason]);
		expect(other.closes).toHaveLength(1);
	});

	test("the end of the stream closes the channel after what came before it, a torn last line as noise", async () => {
		const side = playedSide();
		const own = openHeard(side);
		side.give('1\n{"a"');
		side.end();
		expect(await own.closed).toMatchObject({
			code: "channel_closed",
			message: expect.stringMatching(/the other side ended/),
		});
		expect(own.messages).toEqual([1]);
		expect(own.noise).toEqual([{ excerpt: '{\\"a\\"', reason: "the stream ended inside a line" }]);
	});

	test("a stream that fails closes the channel and is the cause", async () => {
		const side = playedSide();
		const own = openHeard(side);
		const cause = new Error("torn cable");
		side.fail(cause);
		const reason = await own.closed;
		expect(reason).toMatchObject({ code: "channel_closed", message: expect.stringMatching(/reading failed/) });
		expect(reason.cause).toBe(cause);
	});

	test("a line over the limit closes the channel as too large, after the messages before it", async () => {
		const side = playedSide();
		const own = openHeard(side, { lineBytesMax: 20 });
		side.give(`1\n"${"a".repeat(30)}"\n2\n`);
		expect(await own.closed).toMatchObject({
			code: "message_too_large",
			message: expect.stringMatching(/over 20 bytes in one line/),
		});
		expect(own.messages).toEqual([1]);
	});

	test("after the close nothing is delivered, also not the rest of the same chunk", async () => {
		const side = playedSide();
		const reason = failure("host_stopped");
		const own = openHeard(side, {}, () => own.channel.close(reason));
		side.give("1\n2\nnoise\n");
		await own.closed;
		await turn();
		expect(own.messages).toEqual([1]);
		expect(own.noise).toEqual([]);
	});

	test("after the close sending throws its reason and nothing more is written", async () => {
		const side = playedSide();
		const { channel } = openHeard(side);
		const reason = failure("host_stopped");
		channel.send(1);
		channel.close(reason);
		expect(() => channel.send(2)).toThrow(reason);
		await turn();
		expect(side.writes).toEqual([]);
	});
});

describe("a sink whose other side is gone", () => {
	const sinks = {
		"write throws": {
			write: () => {
				throw brokenPipe;
			},
		},
		"write rejects": { write: () => Promise.reject(brokenPipe) },
		"flush throws": {
			flush: () => {
				throw brokenPipe;
			},
		},
		"flush rejects": { flush: () => Promise.reject(brokenPipe) },
		"write and flush reject": {
			write: () => Promise.reject(brokenPipe),
			flush: () => Promise.reject(brokenPipe),
			end: () => Promise.reject(brokenPipe),
		},
		"write rejects, flush and end throw": {
			write: () => Promise.reject(brokenPipe),
			flush: () => {
				throw brokenPipe;
			},
			end: () => {
				throw brokenPipe;
			},
		},
	};

	test.each(Object.entries(sinks))("when %s, the channel closes with that as the cause", async (_, sink) => {
		const own = openHeard(playedSide(sink));
		own.channel.send(1);
		const reason = await own.closed;
		expect(reason).toMatchObject({ code: "channel_closed", message: expect.stringMatching(/no longer reads/) });
		expect(reason.cause).toBe(brokenPipe);
		await own.channel.flush();
		await turn();
		expect(own.closes).toHaveLength(1);
	});

	test("the end of its stream, when it comes right after, is the reason instead", async () => {
		const side = playedSide({ flush: () => Promise.reject(brokenPipe) });
		const own = openHeard(side);
		own.channel.send(1);
		await turn();
		side.give('"last words"\n');
		side.end();
		expect(await own.closed).toMatchObject({ message: expect.stringMatching(/the other side ended/) });
		expect(own.messages).toEqual(["last words"]);
		await own.channel.flush();
		expect(own.closes).toHaveLength(1);
	});
});
