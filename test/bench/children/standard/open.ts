/** Takes the place of child/socket.ts in a child of the bench alone: what the plugin prints would land on the wire. */
import type { openSocket as original } from "../../../../child/socket.ts";
import { readStream } from "../../../../runtime/stream-reader.ts";

export const openSocket: typeof original = () => ({
	ends: { reader: readStream(Bun.stdin.stream()), sink: Bun.stdout.writer() },
	guard: "descriptors",
});
