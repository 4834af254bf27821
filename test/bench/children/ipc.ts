/** The same work over Bun's IPC. It stands alone: what it imported would be measured. */
interface Tool {
	name: string;
	execute(input: unknown): unknown;
}

const tools = new Map<string, Tool["execute"]>();
const lists: Record<"tool" | "command" | "event", object[]> = { tool: [], command: [], event: [] };
const [, , plugin = ""] = process.argv;
const send = (message: object) => process.send?.({ jsonrpc: "2.0", ...message });

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

process.on("message", hear);
send({ id: 1, method: "client.info", params: { protocol: "1.0.0", pid: process.pid } });
// While the answer is on its way.
const imported = import(plugin);

interface Message {
	id: number;
	method?: "tool.execute";
	params: { name: string; input: unknown };
}

async function load(): Promise<void> {
	const module = await imported;
	await module.default(amp);
	send({ method: "runtime.ready", params: lists });
}

async function execute({ id, params }: Message): Promise<void> {
	send({ id, result: { content: await tools.get(params.name)?.(params.input) } });
}

function hear(message: Message): void {
	if (message.method === undefined) void load();
	else void execute(message);
}
