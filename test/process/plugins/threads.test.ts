import { expect } from "bun:test";
import type { ThreadsProvider } from "../../../host/contracts/providers.ts";
import { createThreads, type NewMessage } from "../../../host/providers/threads.ts";
import { createSamples } from "./support.ts";

const sample = createSamples();

sample("follows-active-thread", "knows the thread of its load, and hears of each later one once", async ({ load }) => {
	const threads = createThreads();
	for (const id of ["T-1", "T-2"]) threads.create({ id });
	threads.setActive("T-1");
	const { logged } = await load({ providers: { threads } });
	await logged("follows-active-thread", "active: T-1");
	threads.setActive("T-2");
	await logged("follows-active-thread", "active: T-1 > T-2");
	threads.setActive(null);
	expect((await logged("follows-active-thread", "> none")).message).toBe("active: T-1 > T-2 > none");
});

sample("thread-state-race", "never goes back to the older state that it asked for", async ({ load }) => {
	const threads = createThreads();
	const thread = threads.create({ id: "T-1", state: "idle" });
	const asked = Promise.withResolvers<void>();
	const late = Promise.withResolvers<void>();
	let count = 0;
	// What get and subscribe ask for is known before the state changes, and leaves the host after it.
	const provider: ThreadsProvider = {
		...threads,
		state: async (id, context) => {
			const state = await threads.state(id, context);
			count += 1;
			if (count === 2) asked.resolve();
			await late.promise;
			return state;
		},
	};
	const { host, logged } = await load({ providers: { threads: provider } });
	threads.setActive("T-1");
	await asked.promise;
	thread.setState("running");
	await logged("thread-state-race", "heard running");
	late.resolve();
	expect((await logged("thread-state-race", "asked")).message).toBe("asked running, is running");
	thread.setState("awaiting-approval");
	await logged("thread-state-race", "heard awaiting-approval");
	const log = host.plugins.log("thread-state-race").map(({ message }) => message);
	expect(log).not.toContain("heard idle");
});

sample("messages-to-stdin", "hands a program every byte of a long turn", async ({ load }) => {
	const { host, logged } = await load();
	const messages = Array.from({ length: 300 }, (_, index) => ({
		role: "user",
		id: `${index}`,
		content: "ü".repeat(5_000),
	}));
	const bytes = Buffer.byteLength(JSON.stringify(messages));
	await host.emit("agent.end", { message: "hi", id: "M", status: "done", messages });
	await logged("messages-to-stdin", `the program read ${bytes} bytes of 300 messages`);
});

sample("pages-by-twenty", "reads all messages of a thread, in order, and none twice", async ({ load }) => {
	const threads = createThreads();
	const messages = Array.from({ length: 47 }, (_, index): NewMessage => {
		return { role: index % 2 === 0 ? "user" : "assistant", content: `message ${index + 1}` };
	});
	threads.create({ id: "T-1", messages });
	threads.create({ id: "T-2", messages: messages.slice(0, 40) });
	const { run, told } = await load({ providers: { threads } });
	await run("export", "T-1");
	await run("export", "T-2");
	await run("export");
	expect(told()).toEqual([
		'47 lines, from "user: message 1" to "user: message 47"',
		'40 lines, from "user: message 1" to "assistant: message 40"',
		"no thread is open",
	]);
});

sample("thread-of-a-call", "counts turns by the thread that contexts name", async ({ load }) => {
	const { host, run } = await load();
	const turns = async (threadID: string) => (await host.tools.call("turns", {}, { events: false, threadID })).text;
	for (const id of ["T-1", "T-1", "T-2"]) await host.emit("agent.start", { thread: { id }, message: "hi" });
	expect([await turns("T-1"), await turns("T-2"), await turns("T-3")]).toEqual(["2 turns", "1 turns", "0 turns"]);
	await run("forget");
	expect(await turns("T-1")).toBe("2 turns");
	await run("forget", "T-1");
	expect(await turns("T-1")).toBe("0 turns");
});

sample(
	"steers-a-thread",
	"steers a thread that runs, appends to one that is idle, cancels and shares it",
	async ({ load }) => {
		const threads = createThreads();
		const thread = threads.create({ id: "T-1", title: "Fix it", parentThreadID: "T-0", state: "running" });
		const { run, told } = await load({ providers: { threads } });
		await run("hurry", "T-1");
		thread.setState("idle");
		await run("hurry", "T-1");
		thread.setState("running");
		await run("give-up", "T-1");
		expect(told()).toEqual(["Fix it, from T-0", "Fix it, from T-0"]);
		expect(threads.actions.map(({ plugin: _, threadID: __, ...action }) => action)).toEqual([
			{ type: "user-message", content: "Be quick.", steer: true },
			{ type: "visibility", visibility: "workspace" },
			{ type: "user-message", content: "Go on.", steer: false },
			{ type: "visibility", visibility: "workspace" },
			{ type: "cancel" },
		]);
		expect(thread.state).toBe("idle");
	},
);

sample("runs-an-agent", "runs its agent with what it defined, and talks to it in a thread", async ({ load }) => {
	const threads = createThreads();
	threads.onAction((action) => {
		if (action.type === "user-message")
			threads.get(action.threadID)?.addMessage({ role: "assistant", content: `re: ${action.content}` });
	});
	const asked: unknown[] = [];
	const { run, told } = await load({
		providers: {
			threads,
			agents: {
				async run({ message, definition }) {
					asked.push([message, definition.name, definition.tools]);
					return { threadID: "T-9", text: "Looks good." };
				},
				createThread: async ({ definition }) => threads.create({ agent: definition }),
			},
		},
	});
	await run("review");
	await run("discuss");
	expect(asked).toEqual([["Review what is staged.", "reviewer", ["Read", "Grep"]]]);
	expect(told()).toEqual(["Looks good. (T-9, acme/large, Read,Grep)", "re: Shall we begin?"]);
	expect(threads.list().map(({ agent }) => agent)).toMatchObject([{ name: "reviewer" }]);
});
