import { childFile } from "./child-file.ts";
import type { Peer } from "./peer.ts";

/** Bare Bun that writes one byte: the least that a process under Bun can take. */
export const floorPeer: Peer = {
	async open() {
		const begun = performance.now();
		const command = [process.execPath, childFile("floor.ts")];
		const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "inherit" });
		const reader = child.stdout.getReader();
		await reader.read();
		return {
			took: { start: performance.now() - begun },
			pid: child.pid,
			async close() {
				await child.exited;
			},
		};
	},
};
