import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isBroodError } from "../../../runtime/errors.ts";
import { forms } from "../launch-support.ts";
import { createBench } from "../support/host.ts";
import { groupEnds, processLives } from "../support/processes.ts";
import { createEndsBench, outlive } from "./support.ts";

const bench = createBench();
const programs = createEndsBench();
const caseFile = (name: string) => join(import.meta.dir, "../../fixtures/cases", name, "plugin.ts");

/** Runs the plugin of a case in every form and ends its host; gives what the plugin has noted. */
async function endInEveryForm(name: string, end: "wait" | "stop", signal?: [NodeJS.Signals, "program" | "group"]) {
	return Promise.all(
		forms.map(async (form) => {
			const env = { CASE_LOG: programs.path(`log-${form}`) };
			const program = programs.start(form, caseFile(name), { end }, { env });
			const { children } = await program.settled();
			if (signal !== undefined) program.signal(...signal);
			const outcome = await program.ended;
			expect(await outlive([program.pid, ...children])).toEqual([]);
			expect(program.output()).not.toContain('"failed"');
			return { ...outcome, notes: programs.notes(`log-${form}`) };
		}),
	);
}

describe("a signal to a host, in every launch form", () => {
	test("054: SIGINT to its whole group, as Ctrl-C sends it, lets a dispose of 300 ms run to its end", async () => {
		const wanted = { code: null, signal: "SIGINT", notes: ['"disposed"'] };
		const ended = await endInEveryForm("054-ctrl-c-to-the-whole-group", "wait", ["SIGINT", "group"]);
		expect(ended).toEqual(forms.map(() => wanted));
	});

	test.each(["SIGTERM", "SIGHUP"] as const)("055: %s does too, also when the group gets it", async (signal) => {
		const wanted = { code: null, signal, notes: ['"disposed"'] };
		const ended = await endInEveryForm("055-sigterm-and-sighup", "wait", [signal, "group"]);
		expect(ended).toEqual(forms.map(() => wanted));
	});

	test("162: after host.stop() nothing keeps the program from ending by itself", async () => {
		const wanted = { code: 0, signal: null, notes: [] };
		expect(await endInEveryForm("162-host-ends-by-itself", "stop")).toEqual(forms.map(() => wanted));
	});
});

describe("a stop", () => {
	test("053: of a plugin that was never ready asks for no dispose and ends it by a signal", async () => {
		const log = bench.path("log");
		const env = { ...(process.env as Record<string, string>), CASE_LOG: log };
		const { host, next, wire } = await bench.start({ plugin: "export default () => {};" }, { env });
		await host.disable("plugin");
		bench.write("plugin", readFileSync(caseFile("053-never-ready-gets-no-dispose"), "utf8"));
		const disposals = () => wire("plugin").filter((line) => line === "-> dispose").length;
		const before = disposals();
		const activated = next("fact", ({ fact }) => fact === "activated");
		const enabled = host.enable("plugin");
		await activated;
		const { pid } = host.plugins.get("plugin");
		await host.disable("plugin");
		await enabled;
		expect(host.plugins.get("plugin")).toMatchObject({ state: "disabled", pid: null });
		expect(await groupEnds(pid ?? Number.NaN)).toBe(true);
		expect(existsSync(log)).toBe(false);
		expect(disposals()).toBe(before);
	});

	test("of a host takes in a plugin that is starting", async () => {
		const hang = "export default () => new Promise(() => {});";
		const { host, next } = await bench.start({ one: "export default () => {};", two: "export default () => {};" });
		await host.disable("one");
		bench.write("one", hang);
		const activated = next("fact", ({ plugin, fact }) => plugin === "one" && fact === "activated");
		const enabled = host.enable("one");
		await activated;
		const pids = host.plugins.list().map(({ pid }) => pid ?? Number.NaN);
		await host.stop();
		await enabled;
		expect(host.plugins.list().map(({ state, pid }) => ({ state, pid }))).toEqual([
			{ state: "stopped", pid: null },
			{ state: "stopped", pid: null },
		]);
		expect(pids.filter(processLives)).toEqual([]);
	});

	test("of five plugins that use all of their time takes that time once", async () => {
		const order = bench.path("order");
		const slow = `import { appendFileSync } from "node:fs";
			const note = (text) => appendFileSync(${JSON.stringify(order)}, text + "\\n");
			process.on("SIGINT", () => note("SIGINT"));
			export default (amp) => amp.onDispose(() => { note("dispose"); return new Promise(() => {}); });`;
		const names = ["one", "two", "three", "four", "five"];
		const { host } = await bench.start(Object.fromEntries(names.map((name) => [name, slow])), {
			limits: { stop: { disposeMs: 300, interruptMs: 300 } },
		});
		await host.stop();
		expect(host.plugins.list().map(({ state }) => state)).toEqual(Array(5).fill("stopped"));
		// Each step begins for all before the next one does for any.
		const steps = readFileSync(order, "utf8").trim().split("\n");
		expect(steps).toEqual([...Array(5).fill("dispose"), ...Array(5).fill("SIGINT")]);
	});

	test("in the same turn as a call answers the call or fails it with its reason, and never leaves it open", async () => {
		const { host } = await bench.start({
			one: `export default (amp) => {
				for (const [name, ms] of [["prompt", 0], ["later", 50]]) amp.registerTool({
					name, description: "", inputSchema: { type: "object" },
					execute: async () => { if (ms > 0) await Bun.sleep(ms); return "answered"; },
				});
			};`,
		});
		for (const tool of ["prompt", "later"]) {
			const call = host.tools.call(tool, {}, { events: false }).then(
				({ text }) => text,
				(error) => (isBroodError(error) ? error.code : String(error)),
			);
			await host.disable("one");
			expect(["answered", "plugin_exited", "plugin_not_ready"]).toContain(await call);
			await host.enable("one");
		}
	});
});
