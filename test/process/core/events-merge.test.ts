import { describe, expect, test } from "bun:test";
import { isBroodError } from "../../../runtime/errors.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench, type Running } from "../support/host.ts";

const bench = createBench();

const on = (event: string, body: string) =>
	`export default (amp) => amp.on("${event}", async (event, ctx) => { ${body} });`;
const says = (text: string) => on("agent.start", `return { message: { content: "${text}" } };`);
const plugins = (handlers: { plugin: string }[]) => handlers.map(({ plugin }) => plugin);
const limits = { call: { eventHandlerMs: 300 }, restart: { delaysMs: [1] } };

describe("an event that all plugins see at once", () => {
	test("agent.start collects all messages in the order of rank, whoever answers first", async () => {
		const { host } = await bench.start({
			a: on("agent.start", `await Bun.sleep(50); return { message: { content: "from a", display: false } };`),
			b: on("agent.start", "return {};"),
			c: says("from c"),
			d: on("agent.start", ""),
		});
		const { handlers, result } = await host.emit("agent.start", { message: "hello" });
		expect(plugins(handlers)).toEqual(["a", "b", "c", "d"]);
		expect(result).toEqual({
			messages: [
				{ content: "from a", display: false, plugin: "a" },
				{ content: "from c", plugin: "c" },
			],
		});
	});

	test("changes.prompt collects all appends in the order of rank", async () => {
		const { host } = await bench.start({
			a: on("changes.prompt", `await Bun.sleep(50); return { append: "first " + event.workflow };`),
			b: on("changes.prompt", "return { append: 'second' };"),
			c: on("changes.prompt", "return {};"),
		});
		expect((await host.emit("changes.prompt", { workflow: "push_branch" })).result).toEqual({
			appends: ["first push_branch", "second"],
		});
	});

	test("runs all handlers together, not one after the other", async () => {
		const meets = (own: string, other: string) =>
			on(
				"session.start",
				`await Bun.write(${JSON.stringify(bench.path(own))}, "");
				while (!(await Bun.file(${JSON.stringify(bench.path(other))}).exists())) await Bun.sleep(2);`,
			);
		const { host } = await bench.start({ a: meets("a", "b"), b: meets("b", "a") });
		const { handlers } = await host.emit("session.start");
		expect(handlers.map(({ error }) => error)).toEqual([undefined, undefined]);
	});

	test.each([
		["throws", "throw new Error('oops');", "oops"],
		["answers a number", "return 7;", "an answer is an object or nothing"],
		["answers what is not allowed", "return { message: { content: 7 } };", "message.content is a text"],
		["does not answer in time", "await new Promise(() => {});", "did not answer within 300 ms"],
		["crashes", "process.exit(4);", "it exited with code 4"],
	])("keeps the others' answers where a handler %s, and tells of it in its log", async (_, body, reason) => {
		const { host } = await bench.start({ a: says("a"), b: on("agent.start", body), c: says("c") }, { limits });
		const { handlers, result } = await host.emit("agent.start", {});
		expect(result).toMatchObject({ messages: [{ content: "a" }, { content: "c" }] });
		expect(handlers[1]?.error?.message).toContain(reason);
		expect(host.plugins.log("b").some(({ message }) => message.includes("its handler of agent.start failed"))).toBe(
			true,
		);
	});

	test("session.start isolates its handlers, also those of one plugin, and takes no answer", async () => {
		const { host } = await bench.start(
			{
				a: `export default (amp) => {
					amp.on("session.start", () => { throw new Error("first"); });
					amp.on("session.start", () => { amp.logger.log("second ran"); return { anything: 1 }; });
					amp.on("session.start", () => new Promise(() => {}));
					amp.on("session.start", () => { amp.logger.log("fourth ran"); });
				};`,
				b: on("session.start", "ctx.logger.log('b ran');"),
			},
			{ limits },
		);
		const { handlers, result } = await host.emit("session.start");
		expect(handlers.map(({ plugin, error }) => [plugin, error?.code])).toEqual([
			["a", "plugin_error"],
			["a", undefined],
			["a", "timeout"],
			["a", undefined],
			["b", undefined],
		]);
		expect(result).toBeNull();
		const said = host.plugins
			.log("a")
			.filter(({ source }) => source === "plugin")
			.map(({ message }) => message);
		expect(said).toEqual(["second ran", "fourth ran"]);
		expect(host.plugins.log("b").map(({ message }) => message)).toEqual(["b ran"]);
	});

	test("that nobody handles has no result", async () => {
		const { host } = await bench.start({ a: "export default () => {};" });
		expect(await host.emit("agent.start", {})).toEqual({ event: "agent.start", handlers: [], result: null });
	});

	test("is refused where its data cannot be, before a handler runs", async () => {
		const { host } = await bench.start({ a: on("tool.call", "console.error('ran');") });
		expect(isBroodError(await rejection(host.emit("tool.call", { input: {} })), "invalid_params")).toBe(true);
		expect(isBroodError(await rejection(host.emit("agent.start", { thread: "T-1" })), "invalid_params")).toBe(true);
	});

	test("for a handler that is unknown to Amp's list is warned of, and the plugin loads", async () => {
		const { host } = await bench.start({ a: `export default (amp) => amp.on("tool.calls", () => {}).unsubscribe();` });
		expect(host.plugins.get("a")).toMatchObject({ state: "ready", events: [] });
		expect(host.plugins.log("a")).toMatchObject([
			{ level: "warn", message: expect.stringContaining('on("tool.calls")') },
		]);
	});
});

describe("agent.end", () => {
	const continues = (text: string, more = "") =>
		on("agent.end", `return { action: "continue", userMessage: "${text}"${more} };`);
	const thread = { id: "T-1" };
	const end = async ({ host }: Running, of = thread) =>
		(await host.emit("agent.end", { thread: of, message: "done" })).result;
	/** Drives turns as an agent does: each continuation begins a turn with the plugin's message. */
	async function turns(running: Running, most = 10): Promise<number> {
		for (let made = 0; made < most; made++) {
			const result = await end(running);
			if (result === null || typeof result !== "object" || Array.isArray(result)) return made;
			await running.host.emit("agent.start", { thread, message: result.userMessage ?? "" });
		}
		return most;
	}

	test("goes on with the first continue by rank, although a later one answered earlier", async () => {
		const running = await bench.start({
			a: on("agent.end", ""),
			b: on("agent.end", `await Bun.sleep(50); return { action: "continue", userMessage: "b says" };`),
			c: continues("c says"),
		});
		expect(await end(running)).toEqual({ action: "continue", userMessage: "b says", plugin: "b" });
	});

	test("is continued five times in a row, then the turn ends and the log tells", async () => {
		const running = await bench.start({ a: continues("more") });
		expect(await turns(running)).toBe(5);
		expect(running.host.plugins.log("a").map(({ message }) => message)).toEqual([
			"agent.end was not continued again: 5 continuations in a row",
		]);
	});

	test("is continued as often as the answer allows, and no more", async () => {
		const running = await bench.start({ a: continues("more", ", maxContinuations: 2") });
		expect(await turns(running)).toBe(2);
	});

	test("is never continued with maxContinuations 0", async () => {
		const running = await bench.start({ a: continues("more", ", maxContinuations: 0") });
		expect(await turns(running)).toBe(0);
	});

	test("may be continued anew after a message of the person", async () => {
		const running = await bench.start({ a: continues("more") });
		expect(await turns(running, 4)).toBe(4);
		await running.host.emit("agent.start", { thread, message: "thank you, and now this" });
		expect(await turns(running)).toBe(5);
	});

	test("is counted by thread, and other events do not touch the count", async () => {
		const running = await bench.start({ a: continues("more") });
		expect(await turns(running, 4)).toBe(4);
		expect(await end(running, { id: "T-2" })).not.toBeNull();
		await running.host.emit("session.start", { thread });
		await running.host.emit("changes.prompt", { thread });
		expect(await end(running)).not.toBeNull();
		expect(await end(running)).toBeNull();
	});

	test.each([
		"{ action: 'go on' }",
		"{ action: 'continue' }",
		"{ action: 'continue', userMessage: 'x', maxContinuations: -1 }",
	])("takes %s for an error of the plugin", async (answer) => {
		const { host } = await bench.start({ a: on("agent.end", `return ${answer};`) });
		const { handlers, result } = await host.emit("agent.end", {});
		expect(result).toBeNull();
		expect(handlers).toMatchObject([{ plugin: "a", error: { code: "invalid_answer" } }]);
	});
});
