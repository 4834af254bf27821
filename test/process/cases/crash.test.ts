import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench } from "../support/host.ts";
import { openCase, processesOf, statesOf } from "./support.ts";

const bench = createBench();
const alone = { events: false };
const quick = { limits: { restart: { delaysMs: [1] } } };

/** Nothing can be awaited that must not come; many times the wait for a restart is enough to see it. */
const aLongWait = () => Bun.sleep(150);

describe("a load that ends", () => {
	test("040-exit-before-ready-no-retry: one launch, and the error has code and stderr", async () => {
		const running = await openCase(bench, "040-exit-before-ready-no-retry", quick);
		await aLongWait();
		expect(running.written()).toEqual(["launch"]);
		expect(statesOf(running, "plugin")).toEqual(["starting", "failed"]);
		const { state, launches, error } = running.host.plugins.get("plugin");
		expect({ state, launches }).toEqual({ state: "failed", launches: 1 });
		expect(error).toMatchObject({ code: "exited_before_ready", plugin: "plugin", exit: { code: 3, signal: null } });
		expect(error?.exit?.stderrTail).toBe("config key FOO is missing\n");
		expect(error?.message).toContain("config key FOO is missing");
	});

	test("041-exit-zero-before-ready: exit 0 is a failure too, told within a second of the exit", async () => {
		const begin = performance.now();
		const running = await openCase(bench, "041-exit-zero-before-ready", quick);
		expect(performance.now() - begin).toBeLessThan(2_000);
		await aLongWait();
		expect(statesOf(running, "plugin")).toEqual(["starting", "failed"]);
		expect(running.host.plugins.get("plugin")).toMatchObject({
			state: "failed",
			launches: 1,
			error: { code: "exited_before_ready", stage: "import", exit: { code: 0, signal: null } },
		});
	});

	test("045-one-bad-among-good: the good ones work, the bad one is told with its place, and nobody waits for it", async () => {
		const { host, events } = await openCase(bench, "045-one-bad-among-good");
		expect((await host.tools.call("one", {})).text).toBe("one");
		expect((await host.tools.call("three", {})).text).toBe("three");
		const { state, error } = host.plugins.get("2-bad");
		expect(state).toBe("failed");
		expect(error).toMatchObject({ code: "load_failed", stage: "import", plugin: "2-bad" });
		expect(error?.message).toContain("bad at import");
		expect(`${error?.message}\n${error?.frame}`).toMatch(/2-bad\.ts:1:\d+/);
		expect(host.plugins.list().map(({ name }) => name)).toEqual(["1-good", "2-bad", "3-good"]);
		const launched = events.flatMap((event) => (event.type === "state" && event.state === "starting" ? [event] : []));
		expect(launched.map(({ plugin }) => plugin)).toEqual(["1-good", "2-bad", "3-good"]);
	});
});

describe("a crash after ready", () => {
	test("043-unhandled-rejection: it is told with plugin, text and a line of the plugin's file, then the plugin starts again", async () => {
		const running = await openCase(bench, "043-unhandled-rejection", quick);
		const { host } = running;
		const crashed = running.next("state", ({ state }) => state === "restarting");
		const again = running.next("state", ({ state }) => state === "ready");
		await host.commands.run("oops").catch(() => {});
		const { error } = await crashed;
		expect(error).toMatchObject({ code: "plugin_exited", plugin: "plugin", exit: { code: 1, signal: null } });
		expect(error?.message).toContain('"plugin"');
		expect(error?.message).toContain("forgot to await");
		expect((error as { exit?: { stderrTail: string } }).exit?.stderrTail).toMatch(/plugin\.ts:\d+:\d+/);
		await again;
		expect(host.plugins.get("plugin")).toMatchObject({ state: "ready", launches: 2 });
		expect(host.plugins.log("plugin").some(({ message }) => message.includes("forgot to await"))).toBe(true);
	});

	test("044-throws-that-are-not-errors: eight readable errors, and the process goes on", async () => {
		const { host } = await openCase(bench, "044-throws-that-are-not-errors");
		const { pid, tools } = host.plugins.get("plugin");
		const texts: Record<string, string> = {
			throw_nul: "null",
			throw_undef: "undefined",
			throw_str: "plain text",
			throw_num: "0",
			throw_obj: "looks like one",
			throw_evil: "",
			throw_agg: "many",
			throw_cause: "outer",
		};
		expect(tools.map(({ name }) => name)).toEqual(Object.keys(texts));
		for (const [tool, part] of Object.entries(texts)) {
			const { ok, text, error } = await host.tools.call(tool, {}, alone);
			expect({ tool, ok }).toEqual({ tool, ok: false });
			expect(text.trim()).not.toBe("");
			expect(text).toContain(part);
			expect(error).toBeInstanceOf(Error);
			expect(error?.message.trim()).not.toBe("");
		}
		expect(host.plugins.get("plugin")).toMatchObject({ state: "ready", launches: 1, pid });
	});

	test("046-disable-during-backoff: the restart that is due is cancelled, and no process is left", async () => {
		const running = await openCase(bench, "046-disable-during-backoff", { limits: { restart: { delaysMs: [150] } } });
		await running.reaches("plugin", "restarting");
		await running.host.disable("plugin");
		await Bun.sleep(300);
		expect(running.written()).toHaveLength(1);
		expect(processesOf(running, "plugin")).toHaveLength(1);
		expect(running.host.plugins.get("plugin")).toMatchObject({ state: "disabled", pid: null, launches: 1 });
	});

	test("in a call with a side effect fails that call, which is not made again after the restart", async () => {
		const effect = JSON.stringify(bench.path("effect"));
		const running = await bench.start(
			{
				one: `import { appendFileSync } from "node:fs";
				export default (amp) => amp.registerTool({ name: "pay", description: "", inputSchema: { type: "object" },
					execute: async ({ last }) => { appendFileSync(${effect}, "paid\\n"); if (!last) process.exit(9); return "paid"; } });`,
			},
			quick,
		);
		const again = running.next("state", ({ state }) => state === "ready");
		const error = await rejection(running.host.tools.call("pay", {}));
		expect(error).toMatchObject({ code: "plugin_exited", plugin: "one", exit: { code: 9, signal: null } });
		await again;
		// Had the call been sent again, it would stand before this one.
		expect((await running.host.tools.call("pay", { last: true })).text).toBe("paid");
		expect(readFileSync(bench.path("effect"), "utf8")).toBe("paid\npaid\n");
		expect(running.wire("one").filter((line) => line === "-> tool.execute")).toHaveLength(2);
		expect(running.host.plugins.get("one").launches).toBe(2);
	});
});

describe("the count of restarts", () => {
	const dies = `export default (amp) => amp.registerCommand("die", { title: "Die" }, async () => {
		await Bun.sleep(30); process.exit(3);
	});`;

	test("begins anew once a plugin has served for as long as the host asks for: it may crash for ever", async () => {
		const running = await bench.start({ dies }, { limits: { restart: { delaysMs: [1], stableAfterMs: 20 } } });
		for (let crash = 1; crash <= 6; crash += 1) {
			const again = running.next("state", ({ state }) => state === "ready");
			await rejection(running.host.commands.run("die"));
			await again;
			expect(running.host.plugins.get("dies")).toMatchObject({ state: "ready", launches: 2 });
		}
	});

	test("is spent where the plugin crashes sooner than that, and without such a length in any case", async () => {
		const restart = { delaysMs: [1], retriesMax: 2 };
		const hosts = [{ ...restart, stableAfterMs: 60_000 }, restart].map(async (policy) => {
			const running = await bench.start({ dies }, { limits: { restart: policy } });
			for (const state of ["ready", "ready", "failed"]) {
				const reached = running.next("state", (event) => event.state === state);
				await rejection(running.host.commands.run("die"));
				await reached;
			}
			return running.host.plugins.get("dies");
		});
		for (const plugin of await Promise.all(hosts)) expect(plugin).toMatchObject({ state: "failed", launches: 3 });
	});
});

test("a plugin that is slower than the time to be ready is told so each time, and its files are never touched", async () => {
	const readyMs = 250;
	const source = `export default async () => { console.error("thinking"); await Bun.sleep(${2 * readyMs}); };\n`;
	const running = await bench.start({ late: source }, { ...quick, limits: { load: { readyMs } } });
	const { host } = running;
	const { path } = host.plugins.get("late");
	for (const start of [1, 2, 3]) {
		expect(host.plugins.get("late")).toMatchObject({ state: "failed", pid: null, launches: 1 });
		const { error } = host.plugins.get("late");
		expect(error).toMatchObject({ code: "ready_timeout", stage: "activate", plugin: "late" });
		expect(error?.message).toContain(`${readyMs} ms`);
		expect(processesOf(running, "late")).toHaveLength(start);
		expect(readFileSync(path, "utf8")).toBe(source);
		expect(readdirSync(dirname(path))).toEqual(["late.ts"]);
		if (start < 3) expect(await rejection(host.reload("late"))).toMatchObject({ code: "ready_timeout" });
	}
	bench.write("late", "export default () => {};");
	await host.reload("late");
	expect(host.plugins.get("late")).toMatchObject({ state: "ready", launches: 1 });
});

test("a plugin that ignores signals and is reloaded three times is never published twice, and none is left", async () => {
	const stubborn = `process.on("SIGINT", () => {}); process.on("SIGTERM", () => {}); process.on("SIGHUP", () => {});
		setInterval(() => {}, 1_000);
		export default (amp) => {
			amp.onDispose(() => new Promise(() => {}));
			amp.registerTool({ name: "who", description: "", inputSchema: { type: "object" }, execute: () => String(process.pid) });
		};`;
	const running = await bench.start({ stubborn }, { limits: { stop: { disposeMs: 100, interruptMs: 100 } } });
	const { host } = running;
	const who = async () => Number((await host.tools.call("who", {}, alone)).text);
	const served = [await who()];
	let most = 0;
	host.onChange(() => {
		most = Math.max(most, host.tools.list().length);
	});
	for (const _ of [1, 2, 3]) {
		await host.reload("stubborn");
		served.push(await who());
		expect(host.tools.list()).toHaveLength(1);
		expect(host.plugins.get("stubborn").pid).toBe(served.at(-1) ?? null);
	}
	expect(most).toBeLessThanOrEqual(1);
	expect(processesOf(running, "stubborn")).toEqual(served);
	expect(new Set(served).size).toBe(4);
	await host.stop();
	const told = host.plugins.log("stubborn").filter(({ message }) => message.includes("after SIGINT and was killed"));
	expect(told).toHaveLength(4);
});

describe("wishes of one tick", () => {
	const source = `export default (amp) => {
		amp.registerTool({ name: "who", description: "", inputSchema: { type: "object" }, execute: () => String(process.pid) });
	};`;

	const orders = [
		["enable, disable, enable", ["enable", "disable", "enable"], "ready"],
		["disable, enable, disable", ["disable", "enable", "disable"], "disabled"],
		["reload, disable, enable", ["reload", "disable", "enable"], "ready"],
		["disable, reload", ["disable", "reload"], "ready"],
		["enable, reload, reload, disable", ["enable", "reload", "reload", "disable"], "disabled"],
		["disable, disable, reload, enable", ["disable", "disable", "reload", "enable"], "ready"],
		["reload, enable, stop", ["reload", "enable", "stop"], "stopped"],
		["disable, enable, stop, stop", ["disable", "enable", "stop", "stop"], "stopped"],
	] as const;

	test("end in the state of the last one, in every order, with the processes that belong to it", async () => {
		const ends = orders.map(async ([name, wishes, state]) => {
			const running = await bench.start({ one: source });
			const { host } = running;
			const outcomes = await Promise.allSettled(
				wishes.map((wish) => (wish === "stop" ? host.stop() : host[wish]("one"))),
			);
			const codes = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.code] : []));
			const { pid, ...plugin } = host.plugins.get("one");
			const served = state === "ready" ? Number((await host.tools.call("who", {}, alone)).text) : null;
			return { name, expected: state, codes, state: plugin.state, pid, served, error: plugin.error };
		});
		for (const { name, expected, state, codes, pid, served, error } of await Promise.all(ends)) {
			expect({ name, state, pid, error }).toEqual({ name, state: expected, pid: served, error: undefined });
			// A reload that a later wish overtook says so; nothing else may fail.
			expect(codes.every((code) => code === "plugin_not_ready" || code === "cancelled")).toBe(true);
		}
	});

	test("survive a crash in the middle of a stop, and a stop that comes twice", async () => {
		const running = await bench.start({
			one: `export default (amp) => { amp.onDispose(() => process.kill(process.pid, "SIGKILL")); };`,
		});
		const stops = [running.host.disable("one"), running.host.disable("one"), running.host.stop(), running.host.stop()];
		await Promise.all(stops);
		expect(running.host.plugins.get("one")).toMatchObject({ state: "stopped", pid: null });
		expect(running.host.plugins.get("one")).not.toHaveProperty("error");
		expect(processesOf(running, "one")).toHaveLength(1);
	});

	test("of a start that has not finished loading are no error", async () => {
		const running = await bench.start({ one: "await Bun.sleep(50); export default () => {};" });
		const { host } = running;
		await host.disable("one");
		const enabled = host.enable("one");
		await running.next("fact", ({ fact }) => fact === "clientInfo");
		await Promise.all([host.disable("one"), enabled]);
		expect(host.plugins.get("one")).toMatchObject({ state: "disabled", pid: null });
		await host.enable("one");
		expect(host.plugins.get("one")).toMatchObject({ state: "ready", launches: 1 });
	});
});
