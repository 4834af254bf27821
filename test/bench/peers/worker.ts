import { childFile } from "./child-file.ts";
import { contentOf, createLink, type Link, registered, toolCall } from "./link.ts";
import type { Peer } from "./peer.ts";

/** A thread of the same process: no isolation from loops that hang, exits or memory. */
export const workerPeer: Peer = {
	async open(plugin) {
		const begun = performance.now();
		const worker = new Worker(childFile("worker.ts"), { argv: [plugin] });
		const link: Link = createLink(plugin, (message) => worker.postMessage(message));
		worker.onmessage = ({ data }) => link.hear(data);
		await registered(link.ready);
		return {
			took: { start: performance.now() - begun },
			call: (text) => contentOf(link.request(...toolCall(text))),
			async close() {
				const { promise, resolve } = Promise.withResolvers<void>();
				worker.addEventListener("close", () => resolve());
				worker.terminate();
				await promise;
			},
		};
	},
};
