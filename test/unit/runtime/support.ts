import { memoryChannels } from "../../../runtime/channel-memory.ts";
import { createPeer, type Peer, type PeerOptions } from "../../../runtime/peer.ts";
import type { ByteSink } from "../../../runtime/wire-stream.ts";

/** Two peers that talk to each other inside this process. */
export function peerPair(options: Partial<PeerOptions> = {}): [Peer, Peer] {
	const [left, right] = memoryChannels();
	const all = { pendingCallsMax: 1024, ...options };
	return [createPeer(left, all), createPeer(right, all)];
}

export interface BarePeer {
	peer: Peer;
	/** What the peer sent, as the wire would have carried it. */
	sent: Record<string, unknown>[];
	problems: string[];
	/** Gives the peer one message and waits until it has dealt with it. */
	receive(message: unknown): Promise<void>;
}

/** A peer whose other side is the test itself. */
export function barePeer(options: Partial<PeerOptions> = {}): BarePeer {
	const [own, other] = memoryChannels();
	const sent: Record<string, unknown>[] = [];
	const problems: string[] = [];
	const channel = other({
		message: (value) => sent.push(value as Record<string, unknown>),
		sent: () => {},
		noise: () => {},
		closed: () => {},
	});
	const peer = createPeer(own, { pendingCallsMax: 1024, problem: (text) => problems.push(text), ...options });
	const receive = (message: unknown) => {
		channel.send(message);
		return turn();
	};
	return { peer, sent, problems, receive };
}

/** One end of a byte connection: what it reads, and where it writes to. */
export interface ByteEnd {
	readable: ReadableStream<Uint8Array>;
	sink: ByteSink;
}

/** Two ends of a byte connection; what one writes, the other reads. */
export function byteConnection(): [ByteEnd, ByteEnd] {
	const there = bytePipe();
	const back = bytePipe();
	return [
		{ readable: back.readable, sink: there.sink },
		{ readable: there.readable, sink: back.sink },
	];
}

function bytePipe(): ByteEnd {
	const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(
		undefined,
		{ highWaterMark: 16 },
		{ highWaterMark: 16 },
	);
	const writer = writable.getWriter();
	const sink: ByteSink = {
		write: (bytes) => writer.write(bytes as Uint8Array<ArrayBuffer>),
		flush: () => writer.ready,
		end: () => writer.close(),
	};
	return { readable, sink };
}

/** Resolves when everything that is due in this turn of the event loop has run. */
export function turn(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}

/**
 * What a promise rejects with. Bun's own `rejects` runs the event loop until the promise settles, so nothing that the
 * test does after it could settle it.
 */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
	const value = await promise.then(
		(result) => ({ result }),
		(error: unknown) => ({ error }),
	);
	if ("error" in value) return value.error;
	throw new Error(`resolved with ${JSON.stringify(value.result)}`);
}
