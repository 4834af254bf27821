/** The same work with birpc, over lines of JSON that are read and written the fast way. */
import { createBirpc } from "birpc";

interface Tool {
	name: string;
	execute(input: unknown): unknown;
}

const tools = new Map<string, Tool["execute"]>();
const lists: Record<"tools" | "commands" | "events", object[]> = { tools: [], commands: [], events: [] };

const [, , plugin = ""] = process.argv;
const output = Bun.stdout.writer();
let isQueued = false;
let hear: (message: unknown) => void = () => {};

interface Host {
	clientInfo(): unknown;
	runtimeReady(params: object): void;
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
		lists.tools.push(tool);
	},
	registerCommand: (id: string, command: object) => lists.commands.push({ id, ...command }),
	on: (name: string) => lists.events.push({ name }),
};

void read();
const answer = host.clientInfo();
// While the answer to hello is on its way.
const module = await import(plugin);
await answer;
await module.default(amp);
await host.runtimeReady({ lists });

async function read(): Promise<void> {
	const decoder = new TextDecoder();
	let rest = "";
	for await (const chunk of Bun.stdin.stream()) {
		const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
		rest = parts.pop() ?? "";
		for (const line of parts) hear(JSON.parse(line));
	}
}
