import { createBirpc } from "birpc";
import { childFile } from "./child-file.ts";
import { endLines, overLines, spawnLines } from "./lines.ts";
import { clientInfo, contentOf, type Message, type Ready, registered } from "./link.ts";
import type { Peer } from "./peer.ts";

/** birpc on both sides, over lines of JSON that are read and written the fast way, since it brings no transport. */
export const birpcPeer: Peer = {
	async open(plugin) {
		const begun = performance.now();
		const child = spawnLines([process.execPath, childFile("birpc.ts"), plugin]);
		const ready = Promise.withResolvers<Ready>();
		let hear: (message: Message) => void = () => {};
		const post = overLines(child, (message) => hear(message));
		const rpc = createBirpc<Functions, object>(
			{ clientInfo: () => clientInfo(plugin), runtimeReady: ready.resolve },
			{
				post,
				on(listener) {
					hear = listener;
				},
			},
		);
		await registered(ready.promise);
		return {
			took: { start: performance.now() - begun },
			pid: child.pid,
			call: (text) => contentOf(rpc.execute("echo", { text })),
			close: () => endLines(child),
		};
	},
};

interface Functions {
	execute(name: string, input: unknown): unknown;
}
