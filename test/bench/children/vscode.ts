/** The same work with vscode-jsonrpc. */
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

interface Tool {
	name: string;
	execute(input: unknown): unknown;
}

const tools = new Map<string, Tool["execute"]>();
const lists: Record<"tool" | "command" | "event", object[]> = { tool: [], command: [], event: [] };

const [, , plugin = ""] = process.argv;
const reader = new StreamMessageReader(process.stdin);
const connection = createMessageConnection(reader, new StreamMessageWriter(process.stdout));

const amp = {
	registerTool({ execute, ...tool }: Tool) {
		tools.set(tool.name, execute);
		lists.tool.push(tool);
	},
	registerCommand(id: string, command: object) {
		lists.command.push({ id, ...command });
	},
	on(name: string) {
		lists.event.push({ name });
	},
};

connection.onRequest("tool.execute", async ({ name, input }) => ({ content: await tools.get(name)?.(input) }));
connection.listen();
const hello = connection.sendRequest("client.info", { protocol: "1.0.0", pid: process.pid });
// While the answer is on its way.
const module = await import(plugin);
await hello;
await module.default(amp);
await connection.sendNotification("runtime.ready", lists);
