/** The same work over Bun's IPC. It stands alone: what it imported would be measured. */
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
const send = (message: object) => process.send?.({ jsonrpc: "2.0", ...message });

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

process.on("message", hear);
send({ id: 1, method: "client.info", params: { protocol: "1.0.0", pid: process.pid } });

interface Message {
	id: number;
	method?: keyof typeof lists | "tool.execute";
	params: { name: string; input: unknown };
}

async function load(): Promise<void> {
	const module = await import(plugin);
	await module.default(amp);
	send({ method: "runtime.ready", params: {} });
}

async function execute({ id, params }: Message): Promise<void> {
	send({ id, result: { content: await tools.get(params.name)?.(params.input) } });
}

function hear(message: Message): void {
	if (message.method === undefined) void load();
	else if (message.method === "tool.execute") void execute(message);
	else send({ id: message.id, result: { items: lists[message.method] } });
}
