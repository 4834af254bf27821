import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { isBroodError } from "../../../runtime/errors.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench, type Running } from "../support/host.ts";

const bench = createBench();

const plugin = `export default (amp) => {
	const added = [];
	const schema = { type: "object" };
	const add = (name) => added.push(amp.registerTool({ name, description: "", inputSchema: schema, execute: () => name }));
	const command = (id, run) => amp.registerCommand(id, { title: id }, run);
	add("first");
	const toggle = command("toggle", () => toggle.setAvailability({ type: "disabled", reason: "once is enough" }));
	command("grow", () => { for (let n = 0; n < 50; n++) add("tool" + n); });
	command("shrink", () => { for (const subscription of added.splice(1)) subscription.unsubscribe(); });
	command("both", () => { add("late"); command("later", () => {}); });
	command("nothing", () => {});
	command("crash", () => process.exit(7));
	amp.registerTool({ name: "hang", description: "", inputSchema: schema, execute: () => new Promise(() => console.error("hanging")) });
	amp.onDispose(() => console.error("disposing"));
};`;

/** What goes over the wire while something is done. */
async function during({ wire }: Running, plugin: string, task: () => Promise<unknown>): Promise<string[]> {
	const before = wire(plugin).length;
	await task();
	return wire(plugin).slice(before);
}

const changes = (running: Running) => running.next("registry", () => true);

describe("a registration after ready", () => {
	test("many in one turn give one notification and one list of that kind", async () => {
		const running = await bench.start({ grows: plugin });
		const { host } = running;
		const lines = await during(running, "grows", async () => {
			const changed = changes(running);
			await host.commands.run("grow");
			const { change } = await changed;
			expect(change.added).toHaveLength(50);
		});
		expect(lines).toEqual([
			"-> command.execute",
			"<- tools.changed",
			"-> tool.list",
			"<- command.execute ok",
			"<- tool.list ok",
		]);
		expect((await host.tools.call("tool49", {}, { events: false })).text).toBe("tool49");
	});

	test("two kinds in one turn are one notification and one list each", async () => {
		const running = await bench.start({ grows: plugin });
		const lines = await during(running, "grows", async () => {
			await running.host.commands.run("both");
			await running.until("registry", ({ change }) => change.added.some(({ key }) => key === "late"));
		});
		expect(lines.slice(0, 3)).toEqual(["-> command.execute", "<- commands.changed", "-> command.list"]);
		expect(lines.slice(3).sort()).toEqual([
			"-> tool.list",
			"<- command.execute ok",
			"<- command.list ok",
			"<- tool.list ok",
			"<- tools.changed",
		]);
	});

	test("what is unsubscribed goes the same way, and a call of it fails clearly", async () => {
		const running = await bench.start({ grows: plugin });
		const { host } = running;
		let changed = changes(running);
		await host.commands.run("grow");
		await changed;
		changed = changes(running);
		const lines = await during(running, "grows", async () => {
			await host.commands.run("shrink");
			expect((await changed).change.removed).toHaveLength(50);
		});
		expect(lines.slice(1)).toEqual(["<- tools.changed", "-> tool.list", "<- command.execute ok", "<- tool.list ok"]);
		expect(isBroodError(await rejection(host.tools.call("tool3", {})), "tool_not_found")).toBe(true);
	});

	test("a change of availability is one, and the command then refuses with the reason", async () => {
		const running = await bench.start({ grows: plugin });
		const changed = changes(running);
		await running.host.commands.run("toggle");
		expect((await changed).change.changed).toMatchObject([
			{ key: "grows:toggle", item: { availability: { type: "disabled" } } },
		]);
		const error = await rejection(running.host.commands.run("toggle"));
		expect(error).toMatchObject({ code: "command_disabled", message: expect.stringContaining("once is enough") });
	});

	test("a call that registers nothing brings nothing but its answer", async () => {
		const running = await bench.start({ grows: plugin });
		const lines = await during(running, "grows", () => running.host.commands.run("nothing"));
		expect(lines).toEqual(["-> command.execute", "<- command.execute ok"]);
	});
});

describe("a crash", () => {
	const limits = { restart: { delaysMs: [300] } };

	test("withdraws at once, fails pending calls with exit facts before the next launch, and nothing more is sent", async () => {
		const running = await bench.start({ dies: plugin }, { limits });
		const { host, events } = running;
		const hanging = rejection(host.tools.call("hang", {}, { events: false }));
		await running.logged("dies", "hanging");
		const order: string[] = [];
		const lines = await during(running, "dies", async () => {
			const relaunched = running
				.next("state", ({ state }) => state === "starting")
				.then(() => order.push("relaunched"));
			const withdrawn = running
				.next("registry", ({ change }) => change.removed.length > 0)
				.then(() => order.push("withdrawn"));
			const failed = Promise.all([hanging, rejection(host.commands.run("crash"))]).then((errors) => {
				order.push("failed");
				return errors;
			});
			for (const error of await failed) {
				expect(error).toMatchObject({ code: "plugin_exited", plugin: "dies", exit: { code: 7, signal: null } });
			}
			expect(host.tools.list()).toEqual([]);
			expect(host.plugins.get("dies")).toMatchObject({ state: "restarting", pid: null, tools: [], commands: [] });
			await Promise.all([withdrawn, relaunched]);
		});
		expect(order.at(-1)).toBe("relaunched");
		const relaunch = lines.indexOf("<- client.info");
		expect(lines.slice(0, relaunch < 0 ? lines.length : relaunch)).toEqual(["-> command.execute"]);
		await running.reaches("dies", "ready");
		const anew = running.wire("dies").slice(running.wire("dies").lastIndexOf("<- client.info"));
		expect(anew).toEqual(running.wire("dies").slice(0, anew.length));
		expect(host.plugins.get("dies").launches).toBe(2);
		expect(events.some((event) => event.type === "log" && event.entry.message === "disposing")).toBe(false);
	});

	test("the plugin serves again after it, with all that it registers anew", async () => {
		const running = await bench.start({ dies: plugin }, { limits: { restart: { delaysMs: [1] } } });
		const before = running.host.tools.list().map(({ key }) => key);
		const ready = running.next("state", ({ state }) => state === "ready");
		await rejection(running.host.commands.run("crash"));
		await ready;
		expect(running.host.tools.list().map(({ key }) => key)).toEqual(before);
		expect((await running.host.tools.call("first", {})).text).toBe("first");
	});
});

describe("a stop", () => {
	test("sends dispose, waits for its answer, and then nothing", async () => {
		const running = await bench.start({ stops: plugin });
		const lines = await during(running, "stops", () => running.host.stop());
		expect(lines).toEqual(["-> dispose", "<- dispose ok"]);
		expect(running.host.plugins.log("stops").map(({ message }) => message)).toContain("disposing");
	});

	test("withdraws before the plugin is asked to dispose", async () => {
		const running = await bench.start({ stops: plugin });
		const { host } = running;
		const stopped = host.stop();
		expect(host.tools.list()).toEqual([]);
		expect(host.plugins.get("stops").state).toBe("stopping");
		await stopped;
		expect(host.plugins.get("stops")).toMatchObject({ state: "stopped", pid: null });
	});

	test("a plugin that has failed gets no dispose", async () => {
		const running = await bench.start({ failed: "export default () => { throw new Error(); };" });
		expect(await during(running, "failed", () => running.host.stop())).toEqual([]);
	});

	test("a plugin that crashed and waits for its next launch gets no dispose", async () => {
		const running = await bench.start({ dies: plugin }, { limits: { restart: { delaysMs: [60_000] } } });
		await rejection(running.host.commands.run("crash"));
		expect(await during(running, "dies", () => running.host.stop())).toEqual([]);
		expect(running.host.plugins.get("dies")).toMatchObject({ state: "stopped", launches: 1 });
	});

	test("a plugin that is not ready yet gets no dispose", async () => {
		const waits = JSON.stringify(bench.path("waits"));
		const running = await bench.start({
			hesitates: `import { existsSync, writeFileSync } from "node:fs";
			export default async (amp) => {
				amp.onDispose(() => writeFileSync(${JSON.stringify(bench.path("disposed"))}, ""));
				if (existsSync(${waits})) await new Promise(() => console.error("waiting"));
			};`,
		});
		await running.host.disable("hesitates");
		await Bun.write(bench.path("waits"), "");
		await Bun.file(bench.path("disposed")).delete();
		const enabled = running.host.enable("hesitates");
		await running.logged("hesitates", "waiting");
		expect(await during(running, "hesitates", () => running.host.disable("hesitates"))).toEqual([]);
		await enabled;
		expect(running.host.plugins.get("hesitates").state).toBe("disabled");
		expect(existsSync(bench.path("disposed"))).toBe(false);
	});
});
