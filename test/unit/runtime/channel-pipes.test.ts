import { expect, test } from "bun:test";
import { failure } from "../../../runtime/errors.ts";
import { limits } from "../../../runtime/limits.ts";
import type { ByteSink } from "../../../runtime/wire-stream.ts";
import { openHeard } from "./channel-support.ts";

test("over the pipes of a process, large messages come back whole and in order", async () => {
	await using echo = started(["cat"]);
	const texts = [1, 3_000_000, 10, 1_000_000].map((length, index) => `${index}${"é".repeat(length)}`);
	for (const text of texts) echo.heard.channel.send({ text });
	while (echo.heard.messages.length < texts.length) await echo.heard.next();
	expect(echo.heard.messages).toEqual(texts.map((text) => ({ text })));
});

test("a process that does not read makes the channel busy, and a close ends the waiting", async () => {
	await using deaf = started(["sleep", "60"], { writeQueueBytesMax: 1_000_000 });
	const { channel } = deaf.heard;
	channel.send("a".repeat(900_000));
	expect(() => channel.send("b".repeat(200_000))).toThrow(expect.objectContaining({ code: "busy" }));
	const flush = channel.flush();
	channel.close(failure("host_stopped"));
	await flush;
});

test("the exit of a process is the end of its channel", async () => {
	await using short = started(["true"]);
	expect(await short.heard.closed).toMatchObject({
		code: "channel_closed",
		message: expect.stringMatching(/the other side ended/),
	});
});

test("a process that closes its input and lives on closes the channel by the broken pipe", async () => {
	await using mute = started(["sh", "-c", 'exec 0<&-; echo "\\"closed\\""; exec sleep 60']);
	expect(await mute.heard.next()).toBe("closed");
	mute.heard.channel.send(1);
	const reason = await mute.heard.closed;
	expect(reason).toMatchObject({
		code: "channel_closed",
		message: expect.stringMatching(/the other side no longer reads/),
	});
	expect(reason.cause).toMatchObject({ code: "EPIPE" });
});

/** A process with a channel over its pipes, ended at the end of the test. */
function started(command: string[], overrides: Partial<typeof limits.wire> = {}) {
	const child = Bun.spawn(command, { stdin: "pipe", stdout: "pipe", stderr: "ignore" });
	const sink: ByteSink = child.stdin;
	const heard = openHeard({ readable: child.stdout, sink }, { ...limits.wire, ...overrides });
	return {
		heard,
		async [Symbol.asyncDispose]() {
			child.kill("SIGKILL");
			await child.exited;
		},
	};
}
