/** The same work with vscode-jsonrpc. */
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";

interface Tool {
	name: string;
	execute(input: unknown): unknown;
}

const tools = new Map<string, Tool["execute"]>();
const lists: Record<"tool.list" | "command.list" | "event.list", object[]> = {
	"tool.list": [],
	"command.list": [],
	"event.list": [],
};

const [, , plugin = ""] = process.argv;
const reader = new StreamMessageReader(process.stdin);
const connection = createMessageConnection(reader, new StreamMessageWriter(process.stdout));

const amp = {
	registerTool({ execute, ...tool }: Tool) {
		tools.set(tool.name, execute);
		lists["tool.list"].push(tool);
		void connection.sendNotification("tools.changed", { revision: 1 });
	},
	registerCommand(id: string, command: object) {
		lists["command.list"].push({ id, ...command });
		void connection.sendNotification("commands.changed", { revision: 1 });
	},
	on(name: string) {
		lists["event.list"].push({ name });
		void connection.sendNotification("events.changed", { revision: 1 });
	},
};

for (const [method, items] of Object.entries(lists)) connection.onRequest(method, () => ({ items }));
connection.onRequest("tool.execute", async ({ name, input }) => ({ content: await tools.get(name)?.(input) }));
connection.listen();
await connection.sendRequest("client.info", { protocol: "1.0.0", pid: process.pid });
const module = await import(plugin);
await module.default(amp);
await connection.sendNotification("runtime.ready", {});
