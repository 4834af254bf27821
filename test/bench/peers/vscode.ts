import { spawn } from "node:child_process";
import { once } from "node:events";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { childFile } from "./child-file.ts";
import { clientInfo, contentOf, type Ready, registered, toolCall } from "./link.ts";
import type { Peer } from "./peer.ts";

/** vscode-jsonrpc on both sides, over stdio, as language servers use it. */
export const vscodePeer: Peer = {
	async open(plugin) {
		const begun = performance.now();
		const child = spawn(process.execPath, [childFile("vscode.ts"), plugin], { stdio: ["pipe", "pipe", "inherit"] });
		const reader = new StreamMessageReader(child.stdout);
		const connection = createMessageConnection(reader, new StreamMessageWriter(child.stdin));
		const ready = Promise.withResolvers<Ready>();
		connection.onRequest("client.info", () => clientInfo(plugin));
		connection.onNotification("runtime.ready", ready.resolve);
		connection.listen();
		await registered(ready.promise);
		return {
			took: { start: performance.now() - begun },
			...(child.pid === undefined ? {} : { pid: child.pid }),
			call: (text) => {
				const [method, params] = toolCall(text);
				return contentOf(connection.sendRequest(method, params));
			},
			async close() {
				connection.dispose();
				const exited = once(child, "exit");
				child.kill();
				await exited;
			},
		};
	},
};
