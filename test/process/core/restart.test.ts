import { describe, expect, test } from "bun:test";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench, type Running } from "../support/host.ts";

const bench = createBench();

const quick = { limits: { restart: { delaysMs: [1] } } };
const slow = { limits: { restart: { delaysMs: [60_000] } } };

const dies = `export default (amp) => {
	amp.registerCommand("die", { title: "Die" }, () => process.exit(3));
	amp.registerCommand("live", { title: "Live" }, () => {});
};`;

const statesOf = ({ events }: Running, plugin: string) =>
	events.flatMap((event) => (event.type === "state" && event.plugin === plugin ? [event.state] : []));

/** Lets the plugin crash and waits for what becomes of it. */
async function crash(running: Running, state: string): Promise<void> {
	const reached = running.next("state", (event) => event.state === state);
	expect(await rejection(running.host.commands.run("die"))).toMatchObject({ code: "plugin_exited", exit: { code: 3 } });
	await reached;
}

/** Uses the whole budget; the plugin has failed then. */
async function exhaust(running: Running): Promise<void> {
	for (const _ of [1, 2, 3]) await crash(running, "ready");
	await crash(running, "failed");
}

describe("the restart budget", () => {
	test("is three restarts: the fourth crash fails the plugin, with the exit in its error", async () => {
		const running = await bench.start({ dies }, quick);
		await exhaust(running);
		const launch = ["starting", "ready"] as const;
		const again = ["restarting", ...launch] as const;
		expect(statesOf(running, "dies")).toEqual([...launch, ...again, ...again, ...again, "failed"]);
		const { state, pid, launches, error } = running.host.plugins.get("dies");
		expect({ state, pid, launches }).toEqual({ state: "failed", pid: null, launches: 4 });
		expect(error).toMatchObject({ code: "plugin_exited", exit: { code: 3, signal: null } });
		expect(await rejection(running.host.commands.run("live"))).toMatchObject({ code: "plugin_not_ready" });
		expect(running.wire("dies").filter((line) => line === "<- client.info")).toHaveLength(4);
	});

	test("is not given back by health: calls that succeed between crashes change nothing", async () => {
		const running = await bench.start({ dies }, quick);
		for (const launches of [1, 2, 3, 4]) {
			expect((await running.host.commands.run("live")).ok).toBe(true);
			expect(running.host.plugins.get("dies").launches).toBe(launches);
			await crash(running, launches < 4 ? "ready" : "failed");
		}
	});

	test("of one plugin is not spent by another", async () => {
		const running = await bench.start({ dies, good: "export default () => {};" }, quick);
		const { pid } = running.host.plugins.get("good");
		await exhaust(running);
		expect(running.host.plugins.get("good")).toMatchObject({ state: "ready", launches: 1, pid });
	});

	test.each([
		["a reload", (running: Running) => running.host.reload("dies")],
		["an enable", (running: Running) => running.host.enable("dies")],
	])("begins anew with %s after the plugin has failed", async (_, revive) => {
		const running = await bench.start({ dies }, quick);
		await exhaust(running);
		await revive(running);
		expect(running.host.plugins.get("dies")).toMatchObject({ state: "ready", launches: 1 });
		expect(running.host.plugins.get("dies")).not.toHaveProperty("error");
		await exhaust(running);
		expect(running.host.plugins.get("dies").launches).toBe(4);
	});

	test("begins anew with a reload while the plugin runs, and with disable and enable", async () => {
		const running = await bench.start({ dies }, quick);
		await crash(running, "ready");
		expect(running.host.plugins.get("dies").launches).toBe(2);
		await running.host.reload("dies");
		expect(running.host.plugins.get("dies").launches).toBe(1);
		await crash(running, "ready");
		await running.host.disable("dies");
		await running.host.enable("dies");
		expect(running.host.plugins.get("dies").launches).toBe(1);
	});

	test("is not spent by a load that fails: there is no second launch", async () => {
		const running = await bench.start({ bad: "process.exit(1);" }, quick);
		expect(statesOf(running, "bad")).toEqual(["starting", "failed"]);
	});

	test("ends when a restart does not load: no third launch", async () => {
		const flag = JSON.stringify(bench.path("flag"));
		const running = await bench.start(
			{
				fades: `import { existsSync } from "node:fs";
				if (existsSync(${flag})) throw new Error("not again");
				${dies}`,
			},
			quick,
		);
		await Bun.write(bench.path("flag"), "");
		await crash(running, "failed");
		expect(statesOf(running, "fades")).toEqual(["starting", "ready", "restarting", "starting", "failed"]);
		expect(running.host.plugins.get("fades").error).toMatchObject({ code: "load_failed", stage: "import" });
	});
});

describe("while a restart is due", () => {
	test("a disable cancels it: there is one launch only", async () => {
		const running = await bench.start({ dies }, { limits: { restart: { delaysMs: [150] } } });
		await crash(running, "restarting");
		await running.host.disable("dies");
		expect(running.host.plugins.get("dies")).toMatchObject({ state: "disabled", pid: null, launches: 1 });
		// Nothing can be awaited that must not come; twice the wait is enough to see it.
		await Bun.sleep(300);
		expect(running.wire("dies").filter((line) => line === "<- client.info")).toHaveLength(1);
		expect(running.host.plugins.get("dies").state).toBe("disabled");
	});

	test("an enable launches at once, and only once", async () => {
		const running = await bench.start({ dies }, slow);
		await crash(running, "restarting");
		await running.host.enable("dies");
		expect(running.host.plugins.get("dies")).toMatchObject({ state: "ready", launches: 1 });
		expect(running.wire("dies").filter((line) => line === "<- client.info")).toHaveLength(2);
	});

	test("a reload launches at once, and only once", async () => {
		const running = await bench.start({ dies }, slow);
		await crash(running, "restarting");
		await running.host.reload("dies");
		expect(running.host.plugins.get("dies")).toMatchObject({ state: "ready", launches: 1 });
		expect(running.wire("dies").filter((line) => line === "<- client.info")).toHaveLength(2);
	});

	test("a call is told the state and why", async () => {
		const running = await bench.start({ dies }, slow);
		await crash(running, "restarting");
		expect(running.host.plugins.get("dies").error?.message).toContain("it exited with code 3");
		expect(await rejection(running.host.commands.run("live"))).toMatchObject({ code: "plugin_not_ready" });
	});
});

test.each(["SIGSEGV", "SIGABRT", "SIGILL", "SIGKILL"])("a crash by %s names the signal", async (signal) => {
	const running = await bench.start(
		{
			dies: `export default (amp) => amp.registerCommand("die", { title: "Die" }, async () => {
			process.kill(process.pid, "${signal}");
			await new Promise(() => {});
		});`,
		},
		slow,
	);
	const error = await rejection(running.host.commands.run("die"));
	expect(error).toMatchObject({ code: "plugin_exited", exit: { code: null, signal } });
	expect(error).toMatchObject({ message: expect.stringContaining(signal) });
	await running.reaches("dies", "restarting");
});
