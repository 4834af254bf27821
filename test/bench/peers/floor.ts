import { childFile } from "./child-file.ts";
import type { Peer } from "./peer.ts";

/**
 * Bare Bun that writes one byte: the least that a process under Bun can take.
 *
 * @param program one that has Bun inside and runs as plain Bun here
 */
export function floorPeer(program = process.execPath): Peer {
	return {
		async open() {
			const begun = performance.now();
			const child = Bun.spawn([program, childFile("floor.ts")], {
				...(program === process.execPath ? {} : { env: { ...process.env, BUN_BE_BUN: "1" } }),
				stdin: "ignore",
				stdout: "pipe",
				stderr: "inherit",
			});
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
}
