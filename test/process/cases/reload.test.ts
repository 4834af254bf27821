import { describe, expect, test } from "bun:test";
import { createBench } from "../support/host.ts";
import { comesTrue, groupEnds } from "../support/processes.ts";
import { openCase, processesOf } from "./support.ts";

const bench = createBench();
const alone = { events: false };

test("072-ten-reloads-one-instance: only the last process is left, and an event is seen once", async () => {
	const running = await openCase(bench, "072-ten-reloads-one-instance");
	const { host, written, forget } = running;
	for (let count = 0; count < 10; count += 1) await host.reload("plugin");
	const all = processesOf(running, "plugin");
	expect(new Set(all).size).toBe(11);
	const ended = await Promise.all(all.slice(0, -1).map((pid) => groupEnds(pid)));
	expect(ended).toEqual(Array(10).fill(true));
	forget();
	expect((await host.emit("agent.start", {})).handlers).toHaveLength(1);
	// Two turns of its timer: whatever else lives would have written too.
	const { pid } = host.plugins.get("plugin");
	expect(await comesTrue(() => written().filter((line) => line === pid).length >= 2, 5_000)).toBe(true);
	const lines = written();
	expect(lines.filter((line) => line === "agent.start")).toHaveLength(1);
	expect(new Set(lines.filter((line) => line !== "agent.start"))).toEqual(new Set([pid]));
});

test("073-reload-during-a-call: the call under way ends on the old process, the next one runs on the new", async () => {
	const running = await openCase(bench, "073-reload-during-a-call");
	const { host, wire } = running;
	const old = host.plugins.get("plugin").pid;
	const first = host.tools.call("slow", {}, alone);
	expect(await comesTrue(() => wire("plugin").includes("-> tool.execute"), 1_000)).toBe(true);
	await host.reload("plugin");
	const { pid } = host.plugins.get("plugin");
	expect(pid).not.toBe(old);
	const second = host.tools.call("slow", {}, alone);
	expect(await first).toMatchObject({ ok: true, text: `from ${old}` });
	expect(await second).toMatchObject({ ok: true, text: `from ${pid}` });
});

describe("after a reload", () => {
	const told = (path: string) => `import { createRequire } from "node:module";
		import { a } from "./dep.js"; import { b } from "./dep.mjs"; import c from "./dep.cjs"; import d from "./dep.json";
		import { e } from "./dep.ts";
		import { f } from "lib";
		const required = createRequire(${JSON.stringify(path)});
		export default (amp) => amp.registerTool({ name: "all", description: "", inputSchema: { type: "object" },
			execute: async () => [a, b, c.c, d.d, e, f, required("./dep.cjs").c, (await import("./lazy.js")).g].join(" ") });`;

	function write(version: string): void {
		bench.write("one/dep.js", `export const a = "${version}";`);
		bench.write("one/dep.mjs", `export const b = "${version}";`);
		bench.write("one/dep.cjs", `module.exports = { c: "${version}" };`);
		bench.write("one/dep.json", `{ "d": "${version}" }`);
		bench.write("one/dep.ts", `export const e: string = "${version}";`);
		bench.write("one/lazy.js", `export const g = "${version}";`);
		bench.write("one/node_modules/lib/index.js", `module.exports = { f: "${version}" };`);
	}

	test("every file that the plugin imports is fresh, whatever its kind, not the entry alone", async () => {
		write("v1");
		bench.write("one/node_modules/lib/package.json", '{ "name": "lib", "main": "index.js" }');
		const entry = bench.write("one/index.ts", "");
		bench.write("one/index.ts", told(entry));
		const { host } = await bench.start({});
		const all = async () => (await host.tools.call("all", {}, alone)).text;
		expect(await all()).toBe(Array(8).fill("v1").join(" "));
		for (const version of ["v2", "v3"]) {
			write(version);
			await host.reload("one");
			expect(await all()).toBe(Array(8).fill(version).join(" "));
		}
	});

	test("what a dependency registers globally is registered for the first time, each time", async () => {
		bench.write(
			"one/global.ts",
			`import { EventEmitter } from "node:events";
			const key = Symbol.for("shared.registry");
			if (key in globalThis) throw new Error("already registered");
			globalThis[key] = true;
			if (process.listenerCount("SIGUSR2") > 0) throw new Error("already listening");
			process.on("SIGUSR2", () => {});
			if (EventEmitter.defaultMaxListeners !== 10) throw new Error("already changed");
			EventEmitter.defaultMaxListeners = 20;
			export const loaded = true;`,
		);
		bench.write(
			"one/index.ts",
			'import { loaded } from "./global.ts"; export default () => { console.error(loaded); };',
		);
		const running = await bench.start({});
		for (const _ of [1, 2]) await running.host.reload("one");
		expect(running.host.plugins.get("one")).toMatchObject({ state: "ready", launches: 1 });
		expect(running.host.plugins.get("one")).not.toHaveProperty("error");
		expect(processesOf(running, "one")).toHaveLength(3);
	});

	test("what the plugin no longer registers is gone, of every kind, and its hooks do not fire", async () => {
		const skill = "---\nname: help\ndescription: Helps.\n---\n";
		bench.write("one/skills/help/SKILL.md", skill);
		const body = `amp.registerTool({ name: "t", description: "", inputSchema: { type: "object" }, execute: () => "t" });
			amp.registerCommand("c", { title: "C" }, () => {});
			amp.registerAgentMode({ key: "m", label: "Mode", agent: amp.getBuiltinAgent("low").definition });
			amp.registerLinkPattern({ id: "l", pattern: "X-[0-9]+", href: "https://example.com/{{match}}" });
			amp.createStatusItem({ text: "shown" });
			amp.on("tool.call", () => ({ action: "reject-and-continue", message: "not you" }));
			await amp.registerSkill({ path: "skills/help" });`;
		const keep = `amp.registerTool({ name: "keep", description: "", inputSchema: { type: "object" }, execute: () => "kept" });`;
		bench.write("one/index.ts", `export default async (amp) => { ${keep} ${body} };`);
		const { host } = await bench.start({});
		const kinds = () => {
			const { tools, commands, skills, modes, links, events, statusItems } = host.plugins.get("one");
			return [tools, commands, skills, modes, links, events, statusItems].map((items) => items.length);
		};
		expect(kinds()).toEqual([2, 1, 1, 1, 1, 1, 1]);
		expect(await host.tools.call("keep", {})).toMatchObject({ ok: false, text: "not you" });
		bench.write("one/index.ts", `export default (amp) => { ${keep} };`);
		await host.reload("one");
		expect(kinds()).toEqual([1, 0, 0, 0, 0, 0, 0]);
		expect(host.tools.list().map(({ key }) => key)).toEqual(["keep"]);
		expect([host.commands, host.skills, host.modes, host.links, host.statusItems].map((of) => of.list())).toEqual([
			[],
			[],
			[],
			[],
			[],
		]);
		expect(await host.tools.call("keep", {})).toMatchObject({ ok: true, text: "kept" });
	});
});
