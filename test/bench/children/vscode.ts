/** The same work with vscode-jsonrpc. */
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

interface Tool {
	name: string;
	execute(input: unknown): unknown;
}

const tools = new Map<string, Tool["execute"]>();
const lists: Record<"tools" | "commands" | "events", object[]> = { tools: [], commands: [], events: [] };

const [, , plugin = ""] = process.argv;
const reader = new StreamMessageReader(process.stdin);
const connection = createMessageConnection(reader, new StreamMessageWriter(process.stdout));

const amp = {
	registerTool({ execute, ...tool }: Tool) {
		tools.set(tool.name, execute);
		lists.tools.push(tool);
	},
	registerCommand: (id: string, command: object) => lists.commands.push({ id, ...command }),
	on: (name: string) => lists.events.push({ name }),
};

connection.onRequest("tool.execute", async ({ name, input }) => ({ content: await tools.get(name)?.(input) }));
connection.listen();
const answer = connection.sendRequest("client.info", { protocol: "1.0.0", pid: process.pid });
// It writes in the next turn; the answer is on its way while the plugin is imported.
await new Promise((resolve) => setImmediate(resolve));
const module = await import(plugin);
await answer;
await module.default(amp);
await connection.sendNotification("runtime.ready", { lists });
