// What the program of an agent brings to its plugins: who answers their dialogs and questions, the threads they see,
// and the events of a turn, whose answers say what the agent does next.
// Run it: bun examples/embed/agent.ts
import { createHost, createThreads, type Providers } from "brood";

const threads = createThreads();
const thread = threads.create({ title: "Clean up" });
threads.setActive(thread.id);

const providers: Providers = {
	threads,
	ui: {
		available: true,
		notify: async ({ message }, { plugin }) => console.log(`${plugin} says: ${message}`),
		input: async ({ initialValue }) => initialValue,
		confirm: async () => true,
		form: async ({ fields }) => Object.fromEntries(fields.map(({ name, value }) => [name, value])),
		select: async ({ options }) => options[0],
	},
	ai: {
		ask: async () => ({ result: "uncertain", probability: 0.5, reason: "no model is asked here" }),
		generate: async ({ prompt }) => `You asked: ${prompt}`,
	},
};

const plugins = [`${import.meta.dir}/../plugins/gate.ts`, `${import.meta.dir}/../plugins/turn.ts`];
await using host = await createHost({ plugins, places: false, providers });

const start = await host.emit("agent.start", { message: "Clean up", id: "1", thread: { id: thread.id } });
console.log("for the model:", JSON.stringify(start.result));

// What the model wants to call passes the gates; a tool of a plugin would be called by host.tools.call, gates included.
const call = { toolUseID: "call-1", tool: "Bash", input: { cmd: "rm -rf ~" } };
const { result } = await host.emit("tool.call", { ...call, thread: { id: thread.id } });
console.log("the call:", JSON.stringify(result));
