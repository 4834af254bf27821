/** The same work with birpc, over lines of JSON that are read and written the fast way. */
import { createBirpc } from "birpc";

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
const output = Bun.stdout.writer();
let isQueued = false;
let hear: (message: unknown) => void = () => {};

interface Host {
	clientInfo(): unknown;
	runtimeReady(): void;
	changed(what: string): void;
}

const host = createBirpc<Host, object>(
	{
		list: (method: keyof typeof lists) => ({ items: lists[method] }),
		execute: async (name: string, input: unknown) => ({ content: await tools.get(name)?.(input) }),
	},
	{
		eventNames: ["changed", "runtimeReady"],
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
		lists["tool.list"].push(tool);
		void host.changed("tools");
	},
	registerCommand(id: string, command: object) {
		lists["command.list"].push({ id, ...command });
		void host.changed("commands");
	},
	on(name: string) {
		lists["event.list"].push({ name });
		void host.changed("events");
	},
};

void read();
await host.clientInfo();
const module = await import(plugin);
await module.default(amp);
await host.runtimeReady();

async function read(): Promise<void> {
	const decoder = new TextDecoder();
	let rest = "";
	for await (const chunk of Bun.stdin.stream()) {
		const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
		rest = parts.pop() ?? "";
		for (const line of parts) hear(JSON.parse(line));
	}
}
