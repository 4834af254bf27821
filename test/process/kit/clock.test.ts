import { expect, test } from "bun:test";
import { comesTrue } from "../support/processes.ts";
import { createPlugins, rejection } from "./support.ts";

const plugins = createPlugins();
const start = new Date("2030-01-01T00:00:00Z");
const load = (body: string) => plugins.load(body, { isolation: "graph", clock: start });

test("time stands still for a plugin until the test moves it", async () => {
	await using plugin = await load(
		`const said = [];
		setTimeout((word) => said.push(word + " " + new Date().toISOString()), 60_000, "once");
		const every = setInterval(() => said.push("every " + Date.now() % 1e9 + " " + performance.now()), 25_000);
		const never = setTimeout(() => said.push("never"), 1);
		clearTimeout(never);
		tool("said", () => said.splice(0).join("\\n"));
		tool("stop", () => { clearInterval(every); return ""; });
		tool("now", () => [Date.now(), new Date().getTime(), new Date(5).getTime(), new Date() instanceof Date].join());`,
	);
	const said = async () => (await plugin.tools.call("said", {})).text;
	const at = start.getTime();
	expect((await plugin.tools.call("now", {})).text).toBe(`${at},${at},5,true`);
	await Bun.sleep(5);
	expect(await said()).toBe("");
	await plugin.clock.advance(59_999);
	expect(await said()).toBe(`every ${(at + 25_000) % 1e9} 25000\nevery ${(at + 50_000) % 1e9} 50000`);
	await plugin.clock.advance(1);
	expect(await said()).toBe("once 2030-01-01T00:01:00.000Z");
	await plugin.tools.call("stop", {});
	await plugin.clock.advance(1_000_000);
	expect(await said()).toBe("");
	expect(plugin.clock.now()).toBe(at + 1_060_000);
});

test("what a timer begins has had its turn when the time has moved on, also what it asks of somebody slow", async () => {
	const body = `let asked = "not yet";
		setTimeout(async () => {
			for (const question of ["1", "2"]) asked = (await amp.ai.ask(question)).reason;
		}, 1_000);
		tool("asked", () => asked);`;
	const ask = async ({ question }: { question: string }) => {
		await Bun.sleep(20);
		return { result: "yes" as const, probability: 1, reason: `answer to ${question}` };
	};
	const ai = { ask, generate: async () => "" };
	await using plugin = await plugins.load(body, { isolation: "graph", clock: start, ai });
	await plugin.clock.advance(1_000);
	expect((await plugin.tools.call("asked", {})).text).toBe("answer to 2");
});

test("what nobody answers holds the time up no longer than a moment", async () => {
	const body = `setTimeout(() => amp.ai.ask("?").catch(() => {}), 1_000);`;
	const ai = { ask: () => new Promise<never>(() => {}), generate: async () => "" };
	await using plugin = await plugins.load(body, { isolation: "graph", clock: start, ai });
	await plugin.clock.advance(1_000);
	expect(plugin.clock.now()).toBe(start.getTime() + 1_000);
});

test("a plugin that sleeps is woken by the clock, and a handler may sleep while it is called", async () => {
	await using plugin = await load(
		`tool("sleep", async () => {
			await Bun.sleep(3_600_000);
			await new Promise((resolve) => setTimeout(resolve, 3_600_000).unref());
			return new Date().toISOString();
		});`,
	);
	const call = plugin.tools.call("sleep", {});
	await plugin.clock.advance(3_600_000);
	await plugin.clock.advance(3_600_000);
	expect((await call).text).toBe("2030-01-01T02:00:00.000Z");
});

test("what a timer throws is an uncaught error of the plugin, and its other timers end with it", async () => {
	await using plugin = await load(
		`if (globalThis.kitTimers === undefined) {
			globalThis.kitTimers = "set";
			setTimeout(() => { throw new Error("too late"); }, 10);
			setTimeout(() => globalThis.kitTimers = "run", 20);
		}`,
	);
	await plugin.clock.advance(10);
	const messages = () => plugin.logs.map(({ message }) => message);
	expect(await comesTrue(() => messages().some((message) => message.includes("too late")), 5_000)).toBe(true);
	expect(await comesTrue(() => plugin.host.plugins.get(plugin.name).state === "ready", 5_000)).toBe(true);
	await plugin.clock.advance(10);
	expect(Reflect.get(globalThis, "kitTimers")).toBe("set");
});

test("a plugin without a clock of its own has the real time, and says how to get one", async () => {
	await using plugin = await plugins.load(`tool("now", () => String(Date.now()));`, { isolation: "graph" });
	expect(Math.abs(Number((await plugin.tools.call("now", {})).text) - Date.now())).toBeLessThan(1_000);
	expect(() => plugin.clock).toThrow('{ isolation: "graph", clock: true }');
	await using stopped = await load("");
	expect((await rejection(stopped.clock.advance(-1))).code).toBe("usage");
});

test("the clock of one plugin is no other's, nor the test's", async () => {
	const body = `tool("now", () => String(Date.now()));`;
	await using first = await load(body);
	await using second = await load(body);
	await first.clock.advance(1_000);
	expect((await second.tools.call("now", {})).text).toBe(String(start.getTime()));
	expect(Date.now()).not.toBe(first.clock.now());
});
