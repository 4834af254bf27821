/** What one writes without measuring: readline, process.stdin and process.stdout, and a schema for each message. */
import { createInterface } from "node:readline";
import { z } from "zod";

interface Tool {
	name: string;
	execute(input: unknown): unknown;
}

const tools = new Map<string, Tool["execute"]>();
const lists: Record<"tools" | "commands" | "events", object[]> = { tools: [], commands: [], events: [] };

const answer = z.object({ id: z.number(), result: z.object({ protocol: z.string() }) });
const call = z.object({
	id: z.number(),
	params: z.object({ name: z.string(), input: z.record(z.string(), z.unknown()) }),
});
const [, , plugin = ""] = process.argv;
const answered = Promise.withResolvers<void>();
const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const amp = {
	registerTool({ execute, ...tool }: Tool) {
		tools.set(tool.name, execute);
		lists.tools.push(tool);
	},
	registerCommand: (id: string, command: object) => lists.commands.push({ id, ...command }),
	on: (name: string) => lists.events.push({ name }),
};

createInterface({ input: process.stdin }).on("line", async (line) => {
	const message = JSON.parse(line);
	if (message.method === undefined) {
		answer.parse(message);
		answered.resolve();
	} else {
		const { id, params } = call.parse(message);
		send({ id, result: { content: await tools.get(params.name)?.(params.input) } });
	}
});
send({ id: 1, method: "client.info", params: { protocol: "1.0.0", pid: process.pid } });
// While the answer to hello is on its way.
const module = await import(plugin);
await answered.promise;
await module.default(amp);
send({ method: "runtime.ready", params: { lists } });
