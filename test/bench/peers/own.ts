import { Bytes } from "../../../runtime/bytes.ts";
import { childFile } from "./child-file.ts";
import { openOwn } from "./own-wire.ts";
import type { Peer } from "./peer.ts";

/** brood's own peer over its own wire, with no host and no plugin: what calls and framing cost by themselves. */
export function ownPeer(codec: "parts" | "lines"): Peer {
	return {
		async open() {
			const begun = performance.now();
			const command = [process.execPath, childFile("own.ts"), codec];
			const child = Bun.spawn(command, { stdio: ["ignore", "inherit", "inherit", "socket-fd"] });
			const peer = openOwn(child.stdio[3] ?? -1, codec);
			await peer.call("echo", { text: "" });
			return {
				took: { start: performance.now() - begun },
				pid: child.pid,
				call: async (text) => ((await peer.call("echo", { text })) as { text: string }).text,
				// In lines bytes travel as base64, as anything that JSON carries.
				send: async (bytes) => Number(await peer.call("take", { bytes: new Bytes(bytes) })),
				async close() {
					child.kill();
					await child.exited;
				},
			};
		},
	};
}
