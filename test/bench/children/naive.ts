/** What one writes without measuring: readline, process.stdin and process.stdout, and a schema for each message. */
import { createInterface } from "node:readline";
import { z } from "zod";

interface Tool {
	name: string;
	execute(input: unknown): unknown;
}

const tools = new Map<string, Tool["execute"]>();
const lists: Record<"tool" | "command" | "event", object[]> = { tool: [], command: [], event: [] };

const answer = z.object({ id: z.number(), result: z.object({ plugin: z.object({ path: z.string() }) }) });
const call = z.object({
	id: z.number(),
	params: z.object({ name: z.string(), input: z.record(z.string(), z.unknown()) }),
});
const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

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

createInterface({ input: process.stdin }).on("line", async (line) => {
	const message = JSON.parse(line);
	if (message.method === undefined) {
		const { result } = answer.parse(message);
		const module = await import(result.plugin.path);
		await module.default(amp);
		send({ method: "runtime.ready", params: lists });
	} else {
		const { id, params } = call.parse(message);
		send({ id, result: { content: await tools.get(params.name)?.(params.input) } });
	}
});
send({ id: 1, method: "client.info", params: { protocol: "1.0.0", pid: process.pid } });
