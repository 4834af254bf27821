import { expect, test } from "bun:test";
import { isBroodError, noUI } from "../../../host/index.ts";
import { createBench, type Running } from "../support/host.ts";

const bench = createBench();

const tool = (name: string, execute: string) =>
	`amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, execute: ${execute} });`;
const plugin = (body: string) => `export default (amp) => { ${body} };`;
const thrown = (call: Promise<unknown>) => call.then(() => undefined).catch((error: unknown) => error);
const hi = plugin(`${tool("hi", '() => "hi"')} amp.registerCommand("go", { title: "Go" }, () => {});`);

test.each([
	["before the tool", 'amp.on("tool.call", () => Bun.sleep(3_000));'],
	["after it", 'amp.on("tool.result", () => Bun.sleep(3_000));'],
])("the time limit of a call also holds for gates %s, and blames the call", async (_, gate) => {
	const { host } = await bench.start({ hi, gate: plugin(gate) });
	const error = await thrown(host.tools.call("hi", {}, { timeoutMs: 60 }));
	expect(isBroodError(error, "timeout")).toBe(true);
	expect(String(error)).toMatch(/tool "hi" of plugin "hi" did not answer within 60 ms/i);
	expect((await host.tools.call("hi", {}, { timeoutMs: 10_000, events: false })).text).toBe("hi");
});

test("gates, tool and those who see its result share one time limit", async () => {
	const slow = "() => Bun.sleep(150)";
	const gates = plugin(`amp.on("tool.call", ${slow}); amp.on("tool.result", ${slow});`);
	const { host } = await bench.start({
		hi: plugin(tool("hi", `${slow}.then(() => "hi")`.replace("() =>", "async () =>"))),
		gates,
	});
	expect(isBroodError(await thrown(host.tools.call("hi", {}, { timeoutMs: 300 })), "timeout")).toBe(true);
	expect((await host.tools.call("hi", {}, { timeoutMs: 20_000 })).text).toBe("hi");
});

test("a dialog of a gate takes nothing from the time limit of the call", async () => {
	const asking = plugin('amp.on("tool.call", async (_, { ui }) => { await ui.confirm({ title: "Sure?" }); });');
	const confirm = () => Bun.sleep(400).then(() => true);
	const ui = { ...noUI(), available: true, confirm, notify: async () => {} };
	const { host } = await bench.start({ hi, asking }, { providers: { ui } });
	expect((await host.tools.call("hi", {}, { timeoutMs: 300 })).text).toBe("hi");
});

test("what is no time limit is refused", async () => {
	const { host } = await bench.start({ hi });
	for (const timeoutMs of [0, -1, Number.NaN, "5" as never]) {
		const calls = [
			host.tools.call("hi", {}, { timeoutMs }),
			host.commands.run("go", { timeoutMs }),
			host.emit("session.start", {}, { timeoutMs }),
		];
		const errors = await Promise.all(calls.map(thrown));
		for (const error of errors) expect(String(error)).toContain("timeoutMs is a number of milliseconds above 0");
	}
});

test("a call that a stop ends says that the host stopped its plugin", async () => {
	const started = tool("hang", '() => { amp.logger.log("begun"); return new Promise(() => {}); }');
	const endsBy = async (end: (running: Running) => Promise<unknown>) => {
		const running = await bench.start({ one: plugin(started) });
		const call = thrown(running.host.tools.call("hang", {}));
		await running.logged("one", "begun");
		await end(running);
		return call;
	};
	for (const error of [await endsBy(({ host }) => host.stop()), await endsBy(({ host }) => host.disable("one"))]) {
		expect(isBroodError(error, "plugin_exited") && error.exit?.endedFor).toBe("the host stopped it");
		expect(String(error)).toContain("since the host stopped it");
	}
});

test("a call of a plugin that was killed for its silence says so, and so does the plugin's error", async () => {
	const liveness = { pingEveryMs: 20, silentMs: 40, giveUpMs: 200 };
	const { host, until } = await bench.start(
		{ one: plugin(tool("spin", "() => { for (;;); }")) },
		{ limits: { liveness, restart: { retriesMax: 0 } } },
	);
	const error = await thrown(host.tools.call("spin", {}));
	expect(String(error)).toContain("since it did not answer for 200 ms");
	await until("state", ({ state }) => state === "failed");
	expect(host.plugins.get("one").error?.message).toContain("since it did not answer for 200 ms");
});

test("a call of a tool whose plugin is away says which plugin, and whether it comes back", async () => {
	const one = plugin(tool("die", "() => process.exit(3)"));
	const { host, reaches } = await bench.start({ one }, { limits: { restart: { delaysMs: [60_000], retriesMax: 1 } } });
	await thrown(host.tools.call("die", {}));
	await reaches("one", "restarting");
	const away = await thrown(host.tools.call("die", {}));
	expect(isBroodError(away, "plugin_not_ready") && away.plugin).toBe("one");
	expect(String(away)).toContain('it has tool "die" and is restarting. It comes back by itself');
	await host.disable("one");
	expect(String(await thrown(host.tools.call("die", {})))).toContain("is disabled. Enable it first.");
	await host.enable("one");
	expect(String(await thrown(host.tools.call("dye", {})))).toContain("There is no tool");
});

test("the clock of a call ends with the call, and keeps no program from ending", async () => {
	const program = `
		const { createHost } = await import(${JSON.stringify(new URL("../../../host/index.ts", import.meta.url).pathname)});
		const host = await createHost({ plugins: [process.argv[2]], places: false });
		await host.commands.run("go", { timeoutMs: 3_600_000 });
		await host.emit("session.start");
		await host.stop();
	`;
	const file = bench.write("program", program);
	const child = Bun.spawn([process.execPath, file, bench.write("hi", hi)], { stdio: ["ignore", "ignore", "inherit"] });
	expect(await child.exited).toBe(0);
});
