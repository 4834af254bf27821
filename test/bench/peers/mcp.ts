import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { childFile } from "./child-file.ts";
import { ownEnvironment } from "./environment.ts";
import type { Peer } from "./peer.ts";

/** The official client and server of MCP over stdio; initialize and tools/list stand for the handshake. */
export const mcpPeer: Peer = {
	async open(plugin) {
		const begun = performance.now();
		const args = [childFile("mcp.ts"), plugin];
		// By itself it passes on a few variables, and what the child caches would land with whoever runs this.
		const env = ownEnvironment();
		const transport = new StdioClientTransport({ command: process.execPath, args, env });
		const client = new Client({ name: "bench", version: "1.0.0" });
		await client.connect(transport);
		await client.listTools();
		return {
			took: { start: performance.now() - begun },
			...(transport.pid === null ? {} : { pid: transport.pid }),
			async call(text) {
				const { content, isError } = await client.callTool({ name: "echo", arguments: { text } });
				const [first] = content;
				if (isError || first?.type !== "text") throw new Error(`the server refused: ${JSON.stringify(content)}`);
				return first.text;
			},
			close: () => client.close(),
		};
	},
};
