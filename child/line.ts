import { joinBytes } from "../runtime/codec/bytes.ts";
import type { ClientInfo } from "../runtime/protocol.ts";
import type { ByteWire } from "../runtime/wire.ts";

/** The wire before there is a peer: enough to say hello, to hear the answer, and to tell of the load. */
export interface Line {
	/** The wire itself. */
	readonly wire: ByteWire;
	/** Sends messages by one write. */
	send(...messages: object[]): void;
	/** Gives the wire up to a peer, with what has come and was not read, and what has not been taken yet. */
	handOver(): Leftover;
}

export interface Leftover {
	received: Uint8Array[];
	unsent: Uint8Array[];
	/** The answer to hello is still to come. */
	isAsking: boolean;
}

export interface LineListener {
	/** The answer to `client.info`. */
	answered(info: ClientInfo): void;
	/** More came than a line understands, or the other side does not read: it is time for a peer. */
	needed(): void;
	closed(): void;
}

/** The id of `client.info`, the one call that a line makes. */
export const helloId = 1;

export function openLine(wire: ByteWire, { answered, needed, closed }: LineListener): Line {
	let received: Uint8Array[] = [];
	const unsent: Uint8Array[] = [];
	let isAsking = true;
	let isGiven = false;

	function data(bytes: Uint8Array): void {
		received.push(bytes);
		if (isAsking && !bytes.includes(newline)) return;
		const all = joinBytes(received, sum(received));
		const end = all.indexOf(newline);
		const info = isAsking ? readAnswer(all.subarray(0, end)) : undefined;
		if (info === undefined) return needed();
		isAsking = false;
		received = end + 1 < all.byteLength ? [all.subarray(end + 1)] : [];
		answered(info);
		if (received.length > 0 && !isGiven) needed();
	}

	wire.open({ data, drained() {}, closed });
	return {
		wire,
		send(...messages) {
			const bytes = utf8.encode(messages.map((message) => `${stringify(message)}\n`).join(""));
			const taken = wire.write(bytes);
			if (taken === bytes.byteLength) return;
			unsent.push(bytes.subarray(taken));
			needed();
		},
		handOver() {
			isGiven = true;
			return { received, unsent, isAsking };
		},
	};
}

const newline = 0x0a;
const utf8 = new TextEncoder();
// Kept, since a plugin may replace the global functions.
const { parse, stringify } = JSON;

/** Undefined for everything that is not the plain answer: a peer knows what to make of it. */
function readAnswer(line: Uint8Array): ClientInfo | undefined {
	try {
		const { id, result } = parse(new TextDecoder().decode(line));
		return id === helloId && typeof result === "object" && result !== null ? result : undefined;
	} catch {
		return undefined;
	}
}

function sum(pieces: Uint8Array[]): number {
	return pieces.reduce((bytes, piece) => bytes + piece.byteLength, 0);
}
