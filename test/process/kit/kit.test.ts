import { describe, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { basename, dirname, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { testPlugin } from "../../kit/index.ts";
import { createPlugins, isolations, rejection } from "./support.ts";

const plugins = createPlugins();

describe.each(isolations)("a plugin under test, isolation %s,", (isolation) => {
	test("answers calls, with what it registered and printed at hand", async () => {
		await using plugin = await plugins.load(
			`tool("double", ({ n }) => String(2 * n));
			amp.registerCommand("c", { title: "C" }, ({ ui }) => ui.notify("done"));
			console.log("loaded", { n: 1 });
			amp.logger.log("logged");`,
			{ isolation },
		);
		expect(await plugin.tools.call("double", { n: 21 })).toMatchObject({ ok: true, text: "42", plugin: plugin.name });
		expect(await plugin.commands.run("c")).toMatchObject({ ok: true });
		expect(plugin.registrations.tools.map(({ name }) => name)).toEqual(["double"]);
		expect(plugin.registrations.commands.map(({ id }) => id)).toEqual(["c"]);
		expect(plugin.ui).toEqual([{ kind: "notify", plugin: plugin.name, message: "done" }]);
		const said = plugin.logs.map(({ source, message }) => `${source} ${message}`);
		expect(said).toEqual(expect.arrayContaining(["output loaded {", "output   n: 1,", "output }", "plugin logged"]));
		expect(plugin.frames.map(({ method }) => method)).toEqual(
			expect.arrayContaining(["runtime.ready", "tool.execute"]),
		);
	});

	test("sees events, whose answers are merged as in a host, and turns of an agent", async () => {
		await using plugin = await plugins.load(
			`tool("greet", ({ name }) => "Hello, " + name);
			amp.on("tool.call", ({ input }) => ({ action: "modify", input: { ...input, name: "Ada" } }));
			amp.on("agent.start", () => ({ message: { content: "be kind" } }));`,
			{ isolation },
		);
		const { result } = await plugin.emit("tool.call", {
			tool: "Bash",
			toolUseID: "1",
			input: {},
			thread: { id: "T-1" },
		});
		expect(result).toEqual({ action: "modify", input: { name: "Ada" } });
		const { ok, steps } = await plugin.turn({ message: "hi", tools: [{ tool: "greet", input: { name: "Bob" } }] });
		expect([ok, JSON.stringify(steps)]).toEqual([true, expect.stringContaining("Hello, Ada")]);
	});

	test("asks whom the test has in place of a person, and a secret is not recorded", async () => {
		await using plugin = await plugins.load(
			`tool("ask", async (_, { ui }) => {
				const where = await ui.select({ title: "Where?", options: ["a", "b"] });
				const token = await ui.input({ title: "Token", secret: true });
				return where + " " + token.length + " " + (await ui.confirm({ title: "Sure?" }));
			});`,
			{ isolation, ui: ["b", "a long secret", { title: "Sure?", answer: false }] },
		);
		expect((await plugin.tools.call("ask", {})).text).toBe("b 13 false");
		expect(plugin.ui.map(({ kind, answer }) => [kind, answer])).toEqual([
			["select", "b"],
			["input", "[secret]"],
			["confirm", false],
		]);
		expect(JSON.stringify(plugin.frames)).not.toContain("a long secret");
	});

	test("reads, changes and follows settings that are in memory alone", async () => {
		await using plugin = await plugins.load(
			`const seen = [];
			amp.configuration.subscribe((settings) => seen.push(settings.mood));
			tool("mood", async () => JSON.stringify(await amp.configuration.get()));
			tool("set", async () => { await amp.configuration.update({ own: 1 }, "workspace"); return "set"; });
			tool("seen", () => seen.join());`,
			{ isolation, settings: { mood: "good" } },
		);
		expect((await plugin.tools.call("mood", {})).text).toBe('{"mood":"good"}');
		plugin.settings.update({ mood: "bad" });
		await plugin.tools.call("set", {});
		expect(plugin.settings.all()).toEqual({ mood: "bad", own: 1 });
		expect((await plugin.tools.call("mood", {})).text).toBe('{"mood":"bad","own":1}');
		expect((await plugin.tools.call("seen", {})).text).toContain("bad");
		plugin.settings.delete("mood");
		expect(plugin.settings.all()).toEqual({ own: 1 });
	});

	test("is answered by the providers of the test, and threads are in memory", async () => {
		await using plugin = await plugins.load(
			`tool("ask", async () => (await amp.ai.ask("is it?")).result);
			tool("title", async ({ id }) => await new Promise((resolve) => amp.threads.get(id).title.subscribe(resolve)));`,
			{
				isolation,
				ai: {
					ask: async ({ question }) => ({ result: question === "is it?" ? "yes" : "no", probability: 1, reason: "r" }),
					generate: async () => "text",
				},
			},
		);
		expect((await plugin.tools.call("ask", {})).text).toBe("yes");
		const thread = plugin.host.threads?.create({ title: "A thread" });
		expect((await plugin.tools.call("title", { id: thread?.id ?? "" })).text).toBe("A thread");
	});

	test("has a home of its own, its folder and its variables, and nothing of them is left", async () => {
		const plugin = await plugins.load(
			`tool("where", async () => {
				const { XDG_STATE_HOME: state, XDG_CONFIG_HOME: config, OWN: own } = process.env;
				await Bun.write(state + "/mine/file", "x");
				return JSON.stringify({ state, config, own, cwd: process.cwd(), main: process.argv[2] });
			});`,
			{ isolation, env: { OWN: "own" } },
		);
		const { text } = await plugin.tools.call("where", {});
		const { path } = plugin.host.plugins.get(plugin.name);
		const { state, config, own, cwd, main } = JSON.parse(text);
		expect({ own, cwd, main }).toEqual({ own: "own", cwd: plugins.folder, main: path });
		expect([existsSync(`${state}/mine/file`), existsSync(config), dirname(state)]).toEqual([
			true,
			false,
			dirname(config),
		]);
		await plugin[Symbol.asyncDispose]();
		expect(existsSync(dirname(state))).toBe(false);
	});

	test("leaves what Bun keeps of large files where that was before", async () => {
		plugins.write(`export const text = ${JSON.stringify("é".repeat(200_000))};`, "large.ts");
		const path = plugins.write(
			`import { text } from "./large.ts";
			export default (amp) => amp.logger.log(process.env.XDG_CACHE_HOME + " " + text.length);`,
			"importing-large.ts",
		);
		await using plugin = await testPlugin(path, { isolation });
		const [cache = "", length] = (plugin.logs.at(0)?.message ?? "").split(" ");
		expect([length, existsSync(cache), existsSync(dirname(cache))]).toEqual(["200000", false, false]);
	});

	test("runs its dispose callbacks, once, however often it is disposed", async () => {
		const plugin = await plugins.load(`amp.onDispose(() => amp.logger.log("bye"));`, { isolation });
		await plugin[Symbol.asyncDispose]();
		await plugin[Symbol.asyncDispose]();
		expect(plugin.logs.filter(({ message }) => message === "bye")).toHaveLength(1);
		await expect(plugin.tools.call("any", {})).rejects.toMatchObject({ code: "host_stopped" });
	});

	test("can have modules, packages and author helpers of its own", async () => {
		const folder = plugins.folder;
		plugins.write(`export const shout = (text) => text.toUpperCase();`, "node_modules/loud/index.js");
		plugins.write(`export const name = "module";`, "lib/name.ts");
		const path = plugins.write(
			`import { defineTool } from "brood/plugin";
			import { shout } from "loud";
			import { name } from "./lib/name.ts";
			import facts from "./facts.json";
			const tool = defineTool({ name: "t", description: "t", inputSchema: { type: "object" }, execute: () => shout(name + facts.n) });
			export default (amp) => void amp.registerTool(tool);`,
			"with-modules.ts",
		);
		plugins.write(`{ "n": 1 }`, "facts.json");
		await using plugin = await testPlugin(relative(process.cwd(), path), { isolation });
		expect([(await plugin.tools.call("t", {})).text, folder]).toEqual(["MODULE1", dirname(path)]);
	});
});

test("a path, a URL and the text of a URL mean the same plugin", async () => {
	const path = plugins.write(`export default () => {};`, "by any name.ts");
	const url = pathToFileURL(path);
	for (const given of [path, url, url.href]) {
		await using plugin = await testPlugin(given, { isolation: "graph" });
		expect(plugin.name).toBe(basename(path, ".ts"));
	}
});

test.each(isolations)(
	"a plugin that is a folder has its name, also where its index is given, isolation %s",
	async (isolation) => {
		const own = plugins.write(`export default () => {};`, "notes/index.ts");
		const url = pathToFileURL(own);
		for (const given of [dirname(own), `${dirname(own)}/`, own, relative(process.cwd(), own), url, url.href]) {
			await using plugin = await testPlugin(given, { isolation });
			expect([plugin.name, plugin.host.plugins.get("notes").path]).toEqual(["notes", own]);
		}
		const broken = plugins.write(`throw new Error("wrong");`, "broken notes/index.ts");
		expect((await rejection(testPlugin(broken, { isolation }))).message).toContain(
			'Plugin "broken notes" failed to load',
		);
		// A host takes the other one of this folder.
		const other = plugins.write(`export default () => {};`, "notes/index.js");
		await using plugin = await testPlugin(other, { isolation });
		expect([plugin.name, plugin.host.plugins.list()[0]?.path]).toEqual(["index", other]);
		rmSync(other);
	},
);

describe("what cannot be used is refused before anything starts:", () => {
	test.each([
		["an option that there is none of", { isolated: "graph" }, 'has no option "isolated"'],
		["an isolation that there is none of", { isolation: "vm" }, '"process" or "graph"'],
		["a clock for a process", { clock: true }, 'needs isolation: "graph"'],
		["a clock that is no time", { isolation: "graph", clock: new Date("never") }, "a Date or a time"],
		["a provider whose method is none", { ai: { ask: 5 } }, "lacks the method ask"],
		["a bound that there is none of", { limits: { load: { quickly: 1 } } }, 'has no "quickly"'],
	])("%s", async (_, options, says) => {
		const path = plugins.write(`export default () => {};`);
		const error = await rejection(Reflect.apply(testPlugin, undefined, [path, options]));
		expect([error.code, error.message]).toEqual(["usage", expect.stringContaining(says)]);
	});

	test.each([
		["a path that leads nowhere", "/nowhere/at/all.ts", "/nowhere/at/all.ts is no plugin"],
		["a URL that is no file", new URL("https://example.com/hello.ts"), "not https://example.com/hello.ts"],
		["nothing at all", undefined, "takes the path of a plugin"],
	])("%s", async (_, path, says) => {
		const error = await rejection(Reflect.apply(testPlugin, undefined, [path]));
		expect([error.code, error.message]).toEqual(["usage", expect.stringContaining(says)]);
	});

	test("a folder of several plugins", async () => {
		const path = plugins.write(`export default () => {};`, "several/one.ts");
		plugins.write(`export default () => {};`, "several/two.ts");
		const error = await rejection(testPlugin(dirname(path), { isolation: "graph" }));
		expect([error.code, error.message]).toEqual(["usage", expect.stringContaining("holds one, two")]);
	});
});
