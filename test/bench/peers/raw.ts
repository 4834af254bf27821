import { childFile } from "./child-file.ts";
import { connectTo } from "./fd-socket.ts";
import type { Peer } from "./peer.ts";

/** Two processes that send bytes back and forth over a socket pair: no messages, no calls. */
export const rawPeer: Peer = {
	async open() {
		const begun = performance.now();
		const command = [process.execPath, childFile("raw.ts")];
		const child = Bun.spawn(command, { stdio: ["ignore", "inherit", "inherit", "socket-fd"] });
		const fd = child.stdio[3];
		if (typeof fd !== "number") throw new Error("Bun gave no socket");
		let came: Buffer = Buffer.alloc(0);
		let wanted = 0;
		let whole = (_: Buffer) => {};
		const socket = await connectTo(fd, {
			data(_, bytes) {
				came = came.length === 0 ? bytes : Buffer.concat([came, bytes]);
				if (came.length >= wanted) whole(came);
			},
		});
		return {
			took: { start: performance.now() - begun },
			pid: child.pid,
			call(text) {
				came = Buffer.alloc(0);
				wanted = socket.write(text);
				return new Promise<Buffer>((resolve) => {
					whole = resolve;
				});
			},
			async close() {
				socket.end();
				child.kill();
				await child.exited;
			},
		};
	},
};
