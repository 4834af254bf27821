import { openByteChannel } from "../../runtime/channel.ts";
import { ndjson } from "../../runtime/codec/ndjson.ts";
import { failure } from "../../runtime/errors.ts";
import { limits } from "../../runtime/limits.ts";
import { createPeer } from "../../runtime/peer.ts";
import type { ClientInfo } from "../../runtime/protocol.ts";
import { quick } from "../../runtime/schema/quick.ts";
import { streamWire } from "../../runtime/wire-stream.ts";

/**
 * Plays the beginning of a load with nobody on the other side, once per program. The first message on a wire pays for
 * compiling the code that reads and answers it; played while the first child boots, that costs no plugin anything.
 */
export async function rehearse(info: ClientInfo): Promise<void> {
	if (rehearsed) return;
	rehearsed = true;
	const answered = Promise.withResolvers<void>();
	const sink = { write: () => {}, flush: () => answered.resolve(), end: () => {} };
	const readable = new Blob([script.map((message) => ndjson.encode(message)).join("")]).stream();
	const peer = createPeer(
		(listener) => openByteChannel({ wire: streamWire(readable, sink), codec: ndjson, limits: limits.wire, listener }),
		{ pendingCallsMax: 1 },
	);
	peer.handle("client.info", (params) => (quick.clientInfo(params) ? info : {}));
	peer.listen("runtime.stage", quick.stage);
	peer.listen("runtime.ready", quick.ready);
	await answered.promise;
	peer.close(failure("channel_closed", { reason: "the rehearsal is over" }));
}

let rehearsed = false;

const timings = { imported: 0, activated: 0, registered: 0, ready: 0 };
const hello = { protocol: "1.0.0", runtimeVersion: "", pid: 0, codecs: ["ndjson"], guard: "socket", ms: 0 };
const script = [
	{ jsonrpc: "2.0", method: "runtime.stage", params: { stage: "import", ms: 0 } },
	{ jsonrpc: "2.0", method: "runtime.ready", params: { timings } },
	{ jsonrpc: "2.0", id: 1, method: "client.info", params: hello },
];
