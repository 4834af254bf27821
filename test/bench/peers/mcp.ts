import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { definedOnly } from "../variables.ts";
import { childFile } from "./child-file.ts";
import type { Peer } from "./peer.ts";

/** The official client and server of MCP over stdio; initialize and tools/list stand for the handshake. */
export const mcpPeer: Peer = {
	async open(plugin) {
		const begun = performance.now();
		const args = [childFile("mcp.ts"), plugin];
		// As all others have it, with the bench's folders; the transport would pass a few variables alone.
		const transport = new StdioClientTransport({ command: process.execPath, args, env: definedOnly(process.env) });
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
