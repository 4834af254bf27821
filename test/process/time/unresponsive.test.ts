import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { isBroodError } from "../../../runtime/errors.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench, type Running } from "../support/host.ts";
import { comesTrue } from "../support/processes.ts";

const bench = createBench();
const alone = { events: false };
const liveness = { pingEveryMs: 40, silentMs: 80, giveUpMs: 400 };
/** Never given up within a test. */
const patient = { ...liveness, giveUpMs: 60_000 };

const plugin = () => `import { existsSync, writeFileSync } from "node:fs";
	export default (amp) => {
		const tool = (name, execute) => amp.registerTool({ name, description: "", inputSchema: { type: "object" }, execute });
		tool("block", () => { while (!existsSync(${JSON.stringify(bench.path("go-on"))})) Bun.sleepSync(5); return "went on"; });
		tool("spin", () => { for (;;); });
		tool("quick", () => "answered");
		amp.onDispose(() => writeFileSync(${JSON.stringify(bench.path("disposed"))}, ""));
	};`;

/** A plugin that has been found unresponsive, with a call of `quick` that was made meanwhile. */
async function unresponsive(limits: typeof liveness, by: "block" | "spin") {
	const running = await bench.start({ one: plugin() }, { limits: { liveness: limits, restart: { delaysMs: [10] } } });
	const blocking = settled(running.host.tools.call(by, {}, alone));
	await running.until("state", ({ state }) => state === "unresponsive");
	const meanwhile = settled(running.host.tools.call("quick", {}, alone));
	expect(await comesTrue(() => running.host.plugins.get("one").openCalls === 2, 5_000)).toBe(true);
	return { running, blocking, meanwhile };
}

const settled = (call: Promise<{ text: string }>): Promise<unknown> =>
	call.then(
		({ text }) => text,
		(error: unknown) => error,
	);

const killedExit = { code: "plugin_exited", exit: { code: null, signal: "SIGKILL" } };
const disposeFrames = ({ wire }: Running) => wire("one").filter((line) => line === "-> dispose");

describe("an unresponsive plugin", () => {
	test("is shown as such, keeps what it registered, and answers all calls when it goes on", async () => {
		const { running, blocking, meanwhile } = await unresponsive(patient, "block");
		const { host } = running;
		expect(host.plugins.list()).toMatchObject([{ name: "one", state: "unresponsive", openCalls: 2, launches: 1 }]);
		expect(host.plugins.get("one").pid).toBeNumber();
		expect(host.tools.list().map(({ key }) => key)).toEqual(["block", "spin", "quick"]);
		const ready = running.next("state", ({ state }) => state === "ready");
		await Bun.write(bench.path("go-on"), "");
		expect(await Promise.all([blocking, meanwhile])).toEqual(["went on", "answered"]);
		await ready;
		expect(host.plugins.get("one")).toMatchObject({ openCalls: 0, launches: 1 });
	});

	test("that is given up settles all its calls with how it ended, and runs no dispose", async () => {
		const { running, blocking, meanwhile } = await unresponsive(liveness, "spin");
		expect(await blocking).toMatchObject(killedExit);
		expect(await meanwhile).toMatchObject(killedExit);
		await running.reaches("one", "ready");
		expect((await running.host.tools.call("quick", {}, alone)).text).toBe("answered");
		expect(existsSync(bench.path("disposed"))).toBe(false);
		expect(disposeFrames(running)).toEqual([]);
	});

	test("may be given up by a caller, whose call ends at once", async () => {
		const { running, meanwhile } = await unresponsive(patient, "spin");
		const given = await rejection(running.host.tools.call("quick", {}, { ...alone, timeoutMs: 30 }));
		expect(isBroodError(given, "timeout")).toBe(true);
		await running.host.disable("one");
		expect(isBroodError(await meanwhile, "plugin_exited")).toBe(true);
	});

	test("is stopped without dispose, and its calls end with its process", async () => {
		const { running, blocking, meanwhile } = await unresponsive(patient, "spin");
		await running.host.disable("one");
		expect(running.host.plugins.get("one")).toMatchObject({ state: "disabled", pid: null });
		expect(await Promise.all([blocking, meanwhile])).toMatchObject([
			{ code: "plugin_exited" },
			{ code: "plugin_exited" },
		]);
		expect(disposeFrames(running)).toEqual([]);
	});

	test("is replaced by a reload, the new one serves at once, and the old one gets no dispose it cannot run", async () => {
		const { running, meanwhile } = await unresponsive(patient, "spin");
		const { host } = running;
		const { pid } = host.plugins.get("one");
		await host.reload("one");
		expect(host.plugins.get("one")).toMatchObject({ state: "ready", launches: 1, openCalls: 0 });
		expect(host.plugins.get("one").pid).not.toBe(pid);
		expect((await host.tools.call("quick", {}, alone)).text).toBe("answered");
		await host.stop();
		expect(isBroodError(await meanwhile, "plugin_exited")).toBe(true);
		// One for the new instance.
		expect(disposeFrames(running)).toHaveLength(1);
	});

	test("that is frozen is replaced by a reload too, and killed in the end", async () => {
		const limits = { liveness: patient, stop: { drainMs: 20, interruptMs: 50 } };
		const { host, until } = await bench.start({ one: plugin() }, { limits });
		process.kill(host.plugins.get("one").pid ?? 0, "SIGSTOP");
		const call = settled(host.tools.call("quick", {}, alone));
		await until("state", ({ state }) => state === "unresponsive");
		await host.reload("one");
		expect((await host.tools.call("quick", {}, alone)).text).toBe("answered");
		expect(await call).toMatchObject(killedExit);
	});

	test("that was replaced and goes on is disposed of as any other", async () => {
		const { running, blocking, meanwhile } = await unresponsive(patient, "block");
		await running.host.reload("one");
		await Bun.write(bench.path("go-on"), "");
		expect(await Promise.all([blocking, meanwhile])).toEqual(["went on", "answered"]);
		await running.host.stop();
		expect(disposeFrames(running)).toHaveLength(2);
	});
});
