import { openByteChannel } from "../../../runtime/channel.ts";
import { ndjson, ndjsonParts } from "../../../runtime/codec/ndjson.ts";
import { limits } from "../../../runtime/limits.ts";
import { createPeer, type Peer } from "../../../runtime/peer.ts";
import { socketWire } from "../../../runtime/wire-socket.ts";

/** Opens a peer over a socket, as host and child do. */
export function openOwn(fd: number, codec: "parts" | "lines"): Peer {
	const chosen = codec === "parts" ? ndjsonParts : ndjson;
	return createPeer(
		(listener) => openByteChannel({ wire: socketWire(fd), codec: chosen, limits: limits.wire, listener }),
		{ ...limits.wire, runningBytesMax: Number.POSITIVE_INFINITY },
	);
}
