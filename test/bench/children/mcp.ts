/** The same work with the official server of MCP: the plugin's tools are the server's. */
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

const [, , plugin = ""] = process.argv;
const server = new McpServer({ name: "bench", version: "1.0.0" }, { capabilities: { tools: {} } });

const amp = {
	registerTool(tool: { name: string; description: string; inputSchema: object; execute(input: unknown): unknown }) {
		const { name, description, inputSchema, execute } = tool;
		server.registerTool(name, { description, inputSchema: fromJsonSchema(inputSchema) }, async (input) => ({
			content: [{ type: "text", text: String(await execute(input)) }],
		}));
	},
	registerCommand() {},
	on() {},
};

const module = await import(plugin);
await module.default(amp);
await server.connect(new StdioServerTransport());
