import { describe, expect, test } from "bun:test";
import { isBroodError } from "../../../runtime/errors.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

const echo = `amp.registerTool({
	name: "echo", description: "", inputSchema: { type: "object" }, execute: (input) => JSON.stringify(input),
});`;
const plugin = (body: string) => `export default (amp) => { ${body} };`;
const allowing = plugin(`for (const event of ["tool.call", "tool.result", "agent.start"]) amp.on(event, () => {});`);

describe("what a caller gives that JSON cannot carry", () => {
	const cyclic: Record<string, unknown> = {};
	cyclic.self = cyclic;
	const throwing = Object.defineProperty({}, "at", {
		enumerable: true,
		get() {
			throw new Error("no at");
		},
	});
	const wrong = {
		cyclic,
		big: { at: 10n },
		throwing,
		array: [1],
		nothing: null,
		"no JSON": { toJSON: () => undefined },
	};

	test("is refused before any gate sees it, with the same code where there is none, and blames nobody", async () => {
		const { host, frames } = await bench.start({ gate: allowing, tool: plugin(echo) });
		const asked = () => frames("gate").filter(({ method }) => method === "event.dispatch");
		for (const [name, input] of Object.entries(wrong)) {
			const calls = [true, false].map((events) => rejection(host.tools.call("echo", input as never, { events })));
			const [gated, alone] = await Promise.all(calls);
			expect({ name, gated, same: String(gated) === String(alone) }).toMatchObject({
				gated: { code: "invalid_input", plugin: "tool" },
				same: true,
			});
			const event = { tool: "echo", input };
			// JSON leaves a member that is nothing out.
			for (const data of name === "no JSON" ? [input] : [input, event]) {
				const error = await rejection(host.emit("tool.call", data as never));
				expect({ name, error }).toMatchObject({ error: { code: "invalid_params", plugin: undefined } });
			}
		}
		expect(asked()).toEqual([]);
		expect(host.plugins.log("gate")).toEqual([]);
	});

	test("is a thread's id too", async () => {
		const { host } = await bench.start({ gate: allowing, tool: plugin(echo) });
		const error = await rejection(host.tools.call("echo", {}, { threadID: 10n as never }));
		expect(error).toMatchObject({ code: "usage", message: expect.stringContaining("threadID is a string") });
	});

	test("is what is larger than a message: no gate is told to have failed", async () => {
		const limits = { wire: { lineBytesMax: 20_000 } };
		const { host } = await bench.start({ gate: allowing, tool: plugin(echo) }, { limits });
		const input = { text: "x".repeat(20_000) };
		const made = [
			host.tools.call("echo", input),
			host.emit("agent.start", input),
			host.emit("tool.call", { tool: "x", input }),
		];
		for (const call of made) expect(isBroodError(await rejection(call), "message_too_large")).toBe(true);
		expect(host.plugins.log("gate")).toEqual([]);
	});

	test("is read once: gates, schema and tool see one and the same input", async () => {
		const { host } = await bench.start({
			gate: plugin(
				`amp.on("tool.call", ({ input }) => ({ action: "modify", input: { ...input, gate: input.turn } }));`,
			),
			tool: plugin(echo),
		});
		let turn = 0;
		const input = {
			at: new Date(0),
			get turn() {
				return ++turn;
			},
		};
		const { text } = await host.tools.call("echo", input as never);
		expect(text).toBe('{"at":"1970-01-01T00:00:00.000Z","turn":1,"gate":1}');
	});
});

describe("an aborted call is cancelled, for the caller's reason", () => {
	const gates = { none: {}, gate: { gate: allowing } };
	const reasons = { text: "why", error: new Error("why"), coded: Object.assign(new Error("why"), { code: "EWHY" }) };

	test.each(Object.keys(gates))("that was so before it began, with %s", async (which) => {
		const { host } = await bench.start({
			...gates[which as keyof typeof gates],
			tool: plugin(`${echo} amp.registerCommand("go", { title: "Go" }, () => {});`),
		});
		for (const reason of Object.values(reasons)) {
			const signal = AbortSignal.abort(reason);
			const calls = [
				host.tools.call("echo", {}, { signal }),
				host.tools.call("echo", {}, { signal, events: false }),
				host.commands.run("go", { signal }),
				host.emit("tool.call", { tool: "echo" }, { signal }),
				host.emit("agent.start", {}, { signal }),
			];
			for (const call of calls) {
				const error = await rejection(call);
				expect(isBroodError(error, "cancelled")).toBe(true);
				expect(error).toHaveProperty("cause", reason);
			}
		}
		expect(host.plugins.log("tool")).toEqual([]);
	});

	test("that is so while a gate, a tool or a handler works", async () => {
		const hang = (name: string) => `async () => { console.error("${name} works"); await new Promise(() => {}); }`;
		const tool = (name: string) =>
			`amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, execute: ${hang(name)} });`;
		const { host, logged } = await bench.start({
			one: plugin(`${tool("slow")} ${tool("gated")}
				amp.registerCommand("go", { title: "Go" }, ${hang("go")});
				amp.on("agent.start", ${hang("start")});
				amp.on("tool.call", ({ tool }) => tool === "gated" ? (${hang("gate")})() : undefined);`),
		});
		const works: [string, (signal: AbortSignal) => Promise<unknown>][] = [
			["slow", (signal) => host.tools.call("slow", {}, { signal })],
			["gate", (signal) => host.tools.call("gated", {}, { signal })],
			["go", (signal) => host.commands.run("go", { signal })],
			["start", (signal) => host.emit("agent.start", {}, { signal })],
		];
		for (const [name, call] of works) {
			const caller = new AbortController();
			const made = rejection(call(caller.signal));
			await logged("one", `${name} works`);
			caller.abort("why");
			const error = await made;
			expect({ name, is: isBroodError(error, "cancelled") }).toEqual({ name, is: true });
			expect(error).toHaveProperty("cause", "why");
		}
	});
});

describe("a plugin that keeps an event waiting", () => {
	const hanging = plugin(`for (const event of ["tool.call", "tool.result"]) {
		for (let at = 0; at < 20; at++) amp.on(event, () => new Promise(() => {}));
	}`);
	const limits = { call: { eventHandlerMs: 300 } };

	test("does so once: its other handlers are not asked in that event, and say so", async () => {
		const { host, frames } = await bench.start(
			{ a: hanging, b: allowing, tool: plugin(echo) },
			{ limits, toolCallFailure: "allow" },
		);
		const { handlers } = await host.emit("tool.call", { tool: "echo" });
		expect(handlers).toHaveLength(21);
		const [first, second] = handlers.map(({ error }) => error);
		expect(first).toMatchObject({ code: "timeout", message: expect.stringContaining("did not answer within 300 ms") });
		expect(second).toMatchObject({ code: "timeout", message: expect.stringContaining("was not asked") });
		expect(handlers.at(-1)).toMatchObject({ plugin: "b" });
		expect(handlers.at(-1)).not.toHaveProperty("error");
		expect((await host.tools.call("echo", {})).ok).toBe(true);
		// One each: for the event, for the gates of the call, for those who see its result.
		const asked = frames("a").filter(({ method, kind }) => method === "event.dispatch" && kind === "call");
		expect(asked).toHaveLength(3);
		expect(host.plugins.log("a").filter(({ level }) => level === "error")).toHaveLength(3);
	});

	test("has a bounded number of handlers for each event; the first ones count, and it is told", async () => {
		const many = plugin(
			`for (let at = 0; at < 9; at++) amp.on("tool.call", () => {}); amp.on("agent.start", () => {});`,
		);
		const { host, logged } = await bench.start({ one: many }, { limits: { wire: { handlersPerEventMax: 4 } } });
		await logged("one", "its handlers of tool.call beyond the first 4 were left out");
		expect((await host.emit("tool.call", { tool: "x" })).handlers).toHaveLength(4);
		expect((await host.emit("agent.start", {})).handlers).toHaveLength(1);
	});
});

test("limits without end hold nothing and nobody", async () => {
	const { host } = await bench.start(
		{ one: plugin(echo), two: plugin("") },
		{
			limits: {
				wire: { lineBytesMax: Infinity, writeQueueBytesMax: Infinity, pendingCallsMax: Infinity },
				liveness: { pingEveryMs: Infinity, giveUpMs: 0 },
				load: { startPlaceMs: Infinity, exitDrainMs: Infinity },
				stop: { drainMs: Infinity },
				restart: { delaysMs: [Infinity] },
			},
		},
	);
	const text = "x".repeat(100_000);
	expect((await host.tools.call("echo", { text })).text).toHaveLength(text.length + '{"text":""}'.length);
	expect(host.plugins.list().map(({ state }) => state)).toEqual(["ready", "ready"]);
	await host.reload("two");
	await host.stop();
	expect(host.plugins.log("one")).toEqual([]);
});
