import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { isBroodError } from "../../../runtime/errors.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

const simple = `export default (amp) => {
	amp.registerCommand("live", { title: "Live" }, () => {});
	amp.registerTool({ name: "hang", description: "", inputSchema: { type: "object" }, execute: () => new Promise(() => console.error("hanging")) });
};`;
const launches = (lines: string[]) => lines.filter((line) => line === "<- client.info").length;

describe("wishes that nobody waits for", () => {
	test("a stop during a start ends in the stopped state, without a throw", async () => {
		const { host } = await bench.start({ one: simple });
		await host.disable("one");
		const enabled = host.enable("one");
		const disabled = host.disable("one");
		await Promise.all([enabled, disabled]);
		expect(host.plugins.get("one")).toMatchObject({ state: "disabled", pid: null, commands: [] });
	});

	test("start, stop, start ends ready, with one process", async () => {
		const { host } = await bench.start({ one: simple });
		await host.disable("one");
		await Promise.all([host.enable("one"), host.disable("one"), host.enable("one")]);
		expect(host.plugins.get("one")).toMatchObject({ state: "ready", launches: 1 });
		expect((await host.commands.run("live")).ok).toBe(true);
	});

	test("stop, start of a running plugin ends ready, in a new process", async () => {
		const { host } = await bench.start({ one: simple });
		const { pid } = host.plugins.get("one");
		await Promise.all([host.disable("one"), host.enable("one")]);
		expect(host.plugins.get("one").state).toBe("ready");
		expect(host.plugins.get("one").pid).not.toBe(pid);
	});

	test("stop, start, stop ends stopped", async () => {
		const { host } = await bench.start({ one: simple });
		await Promise.all([host.disable("one"), host.enable("one"), host.disable("one")]);
		expect(host.plugins.get("one")).toMatchObject({ state: "disabled", pid: null });
	});

	test("two starts at once are one launch", async () => {
		const { host, wire } = await bench.start({ one: simple });
		await host.disable("one");
		await Promise.all([host.enable("one"), host.enable("one")]);
		expect(launches(wire("one"))).toBe(2);
		expect(host.plugins.get("one").state).toBe("ready");
	});

	test("a start that ended because of a stop is no failure of the plugin", async () => {
		const { host, events } = await bench.start({ one: simple });
		await host.disable("one");
		await Promise.all([host.enable("one"), host.disable("one")]);
		expect(host.plugins.get("one")).not.toHaveProperty("error");
		expect(events.some((event) => event.type === "state" && event.state === "failed")).toBe(false);
	});

	test("a disable and a crash at the same time end disabled", async () => {
		const { host } = await bench.start({
			one: `export default (amp) => amp.registerCommand("die", { title: "Die" }, () => process.exit(1));`,
		});
		const died = rejection(host.commands.run("die"));
		await host.disable("one");
		expect(isBroodError(await died, "plugin_exited")).toBe(true);
		expect(host.plugins.get("one")).toMatchObject({ state: "disabled", pid: null });
	});

	test("a crash in dispose is the end all the same", async () => {
		const { host } = await bench.start({ one: `export default (amp) => amp.onDispose(() => process.exit(9));` });
		await host.disable("one");
		expect(host.plugins.get("one")).toMatchObject({ state: "disabled", pid: null });
	});
});

describe("a state is the truth when the promise resolves", () => {
	test("disable resolves in the state disabled, and stop in the state stopped", async () => {
		const { host } = await bench.start({ one: simple, two: simple });
		await host.disable("one");
		expect(host.plugins.get("one").state).toBe("disabled");
		await host.stop();
		expect(host.plugins.list().map(({ state }) => state)).toEqual(["stopped", "stopped"]);
	});
});

describe("several stops", () => {
	test("three disables at once, one after a crash, and one of a plugin that failed all resolve", async () => {
		const { host } = await bench.start({
			one: simple,
			dies: `export default (amp) => amp.registerCommand("die", { title: "Die" }, () => process.exit(1));`,
			bad: "export default 1;",
		});
		await Promise.all([host.disable("one"), host.disable("one"), host.disable("one")]);
		await rejection(host.commands.run("die"));
		await host.disable("dies");
		await host.disable("bad");
		await host.disable("one");
		expect(host.plugins.list().map(({ state, pid }) => [state, pid])).toEqual(Array(3).fill(["disabled", null]));
	});

	test("a host that is stopped three times stops once", async () => {
		const { host, wire } = await bench.start({ one: simple });
		await Promise.all([host.stop(), host.stop()]);
		await host.stop();
		expect(wire("one").filter((line) => line === "-> dispose")).toHaveLength(1);
	});

	test("leaving a block with await using stops the host", async () => {
		const running = await bench.start({ one: simple });
		{
			await using host = running.host;
			expect(host.plugins.get("one").state).toBe("ready");
		}
		expect(running.host.plugins.get("one").state).toBe("stopped");
	});
});

describe("a stopped host", () => {
	test("refuses every call with host_stopped, and still tells what was", async () => {
		const { host } = await bench.start({ one: simple });
		await host.stop();
		const calls = [
			host.tools.call("hang", {}),
			host.commands.run("live"),
			host.emit("session.start"),
			host.reload("one"),
			host.enable("one"),
			host.disable("one"),
		];
		for (const call of calls) expect(isBroodError(await rejection(call), "host_stopped")).toBe(true);
		expect(host.plugins.list()).toHaveLength(1);
		expect(host.plugins.log("one")).toBeArray();
	});

	test("fails a call that was under way instead of leaving it open", async () => {
		const { host, logged } = await bench.start({ one: simple });
		const call = rejection(host.tools.call("hang", {}, { events: false }));
		await logged("one", "hanging");
		await host.stop();
		expect(isBroodError(await call, "plugin_exited")).toBe(true);
	});
});

describe("dispose", () => {
	test("callbacks run at once, one that throws is logged and spoils nothing", async () => {
		const file = bench.path("disposed");
		const { host } = await bench.start({
			one: `import { appendFileSync } from "node:fs";
			const note = (text) => appendFileSync(${JSON.stringify(file)}, text);
			export default (amp) => {
				const { promise, resolve } = Promise.withResolvers();
				amp.onDispose(async () => { await promise; note("first "); });
				amp.onDispose(() => { throw new Error("spoilt"); });
				amp.onDispose(() => note("never")).unsubscribe();
				amp.onDispose(() => { note("last "); resolve(); });
			};`,
		});
		await host.stop();
		expect(readFileSync(file, "utf8")).toBe("last first ");
		expect(host.plugins.log("one").map(({ message }) => message)).toContain("a dispose callback failed: spoilt");
	});

	test("that never settles is given up, told of in the log, and the plugin ends", async () => {
		const { host } = await bench.start(
			{ one: "export default (amp) => amp.onDispose(() => new Promise(() => {}));" },
			{ limits: { stop: { disposeMs: 50 } } },
		);
		await host.stop();
		expect(host.plugins.get("one").state).toBe("stopped");
		expect(host.plugins.log("one").map(({ message }) => message)).toContain("it did not answer dispose within 50 ms");
	});

	test("may still call the API", async () => {
		const { host } = await bench.start({
			one: `export default (amp) => amp.onDispose(async () => {
				const settings = await amp.configuration.get();
				amp.logger.log("settings", typeof settings);
			});`,
		});
		await host.stop();
		expect(host.plugins.log("one").map(({ message }) => message)).toContain("settings object");
	});

	test("is followed by SIGKILL where a plugin blocks its loop", async () => {
		const { host, logged } = await bench.start(
			{
				one: `export default (amp) => amp.registerCommand("block", { title: "Block" }, () => {
					console.error("blocking");
					while (true) {}
				});`,
			},
			{ limits: { stop: { disposeMs: 50, interruptMs: 50 } } },
		);
		const blocked = rejection(host.commands.run("block"));
		await logged("one", "blocking");
		await host.stop();
		expect(await blocked).toMatchObject({
			code: "plugin_exited",
			exit: { code: null, signal: expect.stringMatching(/SIGINT|SIGKILL/) },
		});
	});

	test("is followed by SIGINT, and a plugin that handles it itself has its time for that", async () => {
		const file = bench.path("interrupted");
		const { host } = await bench.start({
			one: `import { writeFileSync } from "node:fs";
			process.on("SIGINT", async () => {
				await Bun.sleep(700);
				writeFileSync(${JSON.stringify(file)}, "");
				process.exit(0);
			});
			export default () => {};`,
		});
		await host.stop();
		expect(existsSync(file)).toBe(true);
	});

	test("and SIGINT are followed by SIGKILL where a plugin ignores both, which the log tells", async () => {
		const { host } = await bench.start(
			{ one: 'process.on("SIGINT", () => {});\nexport default () => {};' },
			{ limits: { stop: { interruptMs: 50 } } },
		);
		await host.stop();
		expect(host.plugins.get("one")).toMatchObject({ state: "stopped", pid: null });
		expect(host.plugins.log("one").map(({ message }) => message)).toContain(
			"it did not end within 50 ms after SIGINT and was killed",
		);
	});
});
