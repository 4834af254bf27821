/** What one writes without measuring: readline, process.stdin and process.stdout, and a schema for each message. */
import { createInterface } from "node:readline";
import { z } from "zod";

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

const answer = z.object({ id: z.number(), result: z.object({ plugin: z.object({ path: z.string() }) }) });
const fetching = z.object({ id: z.number(), method: z.enum(["tool.list", "command.list", "event.list"]) });
const call = z.object({
	id: z.number(),
	params: z.object({ name: z.string(), input: z.record(z.string(), z.unknown()) }),
});
const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const amp = {
	registerTool({ execute, ...tool }: Tool) {
		tools.set(tool.name, execute);
		lists["tool.list"].push(tool);
		send({ method: "tools.changed", params: { revision: 1 } });
	},
	registerCommand(id: string, command: object) {
		lists["command.list"].push({ id, ...command });
		send({ method: "commands.changed", params: { revision: 1 } });
	},
	on(name: string) {
		lists["event.list"].push({ name });
		send({ method: "events.changed", params: { revision: 1 } });
	},
};

createInterface({ input: process.stdin }).on("line", async (line) => {
	const message = JSON.parse(line);
	if (message.method === undefined) {
		const { result } = answer.parse(message);
		const module = await import(result.plugin.path);
		await module.default(amp);
		send({ method: "runtime.ready", params: {} });
	} else if (message.method === "tool.execute") {
		const { id, params } = call.parse(message);
		send({ id, result: { content: await tools.get(params.name)?.(params.input) } });
	} else {
		const { id, method } = fetching.parse(message);
		send({ id, result: { items: lists[method] } });
	}
});
send({ id: 1, method: "client.info", params: { protocol: "1.0.0", pid: process.pid } });
