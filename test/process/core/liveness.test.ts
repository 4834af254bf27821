import { expect, test } from "bun:test";
import { createBench } from "../support/host.ts";

const bench = createBench();
const liveness = { pingEveryMs: 40, silentMs: 80, giveUpMs: 400 };
const options = { limits: { liveness, restart: { delaysMs: [10] } } };

const body = (text: string) => `export default (amp) => { ${text} };`;
const tool = (name: string, execute: string) =>
	`amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, execute: ${execute} });`;

test("a plugin that spins with nothing pending is unresponsive, then killed and started again", async () => {
	const { host, until, next } = await bench.start(
		{ one: body(`${tool("spin", "() => { setTimeout(() => { for (;;); }, 5); }")}`) },
		options,
	);
	await host.tools.call("spin", {});
	await until("state", ({ state }) => state === "unresponsive");
	await next("state", ({ state }) => state === "restarting");
	await next("state", ({ state }) => state === "ready");
	expect(host.plugins.get("one").launches).toBe(2);
	expect(host.plugins.log("one").some(({ message }) => message.includes("did not answer for 400 ms"))).toBe(true);
});

test("a plugin that blocks for a while is unresponsive meanwhile, and ready again after", async () => {
	const { host, until, events } = await bench.start(
		{ one: body(tool("block", "() => { Bun.sleepSync(250); return 1; }")) },
		options,
	);
	const call = host.tools.call("block", {});
	await until("state", ({ state }) => state === "unresponsive");
	expect((await call).text).toBe("1");
	const states = () => events.flatMap((event) => (event.type === "state" ? [event.state] : []));
	await until("state", ({ state }) => state === "ready" && states().includes("unresponsive"));
	expect(host.plugins.get("one").launches).toBe(1);
});

test("a handler that takes long is left alone as long as its loop turns", async () => {
	const { host, events } = await bench.start(
		{ one: body(tool("slow", "() => Bun.sleep(900).then(() => 1)")) },
		options,
	);
	expect((await host.tools.call("slow", {})).text).toBe("1");
	expect(events.filter((event) => event.type === "state" && event.state === "unresponsive")).toEqual([]);
});

test("a child that was stopped by a signal is found and ended", async () => {
	const { host, next } = await bench.start({ one: body("") }, options);
	process.kill(host.plugins.get("one").pid ?? 0, "SIGSTOP");
	await next("state", ({ state }) => state === "unresponsive");
	await next("state", ({ state }) => state === "restarting");
	await next("state", ({ state }) => state === "ready");
});
