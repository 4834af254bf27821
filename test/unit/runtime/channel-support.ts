import { type Channel, openByteChannel } from "../../../runtime/channel.ts";
import { ndjson } from "../../../runtime/codec/ndjson.ts";
import type { BroodError } from "../../../runtime/errors.ts";
import { limits } from "../../../runtime/limits.ts";
import { type ByteSink, streamWire } from "../../../runtime/wire-stream.ts";

export const wire = {
	...limits.wire,
	lineBytesMax: 1_000,
	writeQueueBytesMax: 100,
	pendingCallsMax: 8,
	noiseExcerptCharsMax: 20,
};

export interface Heard {
	channel: Channel;
	messages: unknown[];
	/** Sizes of the messages that came and of those that went. */
	bytes: { in: number[]; out: number[] };
	noise: { excerpt: string; reason: string }[];
	/** Resolves with the value of the next message. */
	next(): Promise<unknown>;
	/** Resolves with the reason of the close. */
	closed: Promise<BroodError>;
	/** How often a close was told. */
	closes: BroodError[];
}

/** Opens a byte channel that writes down what it hears. */
export function openHeard(
	end: { readable: ReadableStream<Uint8Array>; sink: ByteSink },
	limits: Partial<typeof wire> = {},
	onMessage: (value: unknown) => void = () => {},
): Heard {
	const closed = Promise.withResolvers<BroodError>();
	let next = Promise.withResolvers<unknown>();
	const heard = { messages: [] as unknown[], bytes: { in: [] as number[], out: [] as number[] } };
	const noise: Heard["noise"] = [];
	const closes: BroodError[] = [];
	const channel = openByteChannel({
		wire: streamWire(end.readable, end.sink),
		codec: ndjson,
		limits: { ...wire, ...limits },
		listener: {
			message(value, bytes) {
				heard.messages.push(value);
				heard.bytes.in.push(bytes);
				next.resolve(value);
				next = Promise.withResolvers();
				onMessage(value);
			},
			sent: (_, bytes) => heard.bytes.out.push(bytes),
			noise: (excerpt, reason) => noise.push({ excerpt, reason }),
			closed(reason) {
				closes.push(reason);
				closed.resolve(reason);
			},
		},
	});
	return { channel, ...heard, noise, closes, closed: closed.promise, next: () => next.promise };
}

/** A side that the test plays: it gives bytes, and decides when written ones are taken. */
export interface Played {
	readable: ReadableStream<Uint8Array>;
	sink: ByteSink;
	/** What was written, one entry a write. */
	writes: string[];
	give(text: string): void;
	end(): void;
	fail(error: Error): void;
	/** Makes the other side stop taking bytes until the function that it returns is called. */
	hold(): () => void;
}

export function playedSide(sink: Partial<ByteSink> = {}): Played {
	const writes: string[] = [];
	let held: Promise<void> | undefined;
	let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
	const readable = new ReadableStream<Uint8Array>({
		start(own) {
			controller = own;
		},
	});
	return {
		readable,
		writes,
		sink: { write: (bytes) => writes.push(new TextDecoder().decode(bytes)), flush: () => held, end: () => {}, ...sink },
		give: (text) => controller?.enqueue(new TextEncoder().encode(text)),
		end: () => controller?.close(),
		fail: (error) => controller?.error(error),
		hold() {
			const { promise, resolve } = Promise.withResolvers<void>();
			held = promise;
			return () => {
				held = undefined;
				resolve();
			};
		},
	};
}
