/** The same work over Bun's IPC. It stands alone: what it imported would be measured. */
interface Tool {
	name: string;
	execute(input: unknown): unknown;
}

const tools = new Map<string, Tool["execute"]>();
const lists: Record<"tools" | "commands" | "events", object[]> = { tools: [], commands: [], events: [] };
const [, , plugin = ""] = process.argv;
const answered = Promise.withResolvers<void>();
const send = (message: object) => process.send?.({ jsonrpc: "2.0", ...message });

const amp = {
	registerTool({ execute, ...tool }: Tool) {
		tools.set(tool.name, execute);
		lists.tools.push(tool);
	},
	registerCommand: (id: string, command: object) => lists.commands.push({ id, ...command }),
	on: (name: string) => lists.events.push({ name }),
};

process.on("message", hear);
send({ id: 1, method: "client.info", params: { protocol: "1.0.0", pid: process.pid } });
// While the answer to hello is on its way.
const module = await import(plugin);
await answered.promise;
await module.default(amp);
send({ method: "runtime.ready", params: { lists } });

interface Message {
	id: number;
	method?: "tool.execute";
	params: { name: string; input: unknown };
}

function hear(message: Message): void {
	if (message.method === undefined) answered.resolve();
	else void execute(message);
}

async function execute({ id, params }: Message): Promise<void> {
	send({ id, result: { content: await tools.get(params.name)?.(params.input) } });
}
