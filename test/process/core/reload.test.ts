import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { isBroodError } from "../../../runtime/errors.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench, type Running } from "../support/host.ts";
import { groupEnds } from "../support/processes.ts";

const bench = createBench();

/** A plugin that answers with a version, at once or when a file appears, and tells of its dispose. */
const version = (name: string) => `import { existsSync } from "node:fs";
	export default (amp) => {
		const schema = { type: "object" };
		amp.registerTool({ name: "version", description: "${name}", inputSchema: schema, execute: () => "${name}" });
		amp.registerTool({ name: "only-${name}", description: "", inputSchema: schema, execute: () => "${name}" });
		amp.registerTool({ name: "slow", description: "", inputSchema: schema, async execute() {
			console.error("slow in ${name}");
			while (!existsSync(${JSON.stringify(bench.path("go"))})) await Bun.sleep(5);
			return "${name}";
		} });
		amp.onDispose(() => console.error("dispose of ${name}"));
	};`;

const call = async ({ host }: Running, tool: string) => (await host.tools.call(tool, {}, { events: false })).text;
const processes = ({ frames }: Running, plugin: string) =>
	frames(plugin).flatMap(({ method, message }) =>
		method === "client.info" && "params" in (message as object)
			? [(message as { params: { pid: number } }).params.pid]
			: [],
	);

describe("a reload", () => {
	test("replaces the plugin in one step: a lookup never misses, and old items are gone", async () => {
		const running = await bench.start({ one: version("v1") });
		const { host } = running;
		const before = host.plugins.get("one").pid;
		bench.write("one", version("v2"));
		const changed = running.next("registry", () => true);
		await host.reload("one");
		const { change } = await changed;
		expect(change.added.map(({ key }) => key)).toEqual(["only-v2"]);
		expect(change.removed.map(({ key }) => key)).toEqual(["only-v1"]);
		expect(change.changed.map(({ key }) => key)).toEqual(["version"]);
		expect(await call(running, "version")).toBe("v2");
		expect(host.plugins.get("one").pid).not.toBe(before);
		expect(host.plugins.get("one")).toMatchObject({ state: "ready", launches: 1 });
	});

	test("disposes of the old instance, whose process ends", async () => {
		const running = await bench.start({ one: version("v1") });
		const [old] = processes(running, "one");
		bench.write("one", version("v2"));
		await running.host.reload("one");
		await running.logged("one", "dispose of v1");
		expect(await groupEnds(old ?? Number.NaN)).toBe(true);
		expect(running.host.plugins.log("one").some(({ message }) => message === "dispose of v2")).toBe(false);
	});

	test("lets a call in flight finish on the old instance, while new ones go to the new one", async () => {
		const running = await bench.start({ one: version("v1") });
		const slow = call(running, "slow");
		await running.logged("one", "slow in v1");
		bench.write("one", version("v2"));
		await running.host.reload("one");
		expect(await call(running, "version")).toBe("v2");
		expect(running.host.plugins.log("one").some(({ message }) => message === "dispose of v1")).toBe(false);
		await Bun.write(bench.path("go"), "");
		expect(await slow).toBe("v1");
		await running.logged("one", "dispose of v1");
	});

	test("ends a replaced instance whose calls do not end in time", async () => {
		const running = await bench.start({ one: version("v1") }, { limits: { stop: { drainMs: 50 } } });
		const slow = rejection(running.host.tools.call("slow", {}, { events: false }));
		await running.logged("one", "slow in v1");
		await running.host.reload("one");
		expect(await slow).toMatchObject({ code: "plugin_exited" });
		expect(await call(running, "version")).toBe("v1");
	});

	test("that fails keeps the old instance and rejects with the load error", async () => {
		const running = await bench.start({ one: version("v1") });
		const { pid } = running.host.plugins.get("one");
		bench.write("one", "export default (amp) => {\n\tconst x = ;\n};\n");
		const changes: unknown[] = [];
		running.host.onChange((change) => changes.push(change));
		const error = await rejection(running.host.reload("one"));
		expect(error).toMatchObject({
			code: "load_failed",
			stage: "import",
			plugin: "one",
			frame: expect.stringContaining("> 2 |"),
		});
		expect(running.host.plugins.get("one")).toMatchObject({ state: "ready", pid, error });
		expect(await call(running, "version")).toBe("v1");
		expect(changes).toEqual([]);
		bench.write("one", version("v3"));
		await running.host.reload("one");
		expect(await call(running, "version")).toBe("v3");
		expect(running.host.plugins.get("one")).not.toHaveProperty("error");
	});

	test.each(["process.exit(0);", "export default 1;", "await new Promise(() => {});"])(
		"that fails by %j leaves one process",
		async (source) => {
			const running = await bench.start({ one: version("v1") }, { limits: { load: { readyMs: 1_500 } } });
			bench.write("one", source);
			expect(isBroodError(await rejection(running.host.reload("one")))).toBe(true);
			const [first, second] = processes(running, "one");
			expect(running.host.plugins.get("one").pid).toBe(first ?? null);
			expect(await groupEnds(second ?? Number.NaN)).toBe(true);
		},
	);

	test("that failed is forgotten when the plugin starts anew without trouble", async () => {
		const running = await bench.start({ one: version("v1") });
		bench.write("one", "export default 1;");
		const error = await rejection(running.host.reload("one"));
		expect(running.host.plugins.get("one").error).toBe(error as never);
		bench.write("one", version("v2"));
		await running.host.disable("one");
		await running.host.enable("one");
		expect(running.host.plugins.get("one")).not.toHaveProperty("error");
	});

	test("that fails after a crash tells why, and the next one revives the plugin", async () => {
		const running = await bench.start({ one: "throw new Error('first');" });
		bench.write("one", "throw new Error('second');");
		expect(await rejection(running.host.reload("one"))).toMatchObject({ message: expect.stringContaining("second") });
		bench.write("one", version("v1"));
		await running.host.reload("one");
		expect(await call(running, "version")).toBe("v1");
	});
});

describe("reloads that meet", () => {
	test("five at once leave one child, and it is the newest", async () => {
		const running = await bench.start({ one: version("v1") });
		bench.write("one", version("v2"));
		const published: (number | null)[] = [];
		running.host.onChange(() => published.push(running.host.plugins.get("one").pid));
		await Promise.all([1, 2, 3, 4, 5].map(() => running.host.reload("one")));
		const all = processes(running, "one");
		expect(all).toHaveLength(6);
		expect(running.host.plugins.get("one").pid).toBe(all.at(-1) ?? null);
		const ended = await Promise.all(all.slice(0, -1).map((pid) => groupEnds(pid)));
		expect(ended).toEqual([true, true, true, true, true]);
		expect(await call(running, "version")).toBe("v2");
		expect(running.host.tools.list().filter(({ key }) => key === "version")).toHaveLength(1);
	});

	test("an event after ten reloads is seen once", async () => {
		const running = await bench.start({
			one: "export default (amp) => amp.on('agent.start', () => ({ message: { content: String(process.pid) } }));",
		});
		for (let count = 0; count < 10; count++) await running.host.reload("one");
		const { handlers } = await running.host.emit("agent.start", {});
		expect(handlers).toHaveLength(1);
		expect(handlers[0]?.result).toEqual({ message: { content: String(running.host.plugins.get("one").pid) } });
	});

	test("a disable while a new instance loads ends both", async () => {
		const flag = JSON.stringify(bench.path("flag"));
		const running = await bench.start({
			one: `import { existsSync } from "node:fs";
			if (existsSync(${flag})) await new Promise(() => console.error("loading"));
			export default () => {};`,
		});
		await Bun.write(bench.path("flag"), "");
		const reload = rejection(running.host.reload("one"));
		await running.logged("one", "loading");
		await running.host.disable("one");
		for (const pid of processes(running, "one")) expect(await groupEnds(pid)).toBe(true);
		expect(isBroodError(await reload)).toBe(true);
		expect(running.host.plugins.get("one")).toMatchObject({ state: "disabled", pid: null });
	});

	test("a disable after two reloads is the last word: nothing starts again", async () => {
		const running = await bench.start({ one: version("v1") });
		const reloads = [rejection(running.host.reload("one")), rejection(running.host.reload("one"))];
		await running.host.disable("one");
		for (const error of await Promise.all(reloads)) {
			expect(error).toMatchObject({
				code: "plugin_not_ready",
				message: expect.stringContaining("stopped while it was being reloaded"),
			});
		}
		expect(running.host.plugins.get("one")).toMatchObject({ state: "disabled", pid: null });
		expect(running.host.plugins.get("one")).not.toHaveProperty("error");
	});

	test("a host that stops while a new instance loads leaves neither", async () => {
		const flag = JSON.stringify(bench.path("flag"));
		const running = await bench.start({
			one: `import { existsSync } from "node:fs";
			if (existsSync(${flag})) await new Promise(() => console.error("loading"));
			export default () => {};`,
		});
		await Bun.write(bench.path("flag"), "");
		const reload = rejection(running.host.reload("one"));
		await running.logged("one", "loading");
		await running.host.stop();
		for (const pid of processes(running, "one")) expect(await groupEnds(pid)).toBe(true);
		await reload;
	});

	test("a host that stops while an old instance finishes its calls does not wait for them", async () => {
		const running = await bench.start({ one: version("v1") });
		const slow = rejection(running.host.tools.call("slow", {}, { events: false }));
		await running.logged("one", "slow in v1");
		await running.host.reload("one");
		await running.host.stop();
		expect(await slow).toMatchObject({ code: "plugin_exited" });
		expect(existsSync(bench.path("go"))).toBe(false);
	});

	test("a crash of the old instance while the new one loads ends with the new one serving", async () => {
		const flag = JSON.stringify(bench.path("flag"));
		const running = await bench.start(
			{
				one: `import { existsSync } from "node:fs";
				export default async (amp) => {
					amp.registerCommand("die", { title: "Die" }, () => process.exit(1));
					if (existsSync(${flag})) { console.error("loading"); while (existsSync(${flag})) await Bun.sleep(5); }
				};`,
			},
			{ limits: { restart: { delaysMs: [60_000] } } },
		);
		await Bun.write(bench.path("flag"), "");
		const reload = running.host.reload("one");
		await running.logged("one", "loading");
		await rejection(running.host.commands.run("die"));
		expect(running.host.plugins.get("one").state).toBe("restarting");
		await Bun.file(bench.path("flag")).delete();
		await reload;
		expect(running.host.plugins.get("one")).toMatchObject({ state: "ready", launches: 1 });
		expect(running.host.commands.list()).toHaveLength(1);
	});
});
