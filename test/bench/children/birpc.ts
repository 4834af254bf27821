/** The same work with birpc, over lines of JSON that are read and written the fast way. */
import { createBirpc } from "birpc";

interface Tool {
	name: string;
	execute(input: unknown): unknown;
}

const tools = new Map<string, Tool["execute"]>();
const lists: Record<"tool" | "command" | "event", object[]> = { tool: [], command: [], event: [] };

const [, , plugin = ""] = process.argv;
const output = Bun.stdout.writer();
let isQueued = false;
let hear: (message: unknown) => void = () => {};

interface Host {
	clientInfo(): unknown;
	runtimeReady(registered: typeof lists): void;
}

const host = createBirpc<Host, object>(
	{
		execute: async (name: string, input: unknown) => ({ content: await tools.get(name)?.(input) }),
	},
	{
		eventNames: ["runtimeReady"],
		on(listener) {
			hear = listener;
		},
		post(message) {
			output.write(`${JSON.stringify(message)}\n`);
			if (isQueued) return;
			isQueued = true;
			queueMicrotask(() => {
				isQueued = false;
				void output.flush();
			});
		},
	},
);

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

void read();
const hello = host.clientInfo();
// While the answer is on its way.
const module = await import(plugin);
await hello;
await module.default(amp);
await host.runtimeReady(lists);

async function read(): Promise<void> {
	const decoder = new TextDecoder();
	let rest = "";
	for await (const chunk of Bun.stdin.stream()) {
		const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
		rest = parts.pop() ?? "";
		for (const line of parts) hear(JSON.parse(line));
	}
}
