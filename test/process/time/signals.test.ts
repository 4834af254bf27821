import { describe, expect, test } from "bun:test";
import { isBroodError } from "../../../runtime/errors.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { heldUI } from "../support/held-ui.ts";
import { createBench, type Running } from "../support/host.ts";

const bench = createBench();
const alone = { events: false };

/** Tells of the begin of each handler and of the end of its signal, and does what it is told then. */
const plugin = `export default (amp) => {
	const wait = (ctx, does) => new Promise((resolve, reject) => {
		const aborted = () => {
			const { name, code, message } = ctx.signal.reason;
			amp.logger.log("aborted", JSON.stringify({ name, code, message, error: ctx.signal.reason instanceof Error }));
			if (does === "obey") reject(ctx.signal.reason);
			if (does === "answer") resolve("answered all the same");
			if (does === "late") setTimeout(() => { amp.logger.log("finished late"); resolve("too late"); }, 20);
		};
		if (ctx.signal.aborted) aborted();
		else ctx.signal.addEventListener("abort", aborted);
		amp.logger.log("begun", does);
	});
	const schema = { type: "object" };
	amp.registerTool({ name: "wait", description: "", inputSchema: schema, execute: ({ does }, ctx) => wait(ctx, does) });
	amp.registerTool({ name: "state", description: "", inputSchema: schema, execute: (_, ctx) => "aborted: " + ctx.signal.aborted });
	amp.registerCommand("wait", { title: "Wait" }, (ctx) => wait(ctx, "obey"));
	amp.on("agent.start", async (_, { ui }) => {
		await ui.confirm({ title: "Go on?" }).catch(({ name, code }) => amp.logger.log("dialog", name, code));
	});
};`;

/** What the plugin's signal told; waits for it. */
async function reasonIn({ logged }: Running): Promise<{ name: string; code: string; message: string }> {
	const { message } = await logged("one", "aborted {");
	return JSON.parse(message.slice("aborted ".length));
}

const told = ({ host }: Running) => host.plugins.log("one").filter(({ source }) => source !== "plugin");

describe("the signal of a handler", () => {
	const byCaller: [string, (host: Running["host"], signal: AbortSignal) => Promise<unknown>][] = [
		["tool", (host, signal) => host.tools.call("wait", { does: "obey" }, { ...alone, signal })],
		["command", (host, signal) => host.commands.run("wait", { signal })],
	];

	test.each(byCaller)("of a %s fires as an AbortError when the caller gives up", async (_, call) => {
		const running = await bench.start({ one: plugin });
		const caller = new AbortController();
		const given = rejection(call(running.host, caller.signal));
		await running.logged("one", "begun");
		caller.abort(new Error("the caller's own affair"));
		expect(isBroodError(await given, "cancelled")).toBe(true);
		expect(await reasonIn(running)).toEqual({
			name: "AbortError",
			code: "cancelled",
			message: "The call was cancelled by its caller.",
			error: true,
		} as never);
	});

	const timedOut: [string, (host: Running["host"]) => Promise<unknown>][] = [
		["Tool", (host) => host.tools.call("wait", { does: "obey" }, { ...alone, timeoutMs: 120 })],
		["Command", (host) => host.commands.run("wait", { timeoutMs: 120 })],
	];

	test.each(timedOut)("of a %s fires as a TimeoutError that says how long it had", async (kind, call) => {
		const running = await bench.start({ one: plugin });
		expect(isBroodError(await rejection(call(running.host)), "timeout")).toBe(true);
		const message = `${kind} "wait" of plugin "one" did not answer within 120 ms.`;
		expect(await reasonIn(running)).toEqual({ name: "TimeoutError", code: "timeout", message, error: true } as never);
	});

	const ends: [string, (running: Running) => Promise<unknown>][] = [
		["the host stops", ({ host }) => host.stop()],
		["the plugin is disabled", ({ host }) => host.disable("one")],
		["a reload has waited long enough for its call", ({ host }) => host.reload("one")],
	];

	test.each(ends)("fires when %s, and a call that obeys it ends with the process", async (_, end) => {
		const running = await bench.start({ one: plugin }, { limits: { stop: { drainMs: 50 } } });
		const given = rejection(running.host.tools.call("wait", { does: "obey" }, alone));
		await running.logged("one", "begun");
		await end(running);
		const message = 'The call of plugin "one" was cancelled: the plugin is being stopped.';
		expect(await given).toMatchObject({ code: "plugin_exited", plugin: "one", exit: { signal: "SIGINT" } });
		expect(await reasonIn(running)).toEqual({ name: "AbortError", code: "cancelled", message, error: true } as never);
	});

	test("at a stop leaves time for an answer, while a call that does not care ends with its process", async () => {
		const { host, until } = await bench.start({ one: plugin });
		const answers = host.tools.call("wait", { does: "answer" }, alone);
		const ignores = rejection(host.tools.call("wait", { does: "ignore" }, alone));
		await until("log", ({ entry }) => entry.message === "begun ignore");
		await host.stop();
		expect(await answers).toMatchObject({ ok: true, text: "answered all the same" });
		expect(await ignores).toMatchObject({ code: "plugin_exited", exit: { signal: "SIGINT" } });
	});

	test("is not fired for calls that a reload lets finish", async () => {
		const { host } = await bench.start({
			one: `export default (amp) => amp.registerTool({ name: "slow", description: "", inputSchema: { type: "object" },
				execute: async (_, { signal }) => { console.error("begun"); await Bun.sleep(200); return "aborted: " + signal.aborted; } });`,
		});
		const call = host.tools.call("slow", {}, alone);
		await host.reload("one");
		expect((await call).text).toBe("aborted: false");
	});
});

describe("after a call was given up", () => {
	test("the next one is fresh, and the plugin's process is the same", async () => {
		const running = await bench.start({ one: plugin });
		const { pid } = running.host.plugins.get("one");
		const caller = new AbortController();
		const given = rejection(running.host.tools.call("wait", { does: "ignore" }, { ...alone, signal: caller.signal }));
		await running.logged("one", "begun");
		caller.abort();
		await given;
		expect((await running.host.tools.call("state", {}, alone)).text).toBe("aborted: false");
		expect(running.host.plugins.get("one")).toMatchObject({ state: "ready", pid, launches: 1, openCalls: 0 });
	});

	test("a handler that finishes all the same is no error: its answer is dropped without a word", async () => {
		const running = await bench.start({ one: plugin });
		const given = rejection(running.host.tools.call("wait", { does: "late" }, { ...alone, timeoutMs: 120 }));
		expect(await given).toMatchObject({ code: "timeout" });
		await running.logged("one", "finished late");
		// Its late answer is on the wire before this one's.
		expect((await running.host.tools.call("state", {}, alone)).text).toBe("aborted: false");
		expect(running.wire("one")).toContain("<- tool.execute ok");
		expect(told(running)).toEqual([]);
	});

	test("so do 1,000 at once: none is left open, none is an error, and the plugin is usable", async () => {
		const running = await bench.start({ one: plugin }, { limits: { wire: { pendingCallsMax: 1_000 } } });
		const { host } = running;
		for (let round = 0; round < 2; round += 1) {
			const caller = new AbortController();
			const calls = Array.from({ length: 1_000 }, () =>
				rejection(host.tools.call("wait", { does: "late" }, { ...alone, signal: caller.signal })),
			);
			await running.until("log", () => host.plugins.get("one").openCalls === 1_000);
			caller.abort();
			const errors = await Promise.all(calls);
			expect(errors.filter((error) => !isBroodError(error, "cancelled"))).toEqual([]);
			expect(host.plugins.get("one").openCalls).toBe(0);
		}
		// With one place left open anywhere, this would be refused as busy.
		const states = Array.from({ length: 1_000 }, () => host.tools.call("state", {}, alone));
		expect(new Set((await Promise.all(states)).map(({ text }) => text))).toEqual(new Set(["aborted: false"]));
		expect(told(running)).toEqual([]);
	});
});

describe("a call that was not answered", () => {
	test("is never sent again, be it given up or crashed, also after the plugin came again", async () => {
		const count = bench.path("count");
		const { host, reaches, next } = await bench.start(
			{
				one: `import { appendFileSync } from "node:fs";
				export default (amp) => amp.registerTool({ name: "act", description: "", inputSchema: { type: "object" }, execute({ does }) {
					appendFileSync(${JSON.stringify(count)}, does + "\\n");
					if (does === "crash") process.exit(3);
					return new Promise(() => {});
				} });`,
			},
			{ limits: { restart: { delaysMs: [10] } } },
		);
		const given = await rejection(host.tools.call("act", { does: "hang" }, { ...alone, timeoutMs: 100 }));
		expect(isBroodError(given, "timeout")).toBe(true);
		const again = next("state", ({ state }) => state === "ready");
		const crashed = await rejection(host.tools.call("act", { does: "crash" }, alone));
		expect(isBroodError(crashed, "plugin_exited")).toBe(true);
		await again;
		await reaches("one", "ready");
		await rejection(host.tools.call("act", { does: "later" }, { ...alone, timeoutMs: 100 }));
		expect((await Bun.file(count).text()).split("\n")).toEqual(["hang", "crash", "later", ""]);
	});
});

describe("a dialog of a call that is given up", () => {
	test("because its time is over does not open any more, and the handler is told why", async () => {
		const ui = heldUI();
		const { host, logged } = await bench.start(
			{
				one: `export default (amp) => amp.registerTool({ name: "both", description: "", inputSchema: { type: "object" },
					execute: async (_, { ui, signal }) => {
						await ui.input({ title: "First" });
						await new Promise((resolve) => signal.addEventListener("abort", resolve));
						await ui.input({ title: "Too late" }).catch(({ name, code }) => amp.logger.log("refused", name, code));
					} });`,
			},
			{ providers: { ui: ui.provider } },
		);
		const given = rejection(host.tools.call("both", {}, { ...alone, timeoutMs: 300 }));
		const [first] = await ui.opened(1);
		first?.answer("a");
		expect(isBroodError(await given, "timeout")).toBe(true);
		expect((await logged("one", "refused")).message).toBe("refused TimeoutError timeout");
		expect(await ui.opened(1)).toHaveLength(1);
	});

	test("in an event whose emitter gives up is closed, and the handler is told", async () => {
		const ui = heldUI();
		const running = await bench.start({ one: plugin }, { providers: { ui: ui.provider } });
		const caller = new AbortController();
		const given = rejection(running.host.emit("agent.start", {}, { signal: caller.signal }));
		const [dialog] = await ui.opened(1);
		caller.abort();
		await given;
		expect((await running.logged("one", "dialog")).message).toBe("dialog AbortError cancelled");
		expect(dialog?.signal.aborted).toBe(true);
	});
});
