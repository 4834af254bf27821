import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { childFile } from "./child-file.ts";
import type { Peer } from "./peer.ts";

/** The official client and server of MCP over stdio; initialize and tools/list stand for the handshake. */
export const mcpPeer: Peer = {
	async open(plugin) {
		const begun = performance.now();
		const args = [childFile("mcp.ts"), plugin];
		const transport = new StdioClientTransport({ command: process.execPath, args });
		const client = new Client({ name: "bench", version: "1.0.0" });
		await client.connect(transport);
		await client.listTools();
		return {
			took: { start: performance.now() - begun },
			...(transport.pid === null ? {} : { pid: transport.pid }),
			call: (text) => client.callTool({ name: "echo", arguments: { text } }),
			close: () => client.close(),
		};
	},
};
