import { joinBytes } from "../runtime/codec/bytes.ts";
import type { ClientInfo } from "../runtime/protocol.ts";
import type { StreamReader } from "../runtime/stream-reader.ts";
import type { ByteSink } from "../runtime/wire-stream.ts";

/** The wire before there is a peer: enough to say hello, to hear the answer, and to tell of the load. */
export interface Line {
	/** Sends messages by one write. */
	send(...messages: object[]): void;
	/** Gives the wire up to a peer, with what has come and was not read, and what has not been taken yet. */
	handOver(): Leftover;
}

/** The two ends of a wire as this process has them. */
export interface Ends {
	reader: StreamReader;
	sink: ByteSink;
	/** Of the socket that both are ends of. */
	descriptor?: number;
}

export interface Leftover extends Ends {
	received: Uint8Array[];
	/** What the other side has not taken yet. */
	flushing: Promise<unknown> | undefined;
	/** The answer to hello is still to come. */
	isAsking: boolean;
}

export interface LineListener {
	/** The answer to `client.info`. */
	answered(info: ClientInfo): void;
	/** The answer to a call that needs no peer; undefined for every other. */
	answerTo(method: unknown): unknown;
	/** More came than a line understands, or the other side does not read: it is time for a peer. */
	needed(): void;
	closed(): void;
}

/** The id of `client.info`, the one call that a line makes. */
export const helloId = 1;

export function openLine(ends: Ends, { answered, answerTo, needed, closed }: LineListener): Line {
	const { reader, sink } = ends;
	let received: Uint8Array[] = [];
	let flushing: Promise<unknown> | undefined;
	let isAsking = true;
	let isGiven = false;

	function data(bytes: Uint8Array): void {
		if (!isAsking && received.length === 0 && isAnswered(bytes)) return;
		received.push(bytes);
		if (!isAsking) return needed();
		if (!bytes.includes(newline)) return;
		const all = received.length === 1 ? bytes : joinAll(received);
		const end = all.indexOf(newline);
		const info = readAnswer(all.subarray(0, end));
		if (info === undefined) return needed();
		isAsking = false;
		received = end + 1 < all.byteLength ? [all.subarray(end + 1)] : [];
		answered(info);
		if (received.length > 0 && !isGiven) needed();
	}

	/** Whether this was one small call, which has its answer now. */
	function isAnswered(bytes: Uint8Array): boolean {
		const isOneLine = bytes.byteLength < smallBytesMax && bytes.indexOf(newline) === bytes.byteLength - 1;
		const { id, method } = isOneLine ? read(bytes) : {};
		const result = id === undefined ? undefined : answerTo(method);
		if (result !== undefined) send({ jsonrpc: "2.0", id, result });
		return result !== undefined;
	}

	function send(...messages: object[]): void {
		let text = "";
		for (const message of messages) text += `${stringify(message)}\n`;
		try {
			const [written, flushed] = [sink.write(utf8.encode(text)), sink.flush()];
			if (!(written instanceof Promise || flushed instanceof Promise)) return;
			flushing = Promise.all([written, flushed]);
		} catch {
			// The host is gone.
			return closed();
		}
		needed();
	}

	reader.open({ data, closed });
	return {
		send,
		handOver() {
			isGiven = true;
			return { ...ends, received, flushing, isAsking };
		},
	};
}

const newline = 0x0a;
const utf8 = new TextEncoder();
// Kept, since a plugin may replace the global functions.
const { parse, stringify } = JSON;
const { TextDecoder: Decoder } = globalThis;

/** A call that needs no peer is shorter. */
const smallBytesMax = 200;

/** Undefined for everything that is not the plain answer: a peer knows what to make of it. */
function readAnswer(line: Uint8Array): ClientInfo | undefined {
	const { id, result } = read(line);
	return id === helloId && typeof result === "object" && result !== null ? (result as ClientInfo) : undefined;
}

/** Nothing of what is no object. */
function read(line: Uint8Array): { id?: unknown; method?: unknown; result?: unknown } {
	try {
		return parse(new Decoder().decode(line)) ?? {};
	} catch {
		return {};
	}
}

function joinAll(pieces: Uint8Array[]): Uint8Array {
	let bytes = 0;
	for (const piece of pieces) bytes += piece.byteLength;
	return joinBytes(pieces, bytes);
}
