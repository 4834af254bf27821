import { expect, test } from "bun:test";
import { createBench } from "../support/host.ts";

const bench = createBench();

const plugin = `
const look = async (amp, ctx) => {
	const { thread } = ctx;
	const { messages } = thread;
	const [said] = await messages();
	await thread.appendUserMessage("from " + said.content[0].text);
	return {
		title: await thread.title.get(),
		isSame: ctx.thread === thread,
		handle: thread,
		keys: Object.keys(thread),
		spread: { ...thread },
		clone: structuredClone(thread),
		likeOthers: Object.getOwnPropertyNames(thread).join() === Object.getOwnPropertyNames(amp.threads.get("x")).join(),
	};
};
export default (amp) => {
	amp.registerTool({ name: "look", description: "", inputSchema: { type: "object" }, execute: (input, ctx) => look(amp, ctx) });
	amp.registerCommand("look", { title: "Look" }, async (ctx) => amp.logger.log("command " + JSON.stringify(await look(amp, ctx))));
	amp.registerCommand("none", { title: "None" }, (ctx) => amp.logger.log("none " + ("thread" in ctx) + " " + ctx.thread?.messages()));
	amp.on("agent.start", async (event, ctx) => ({ message: { content: JSON.stringify({ ...(await look(amp, ctx)), event: event.thread }) } }));
};`;

const seen = {
	title: "Plans",
	isSame: true,
	handle: { id: "T-1" },
	keys: ["id"],
	spread: { id: "T-1" },
	clone: { id: "T-1" },
	likeOthers: true,
};

test("the thread of a tool, a command and an event is a handle that reads and writes it, and is { id } as JSON", async () => {
	const { host, logged } = await bench.start({ p: plugin });
	host.threads?.create({ id: "T-1", title: "Plans", messages: [{ role: "user", content: "hello" }] });
	const appended = () => host.threads?.actions.map((action) => "content" in action && action.content);

	expect(JSON.parse((await host.tools.call("look", {}, { threadID: "T-1" })).text)).toEqual(seen);
	expect(appended()).toEqual(["from hello"]);
	await host.commands.run("look", { threadID: "T-1" });
	const { message } = await logged("p", "command ");
	expect(JSON.parse(message.slice("command ".length))).toEqual({ ...seen, isSame: true });
	const { result } = await host.emit("agent.start", { message: "m", id: "1", thread: { id: "T-1" } });
	const { messages } = result as { messages: { content: string }[] };
	expect(JSON.parse(messages[0]?.content ?? "")).toEqual({ ...seen, event: { id: "T-1" } });
	expect(appended()).toHaveLength(3);
});

test("a command has no thread where none is active, and the key itself is absent", async () => {
	const { host, logged } = await bench.start({ p: plugin });
	await host.commands.run("none");
	await logged("p", "none false undefined");
});

test("how much of a long text is shown without full is the host's to say", async () => {
	const source = `export default (amp) => amp.registerTool({ name: "read", description: "", inputSchema: { type: "object" },
		execute: async (input, { thread }) => (await thread.messages())[0].content[0].thinking });`;
	const { host } = await bench.start({ p: source }, { limits: { text: { messageExcerptCharsMax: 3 } } });
	const thinking = { type: "thinking" as const, thinking: "abcdef" };
	host.threads?.create({ id: "T-1", messages: [{ role: "assistant", content: [thinking] }] });
	expect((await host.tools.call("read", {}, { threadID: "T-1" })).text).toBe("abc… [3 more characters]");
});
