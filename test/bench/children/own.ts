/** Gives texts back and counts bytes, over brood's own peer. */
import type { Bytes } from "../../../runtime/bytes.ts";
import { openOwn } from "../peers/own-wire.ts";

const peer = openOwn(3, process.argv[2] === "parts" ? "parts" : "lines");
peer.handle("echo", (params) => params);
peer.handle("take", (params) => {
	const { bytes } = params as { bytes: Bytes | string };
	return (typeof bytes === "string" ? Uint8Array.fromBase64(bytes) : bytes.view).byteLength;
});
void peer.closed.then(() => process.exit(0));
