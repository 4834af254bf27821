import { childFile } from "./child-file.ts";
import { contentOf, createLink, type Link, registered, toolCall } from "./link.ts";
import type { Peer } from "./peer.ts";

/** A child over Bun's own IPC, in JSON. */
export const ipcPeer: Peer = {
	async open(plugin) {
		const begun = performance.now();
		const child = Bun.spawn([process.execPath, childFile("ipc.ts"), plugin], {
			stdio: ["ignore", "inherit", "inherit"],
			serialization: "json",
			ipc: (message) => link.hear(message),
		});
		const link: Link = createLink(plugin, (message) => child.send(message));
		await registered(link.ready);
		return {
			took: { start: performance.now() - begun },
			pid: child.pid,
			call: (text) => contentOf(link.request(...toolCall(text))),
			async close() {
				child.kill();
				await child.exited;
			},
		};
	},
};
