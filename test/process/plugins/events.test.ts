import { expect } from "bun:test";
import { createSamples } from "./support.ts";

const sample = createSamples();

sample("counts-tool-calls", "lets every call pass by answering nothing", async ({ load }) => {
	const { host, ask } = await load();
	for (const tool of ["Read", "Read", "Grep"]) {
		const { result, handlers } = await host.emit("tool.call", { tool, input: {} });
		expect({ result, errors: handlers.flatMap(({ error }) => error ?? []) }).toEqual({ result: null, errors: [] });
	}
	expect(await ask("tool_counts")).toEqual({ Read: 2, Grep: 1 });
});

sample(
	"empty-agent-start",
	"changes nothing with an empty object, and adds a message with a full one",
	async ({ load }) => {
		const { host } = await load();
		const quiet = await host.emit("agent.start", { message: "write a test" });
		expect(quiet.result).toBeNull();
		expect(quiet.handlers).toMatchObject([{ plugin: "empty-agent-start" }]);
		expect(quiet.handlers[0]?.error).toBeUndefined();
		const { result } = await host.emit("agent.start", { message: "deploy it" });
		expect(result).toEqual({
			messages: [{ content: "Deploys are frozen until Monday.", display: true, plugin: "empty-agent-start" }],
		});
	},
);

sample("silent-agent-end", "lets the turn end and tells the person", async ({ load }) => {
	const { host, told } = await load();
	const { ok, rounds } = await host.turn({ message: "hi", reply: "done" });
	expect({ ok, rounds }).toEqual({ ok: true, rounds: 1 });
	expect(told()).toEqual(["done: 2 messages"]);
	await host.turn({ message: "hi", end: { status: "cancelled" } });
	expect(told()).toHaveLength(1);
});

sample(
	"command-returns-value",
	"runs with its default parameter, and what it returns is nobody's",
	async ({ load }) => {
		const { host, told } = await load();
		expect(Object.keys(await host.commands.run("tidy")).sort()).toEqual(["ms", "ok", "plugin"]);
		expect(told()).toEqual(["dry run: true"]);
	},
);

sample("notify-with-level", "shows both messages, without what stood beside them", async ({ load }) => {
	const { host, record } = await load();
	await host.emit("tool.result", { tool: "Bash", input: {}, status: "error", error: "no" });
	await host.emit("tool.result", { tool: "Bash", input: {}, status: "done" });
	expect(record).toEqual([
		{ kind: "notify", plugin: "notify-with-level", message: "Bash failed" },
		{ kind: "notify", plugin: "notify-with-level", message: "see the log" },
	]);
});

sample("select-objects", "offers the values, or the label where there is no value", async ({ load }) => {
	const { run, record, told } = await load({ answers: ["large", null] });
	await run("pick-model");
	expect(record[0]).toMatchObject({ options: ["small", "large", "ask-me"], answer: "large" });
	await run("pick-model");
	expect(told()).toEqual(["model is large", "kept"]);
});

sample("select-with-initial", "begins at the choice of before, also when that was typed", async ({ load }) => {
	const initial: (string | undefined)[] = [];
	const picks = ["release", undefined];
	const { run } = await load({
		providers: {
			ui: {
				available: true,
				notify: async () => {},
				input: async () => undefined,
				confirm: async () => undefined,
				form: async () => undefined,
				select: async ({ initialValue }) => {
					initial.push(initialValue);
					return picks[initial.length - 1];
				},
			},
		},
	});
	for (const _ of picks) await run("base-branch");
	expect(initial).toEqual(["main", undefined]);
});

sample("asks-ai-for-true", "never rejects, since an answer is an object, and logs what it was", async ({ load }) => {
	const { host, logged } = await load({
		providers: {
			ai: {
				ask: async ({ question }) => ({ result: "yes", probability: 0.9, reason: question }),
				generate: async () => "",
			},
		},
	});
	const { result } = await host.emit("tool.call", { tool: "shell_command", input: { command: "rm x" } });
	expect(result).toBeNull();
	await logged("asks-ai-for-true", "judged yes 0.9");
});

sample(
	"tool-results",
	"gives text for each form, blocks as they are, and an error by its message",
	async ({ load }) => {
		const { host, call, ask } = await load();
		expect(await ask("as_object")).toEqual({ open: 3, titles: ["a", "b"] });
		expect([await call("as_text"), await call("as_nothing")]).toEqual(["three open", ""]);
		const blocks = await host.tools.call("as_blocks", {}, { events: false });
		expect(blocks).toMatchObject({
			text: "a dot",
			content: [{ type: "text" }, { type: "image", mimeType: "image/png" }],
		});
		const failed = await host.tools.call("as_error", {}, { events: false });
		expect(failed).toMatchObject({
			ok: false,
			text: expect.stringContaining("nothing is left for today"),
			error: { name: "QuotaError" },
		});
	},
);

sample("reads-defensively", "finds every field, and what may be absent is", async ({ load }) => {
	const { host, run, told } = await load();
	await host.emit("session.start", { thread: { id: "T-1" } });
	await host.emit("tool.result", { tool: "Read", input: {}, status: "cancelled" });
	await host.emit("tool.result", { tool: "Read", input: {}, status: "done", output: { lines: 3 } });
	await host.emit("agent.end", { message: "hi", id: "M-1", status: "done", messages: [{ role: "assistant" }] });
	await host.emit("agent.end", {});
	await run("seen");
	expect(told()).toEqual(['session T-1; Read cancelled null; Read done {"lines":3}; end assistant; end empty']);
});

sample("replaces-members", "uses its own functions where it has put them", async ({ load }) => {
	const { host, call, logged } = await load();
	expect(host.tools.list().map(({ item }) => item.description)).toEqual(["Says hello (team)"]);
	expect(await call("ping_team")).toBe("hello");
	expect((await logged("replaces-members", "hello")).message).toBe("[team] hello");
});

sample("optional-calls", "skips what there is not and does the rest", async ({ load }) => {
	const { host, run, told, logged } = await load();
	await run("hello");
	expect(told()).toEqual(["hello"]);
	expect(host.statusItems.list()).toMatchObject([{ plugin: "optional-calls", text: "ready" }]);
	await host.emit("session.start");
	await logged("optional-calls", "optional session");
});
