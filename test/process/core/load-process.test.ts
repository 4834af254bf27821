import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { LaunchOption } from "../../../host/contracts/options.ts";
import { isBroodError } from "../../../runtime/errors.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

const fakeChild: LaunchOption = {
	form: "custom",
	command: [process.execPath, join(import.meta.dir, "../../fixtures/core/fake-child.ts")],
};

/** Loads a plugin beside a good one and tells why it failed, and that the good one works. */
async function loadBesideGood(plugin: string, readyMs = 10_000) {
	const { host, wire } = await bench.start(
		{ [plugin]: "", good: "" },
		{ launch: fakeChild, limits: { load: { readyMs } } },
	);
	expect(host.plugins.get("good")).toMatchObject({ state: "ready", tools: [{ name: "echo" }] });
	expect((await host.tools.call("echo", {})).text).toBe("echo");
	const { error, ...snapshot } = host.plugins.get(plugin);
	if (!isBroodError(error)) throw new Error(`${plugin} has no error: ${error}`);
	return { ...snapshot, error, host, wire: wire(plugin) };
}

describe("a process that does not become a plugin", () => {
	test("a command that does not exist fails in stage spawn and is named", async () => {
		const launch: LaunchOption = { form: "custom", command: ["/nowhere/brood-child"] };
		const { host } = await bench.start({ lost: "" }, { launch });
		const { state, pid, error, launches, facts } = host.plugins.get("lost");
		expect({ state, pid, launches }).toEqual({ state: "failed", pid: null, launches: 1 });
		expect(error).toMatchObject({ code: "launch_failed", stage: "spawn", plugin: "lost" });
		expect(error?.message).toContain("/nowhere/brood-child");
		expect(facts).toMatchObject({ found: 0, spawned: null });
	});

	test("an exit before client.info tells code, stage and the end of what it printed", async () => {
		const { state, error, launches } = await loadBesideGood("leaves");
		expect({ state, launches }).toEqual({ state: "failed", launches: 1 });
		expect(error).toMatchObject({ code: "exited_before_ready", stage: "client.info" });
		expect(error.exit).toEqual({ code: 3, signal: null, stderrTail: "no, thank you\n" });
		expect(error.message).toContain("no, thank you");
	});

	test("one that never says anything fails at the deadline in stage client.info", async () => {
		const { state, error } = await loadBesideGood("silent", 1_500);
		expect(state).toBe("failed");
		expect(error).toMatchObject({ code: "ready_timeout", stage: "client.info" });
		expect(error.message).toContain("1500 ms");
	});

	test("another major version of the protocol is incompatible, and both versions are named", async () => {
		const { state, pid, error, wire } = await loadBesideGood("newer");
		expect({ state, pid }).toEqual({ state: "incompatible", pid: null });
		expect(error).toMatchObject({ code: "incompatible_protocol", stage: "client.info" });
		expect(error.message).toContain("2.3.4");
		expect(error.message).toContain("1.0.0");
		expect(wire).toEqual(["<- client.info", "-> client.info failed"]);
	});

	test("runtime.ready before client.info is refused, and nothing of it is fetched", async () => {
		const { state, error, wire } = await loadBesideGood("ready-first");
		expect(state).toBe("failed");
		expect(error).toMatchObject({ code: "load_failed", stage: "client.info" });
		expect(error.message).toContain("runtime.ready before client.info");
		expect(wire).toEqual(["<- runtime.ready"]);
	});

	test("one that is ready and does not list fails in stage fetch and publishes nothing", async () => {
		const { state, error, tools, facts, host } = await loadBesideGood("listless", 1_500);
		expect({ state, tools }).toEqual({ state: "failed", tools: [] });
		expect(error).toMatchObject({ code: "ready_timeout", stage: "fetch", plugin: "listless" });
		expect(error.message).toContain("does not tell what it has registered");
		expect(facts.ready).toBeNumber();
		expect(facts.published).toBeNull();
		expect(host.tools.list().map(({ plugin }) => plugin)).toEqual(["good"]);
	});

	test("one that ends between ready and its lists fails in stage fetch with its exit code", async () => {
		const { state, error } = await loadBesideGood("gone-before-list");
		expect(state).toBe("failed");
		expect(error).toMatchObject({ code: "exited_before_ready", stage: "fetch", exit: { code: 9, signal: null } });
	});

	test("a listed item that is wrong is left out and told of, its siblings stay", async () => {
		const { host } = await bench.start({ "half-list": "" }, { launch: fakeChild });
		expect(host.plugins.get("half-list")).toMatchObject({ state: "ready", tools: [{ name: "echo" }] });
		const told = host.plugins.log("half-list").filter(({ source, level }) => source === "host" && level === "error");
		expect(told.map(({ message }) => message)).toEqual([
			expect.stringContaining("item 0 of tool.list was left out: inputSchema"),
		]);
	});
});

describe("a process that ends while it loads", () => {
	const exits = [
		["exit 0 at import", "process.exit(0);", "import", { code: 0, signal: null }],
		["exit 3 at import", "process.exit(3);", "import", { code: 3, signal: null }],
		["exit 0 in the default export", "export default () => process.exit(0);", "activate", { code: 0, signal: null }],
		[
			"SIGKILL at import",
			"process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});",
			"import",
			{ code: null, signal: "SIGKILL" },
		],
		[
			"SIGABRT in the default export",
			"export default () => { process.abort(); };",
			"activate",
			{ code: null, signal: "SIGABRT" },
		],
	] as const;

	test.each(exits)("%s is a load failure of that stage, launched once", async (_, ending, stage, exit) => {
		const source = `console.error("last words");\n${ending}\n`;
		const { host, events } = await bench.start({ ends: source, good: "export default () => {};" });
		const { state, launches, error } = host.plugins.get("ends");
		expect({ state, launches }).toEqual({ state: "failed", launches: 1 });
		expect(error).toMatchObject({ code: "exited_before_ready", stage, plugin: "ends", exit });
		expect(error?.exit?.stderrTail).toStartWith("last words\n");
		expect(error?.message).toContain(exit.signal ?? `code ${exit.code}`);
		expect(host.plugins.get("good").state).toBe("ready");
		const states = events.flatMap((event) => (event.type === "state" && event.plugin === "ends" ? [event.state] : []));
		expect(states).toEqual(["starting", "failed"]);
	});
});
