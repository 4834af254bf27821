import { openByteChannel } from "../../../runtime/channel.ts";
import { ndjson } from "../../../runtime/codec/ndjson.ts";
import { limits } from "../../../runtime/limits.ts";
import { createPeer, type Peer } from "../../../runtime/peer.ts";
import { streamWire } from "../../../runtime/wire-stream.ts";
import { type ByteEnd, byteConnection } from "./support.ts";

/** A peer of brood, and the bytes that a foreign peer on the other side reads and writes. */
export function peerAndForeignEnd(problem: (text: string) => void = () => {}): [Peer, ByteEnd] {
	const [own, foreign] = byteConnection();
	const open = (listener: Parameters<Parameters<typeof createPeer>[0]>[0]) =>
		openByteChannel({ wire: streamWire(own.readable, own.sink), codec: ndjson, limits: limits.wire, listener });
	return [createPeer(open, { pendingCallsMax: 64, problem }), foreign];
}

/** Reads lines of JSON without any code of brood, so that both ends cannot share a mistake. */
export async function readLines(end: ByteEnd, each: (message: unknown) => void): Promise<void> {
	const decoder = new TextDecoder();
	let rest = "";
	for await (const chunk of end.readable) {
		const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) each(JSON.parse(line));
	}
}

/** Writes one line of JSON, without any code of brood. */
export function writeLine(end: ByteEnd, message: unknown): void {
	end.sink.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
	end.sink.flush();
}
