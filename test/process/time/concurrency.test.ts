import { expect, test } from "bun:test";
import type { Host } from "../../../host/host.ts";
import { openCase } from "../cases/support.ts";
import { createBench } from "../support/host.ts";
import { comesTrue } from "../support/processes.ts";

const bench = createBench();
const alone = { events: false };

test("147: a handler that throws, or never ends, keeps no other from the event", async () => {
	const { host, written } = await openCase(bench, "147-one-throwing-event-handler", {
		limits: { call: { eventHandlerMs: 1_000 } },
	});
	const { handlers, result } = await host.emit("agent.start", { message: "go", id: "m" });
	expect(written().sort()).toEqual(["a", "b", "c"]);
	expect(result).toEqual({
		messages: [
			{ content: "from a", plugin: "a" },
			{ content: "from c", plugin: "c" },
		],
	});
	expect(handlers.map(({ plugin, error }) => [plugin, error?.message])).toEqual([
		["a", undefined],
		["b", expect.stringMatching(/^Error: b breaks \(.*b\.ts:\d+:\d+\)$/)],
		["c", undefined],
	]);
	expect(host.plugins.log("b").map(({ message }) => message)).toEqual([
		expect.stringContaining("its handler of agent.start failed: Error: b breaks ("),
	]);

	let over = false;
	const session = host.emit("session.start").then((outcome) => {
		over = true;
		return outcome;
	});
	expect(await comesTrue(() => written().includes("s-a") && written().includes("s-c"), 900)).toBe(true);
	expect(over).toBe(false);
	expect((await session).handlers.map(({ plugin, error }) => [plugin, error?.code])).toEqual([
		["a", undefined],
		["b", "timeout"],
		["c", undefined],
	]);
});

test("149: a plugin that always goes on is ignored after five turns, until a person speaks", async () => {
	const [{ host }, { host: strict }] = await Promise.all([
		openCase(bench, "149-continue-loop"),
		openCase(bench, "149-continue-loop", { limits: { call: { continuationsMax: 2 } } }),
	]);
	const thread = { id: "T-1" };
	/** Plays an agent: each `continue` begins a turn with its message. */
	async function turns(first: string, host: Host): Promise<number> {
		for (let made = 0, message = first; ; made += 1) {
			await host.emit("agent.start", { thread, message, id: `m-${made}` });
			const { result } = await host.emit("agent.end", {
				thread,
				message,
				id: `m-${made}`,
				status: "done",
				messages: [],
			});
			if (result === null || made === 50) return made;
			expect(result).toMatchObject({ action: "continue", userMessage: "again", plugin: "plugin" });
			message = "again";
		}
	}
	expect(await turns("a person asks", host)).toBe(5);
	expect(await turns("a person asks more", host)).toBe(5);
	expect(await turns("a person asks", strict)).toBe(2);
});

test("200 calls of 100 kB each way at once come whole, each to its own caller, while another plugin answers", async () => {
	const tool = (name: string, execute: string) =>
		`export default (amp) => amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, execute: ${execute} });`;
	const { host } = await bench.start({
		big: tool("big", "async ({ text }) => { await null; return text; }"),
		small: tool("small", '() => "small"'),
	});
	// Characters of one to four bytes, so that chunks end within one; line ends within the text.
	const texts = Array.from({ length: 200 }, (_, n) => `${n}\n`.concat("aé€😀\r\n".repeat(8_334)));
	const calls = texts.map((text) => host.tools.call("big", { text }, alone));
	const others = Array.from({ length: 20 }, () => host.tools.call("small", {}, alone));
	for (const { text } of await Promise.all(others)) expect(text).toBe("small");
	const answers = await Promise.all(calls);
	expect(answers.filter(({ text }, n) => text !== texts[n])).toHaveLength(0);
	expect(host.plugins.log("big")).toEqual([]);
});

test("an event is seen by the handlers that were there when it began: one added is for the next, one removed is skipped", async () => {
	const { host, next } = await bench.start({
		one: `export default (amp) => {
			const seen = [];
			const gate = (name, then = () => {}) => amp.on("tool.call", ({ input }) => {
				then();
				return { action: "modify", input: { seen: input.seen + name } };
			});
			const itself = gate("1", () => { itself.unsubscribe(); gate("4"); later.unsubscribe(); });
			const later = gate("2");
			gate("3");
		};`,
		two: `export default (amp) => amp.on("tool.call", ({ input }) => ({ action: "modify", input: { seen: input.seen + "5" } }));`,
	});
	const seen = async () => {
		const { handlers, result } = await host.emit("tool.call", { tool: "x", input: { seen: "" } });
		return { handlers: handlers.length, input: (result as { input?: unknown }).input };
	};
	const changed = next("registry", () => true);
	// The one that was removed has nothing to say; the one that removed itself finishes.
	expect(await seen()).toEqual({ handlers: 4, input: { seen: "135" } });
	await changed;
	expect(await seen()).toEqual({ handlers: 3, input: { seen: "345" } });
	expect(await seen()).toEqual({ handlers: 3, input: { seen: "345" } });
});
