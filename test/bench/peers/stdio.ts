import { childFile } from "./child-file.ts";
import { endLines, overLines, spawnLines } from "./lines.ts";
import { contentOf, createLink, type Link, registered, toolCall } from "./link.ts";
import type { Peer } from "./peer.ts";

/** A child that does the same handshake as ours in lines of JSON over stdio, under a program of its own. */
export function stdioPeer(program: string, childName: string): Peer {
	return {
		async open(plugin) {
			const begun = performance.now();
			const child = spawnLines([program, childFile(childName), plugin]);
			const link: Link = createLink(
				plugin,
				overLines(child, (message) => link.hear(message)),
			);
			await registered(link.ready);
			return {
				took: { start: performance.now() - begun },
				pid: child.pid,
				call: (text) => contentOf(link.request(...toolCall(text))),
				close: () => endLines(child),
			};
		},
	};
}
