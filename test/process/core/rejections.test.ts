import { describe, expect, test } from "bun:test";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

const command = (body: string) => `export default (amp) => {
	amp.registerCommand("oops", { title: "Oops" }, () => { ${body} });
	amp.registerCommand("live", { title: "Live" }, () => {});
};`;

describe("a rejected call of the API that nobody awaits", () => {
	test.each([
		["ui.notify", `amp.ui.notify("nobody is there");`],
		["ui.input", "amp.ui.input();"],
		["ai.ask", `amp.ai.ask("why?");`],
		["attachments.upload", `amp.attachments.upload({ data: "AAAA", mimeType: "image/png" });`],
		["thread.call", `amp.threads.get("T-1").cancel();`],
		["configuration.update", `amp.configuration.update({ a: 1 }, "nowhere");`],
		["ai.ask", `(async () => { await amp.ai.ask("why?"); })();`],
	])("%s does not end the plugin and is logged with its name: %s", async (method, body) => {
		const { host, logged } = await bench.start({ one: command(body) });
		const { pid } = host.plugins.get("one");
		expect((await host.commands.run("oops")).ok).toBe(true);
		const entry = await logged("one", `amp call ${method} failed and nobody awaited it`);
		expect(entry).toMatchObject({ plugin: "one", level: "warn" });
		expect((await host.commands.run("live")).ok).toBe(true);
		expect(host.plugins.get("one")).toMatchObject({ state: "ready", pid, launches: 1 });
	});

	test("does not fail a load either", async () => {
		const { host, logged } = await bench.start({
			one: `export default (amp) => { amp.ui.notify("nobody is there"); };`,
		});
		await logged("one", "amp call ui.notify failed and nobody awaited it");
		expect(host.plugins.get("one").state).toBe("ready");
	});
});

describe("what nobody catches after ready", () => {
	const crashes = [
		["an unhandled rejection", `Promise.reject(new TypeError("forgot to await"));`, "TypeError", "forgot to await"],
		[
			"an uncaught exception",
			`setTimeout(() => { throw new RangeError("far too far"); });`,
			"RangeError",
			"far too far",
		],
		["a rejection with no Error", `Promise.reject("just text");`, "unhandled rejection", "just text"],
	] as const;

	test.each(crashes)("%s is a crash that is told with name and stack", async (_, body, name, message) => {
		const { host, next } = await bench.start({ one: command(body) }, { limits: { restart: { delaysMs: [60_000] } } });
		const crashed = next("state", ({ state }) => state === "restarting");
		await host.commands.run("oops").catch(() => {});
		const { error } = await crashed;
		expect(error).toMatchObject({ code: "plugin_exited", plugin: "one", exit: { code: 1, signal: null } });
		const { error: shown } = host.plugins.get("one");
		const tail = shown?.exit?.stderrTail ?? "";
		expect(tail).toContain(name);
		expect(tail).toContain(message);
		if (name !== "unhandled rejection") expect(tail).toMatch(/\/plugins\/one\.ts:\d+:\d+/);
		expect(shown?.message).toContain(message);
		expect(host.plugins.log("one").some((entry) => entry.message.includes(message))).toBe(true);
	});

	test("fails the calls under way with the exit, and the plugin comes again", async () => {
		const { host, reaches } = await bench.start(
			{
				one: `export default (amp) => amp.registerTool({ name: "dies", description: "", inputSchema: { type: "object" }, execute: async () => {
					queueMicrotask(() => { throw new Error("in the middle"); });
					await new Promise(() => {});
				} });`,
			},
			{ limits: { restart: { delaysMs: [1] } } },
		);
		const error = await rejection(host.tools.call("dies", {}, { events: false }));
		expect(error).toMatchObject({ code: "plugin_exited", exit: { code: 1 } });
		expect(String(error)).toContain("in the middle");
		await reaches("one", "ready");
		expect(host.tools.list()).toHaveLength(1);
	});

	test("is the plugin's own business where it has handlers for it", async () => {
		const { host, logged } = await bench.start({
			one: `process.on("unhandledRejection", (reason) => console.error("own handler:", reason.message));
			process.on("uncaughtException", (error) => console.error("own handler:", error.message));
			${command(`Promise.reject(new Error("first")); setTimeout(() => { throw new Error("second"); });`)}`,
		});
		await host.commands.run("oops");
		await logged("one", "own handler: first");
		await logged("one", "own handler: second");
		expect((await host.commands.run("live")).ok).toBe(true);
		expect(host.plugins.get("one")).toMatchObject({ state: "ready", launches: 1 });
	});
});

test("a logger takes anything, and one that it cannot show does not throw", async () => {
	const { host, logged } = await bench.start({
		one: `export default (amp) => {
			const cycle = {}; cycle.self = cycle;
			amp.logger.log("text", 1, null, undefined, 10n, Symbol("s"), () => {}, [1], { a: { b: 1 } }, new Map([[1, 2]]), cycle);
			amp.logger.log({ get trap() { throw new Error("trap"); }, [Symbol.for("nodejs.util.inspect.custom")]() { throw new Error("trap"); } });
			amp.logger.log("two\\nlines", "\\u001b[31mred");
			amp.logger.log();
			amp.logger.log("last");
		};`,
	});
	await logged("one", "last");
	const lines = host.plugins.log("one");
	expect(lines).toHaveLength(5);
	expect(lines[0]?.message).toStartWith("text 1 null undefined 10n Symbol(s)");
	expect(lines[2]?.message).toBe("two\\nlines \\u001b[31mred");
	expect(lines.every(({ source, level, plugin }) => source === "plugin" && level === "info" && plugin === "one")).toBe(
		true,
	);
});
