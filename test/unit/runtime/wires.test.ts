import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ByteWire, WireListener } from "../../../runtime/wire.ts";
import { socketWire } from "../../../runtime/wire-socket.ts";
import { streamWire } from "../../../runtime/wire-stream.ts";
import { turn } from "./support.ts";

type Kind = "socket" | "stdio" | "switching";
const entry = join(import.meta.dir, "../../fixtures/wire/other-side.ts");
const kinds: Kind[] = ["socket", "stdio", "switching"];

describe.each(kinds)("a wire over %s", (kind) => {
	test("carries bytes in both directions in order, more of them than the other side takes at once", async () => {
		await using other = start(kind, "echo");
		const bytes = new Uint8Array(3_000_001).map((_, index) => index % 251);
		const heard = hear(other.wire);
		const shortWrites = await writeAll(other.wire, heard, bytes);
		await heard.bytesReach(bytes.byteLength);
		expect(Bun.hash(heard.all())).toBe(Bun.hash(bytes));
		expect(shortWrites).toBeGreaterThan(0);
	});

	test("takes what is written right after it was opened", async () => {
		await using other = start(kind, "echo");
		const heard = hear(other.wire);
		other.wire.write(new TextEncoder().encode("at once"));
		await heard.bytesReach(7);
		expect(new TextDecoder().decode(heard.all())).toBe("at once");
	});

	test("gives all that a process said before it exited, and then its end, once", async () => {
		await using other = start(kind, "say", 1_000_000);
		const heard = hear(other.wire);
		expect(await heard.closed).toBeUndefined();
		// Blank lines may stand behind it, which say nothing.
		expect(heard.all().filter((byte) => byte !== 0x0a)).toHaveLength(1_000_000);
		await turn();
		expect(heard.closes()).toBe(1);
	});

	test("gives it as well when it was paused meanwhile", async () => {
		await using other = start(kind, "say", 100_000);
		const heard = hear(other.wire);
		other.wire.pause();
		await other.exited;
		other.wire.resume();
		expect(await heard.closed).toBeUndefined();
		expect(heard.all().filter((byte) => byte !== 0x0a)).toHaveLength(100_000);
	});

	test("holds up an other side that says more than lies between, while it is paused", async () => {
		await using other = start(kind, "say", 3_000_000);
		const heard = hear(other.wire);
		other.wire.pause();
		const early = await Promise.race([other.exited, Bun.sleep(100).then(() => "held up")]);
		expect(early).toBe("held up");
		other.wire.resume();
		await heard.closed;
		expect(heard.all().filter((byte) => byte !== 0x0a)).toHaveLength(3_000_000);
	});

	test("takes nothing more from a writer whose other side does not read, once what lies between is full", async () => {
		await using other = start(kind, "deaf");
		hear(other.wire);
		const megabyte = new Uint8Array(1_000_000);
		let taken = 0;
		for (let more = -1; more !== 0; ) {
			more = other.wire.write(megabyte.subarray(0, 1_000_000 - (taken % 1_000_000)));
			taken += more;
			await turn();
		}
		expect(taken).toBeLessThan(1_000_000);
	});
});

describe.each(kinds)("a wire over %s that has another listener, or an end", (kind) => {
	test("gives what comes to the listener that opened it last", async () => {
		await using other = start(kind, "echo");
		const first = hear(other.wire);
		other.wire.write(new Uint8Array(10));
		await first.bytesReach(10);
		const second = hear(other.wire);
		other.wire.write(new Uint8Array(20));
		await second.bytesReach(20);
		other.kill();
		await second.closed;
		expect(first.all().byteLength).toBe(10);
		expect(first.closes()).toBe(0);
	});

	test("takes nothing and throws nothing once the other side is gone", async () => {
		await using other = start(kind, "say", 1);
		const heard = hear(other.wire);
		await heard.closed;
		expect(other.wire.write(new Uint8Array(5))).toBe(0);
		other.wire.end();
		expect(other.wire.write(new Uint8Array(5))).toBe(0);
		expect(heard.closes()).toBe(1);
	});

	test("that is ended here ends there, after all that was taken, and tells nothing more here", async () => {
		await using other = start(kind, "echo");
		const heard = hear(other.wire);
		other.wire.write(new Uint8Array(1));
		await heard.bytesReach(1);
		other.wire.end();
		expect(await other.exited).toBe(0);
		await turn();
		expect(heard.closes()).toBe(0);
	});
});

describe("a wire over a stream", () => {
	test("gives its sink nothing twice when a write is repeated before the sink has handed it over", async () => {
		const given: string[] = [];
		let flushed: Promise<void> | undefined;
		const sink = { write: (bytes: Uint8Array) => given.push(new TextDecoder().decode(bytes)), flush: () => flushed };
		const wire = streamWire(new ReadableStream(), { ...sink, end() {} });
		const heard = hear(wire);
		const write = (text: string) => wire.write(new TextEncoder().encode(text));
		const { promise, resolve } = Promise.withResolvers<void>();
		flushed = promise;
		expect(write("ab")).toBe(0);
		expect(write("abcd")).toBe(0);
		expect(write("abcd")).toBe(0);
		const drained = heard.drained();
		flushed = undefined;
		resolve();
		await drained;
		expect(write("abcdef")).toBe(6);
		expect(given).toEqual(["ab", "cd", "\n", "ef"]);
	});
});

describe("a wire over a socket", () => {
	test("takes nothing from then on when the other side has died and nobody was told yet", async () => {
		await using other = start("socket", "deaf");
		hear(other.wire);
		other.kill();
		let taken = 1;
		for (; taken === 1; taken = other.wire.write(new Uint8Array(1))) Bun.sleepSync(1);
		expect(taken).toBe(0);
	});

	test("that the other side reset before it had read everything has ended like any other", async () => {
		await using other = start("socket", "deaf");
		const heard = hear(other.wire);
		other.wire.write(new Uint8Array(100_000));
		other.kill();
		expect(await heard.closed).toBeUndefined();
	});

	test.each([["a descriptor that is not open", 1_000_000]])("over %s closes as it is opened", async (_, fd) => {
		const heard = hear(socketWire(fd));
		expect(await heard.closed).toBeInstanceOf(Error);
		expect(heard.closes()).toBe(1);
	});

	test.skipIf(process.platform !== "linux")("gives its descriptor back when it is ended, opened or not", async () => {
		const descriptors = () => readdirSync("/proc/self/fd").length;
		await using warm = start("socket", "echo");
		hear(warm.wire);
		for (const isOpened of [false, true]) {
			await using other = start("socket", "deaf");
			const before = descriptors();
			if (isOpened) hear(other.wire);
			other.wire.end();
			expect(descriptors()).toBe(before - 1);
		}
	});

	test.each([
		["lets a program end that has nothing else to do, unless it is held", "false", 0],
		["holds a program otherwise", "true", 9],
	])("%s", async (_, isHeld, code) => {
		const program = `
			import { socketWire } from ${JSON.stringify(join(import.meta.dir, "../../../runtime/wire-socket.ts"))};
			const child = Bun.spawn([process.execPath, ${JSON.stringify(entry)}, "socket", "say", "1"], {
				stdio: ["ignore", "ignore", "ignore", "socket-fd"],
			});
			child.unref();
			const closed = () => process.exit(9);
			socketWire(child.stdio[3], ${isHeld}).open({ data() {}, drained() {}, closed });
		`;
		const running = Bun.spawn([process.execPath, "-e", program], { stdio: ["ignore", "ignore", "inherit"] });
		expect(await running.exited).toBe(code);
	});
});

/** A process at the other end of a wire, ended at the end of the test. */
function start(kind: Kind, does: string, bytes = 0) {
	const command = [process.execPath, entry, kind, does, String(bytes)];
	if (kind === "stdio") {
		const child = Bun.spawn(command, { stdio: ["pipe", "pipe", "inherit"] });
		return started(child, streamWire(child.stdout, child.stdin));
	}
	const child = Bun.spawn(command, { stdio: ["ignore", "ignore", "inherit", "socket-fd"] });
	return started(child, socketWire(child.stdio[3] ?? -1));
}

function started(child: Bun.Subprocess, wire: ByteWire) {
	return {
		wire,
		exited: child.exited,
		kill: () => child.kill("SIGKILL"),
		async [Symbol.asyncDispose]() {
			wire.end();
			child.kill("SIGKILL");
			await child.exited;
		},
	};
}

/** Opens a wire and writes down what it tells. */
function hear(wire: ByteWire) {
	const chunks: Uint8Array[] = [];
	const closed = Promise.withResolvers<unknown>();
	let bytes = 0;
	let closes = 0;
	let changed = Promise.withResolvers<void>();
	let drained = Promise.withResolvers<void>();
	const listener: WireListener = {
		data(chunk) {
			chunks.push(chunk);
			bytes += chunk.byteLength;
			changed.resolve();
			changed = Promise.withResolvers();
		},
		drained() {
			drained.resolve();
			drained = Promise.withResolvers();
		},
		closed(error) {
			closes += 1;
			closed.resolve(error);
		},
	};
	wire.open(listener);
	return {
		closed: closed.promise,
		closes: () => closes,
		drained: () => drained.promise,
		all: () => Buffer.concat(chunks),
		async bytesReach(count: number) {
			while (bytes < count) await changed.promise;
		},
	};
}

/** @returns how many writes were not taken whole */
async function writeAll(wire: ByteWire, heard: ReturnType<typeof hear>, bytes: Uint8Array): Promise<number> {
	let shortWrites = 0;
	for (let rest = bytes; rest.byteLength > 0; ) {
		const drained = heard.drained();
		const taken = wire.write(rest);
		rest = rest.subarray(taken);
		if (rest.byteLength === 0) break;
		shortWrites += 1;
		await drained;
	}
	return shortWrites;
}
