import { expect, test } from "bun:test";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

const tool = (name: string) =>
	`amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, execute: () => "done" });`;

/** What a plugin, or a library that it imports, does to the globals before its first call loads the rest of the runtime. */
const altered: Record<string, string> = {
	members_of_all_objects: "Object.prototype.mine = 1; Object.prototype.result = {};",
	own_promise: "class Own extends Promise {} Own.withResolvers = undefined; globalThis.Promise = Own;",
	own_json: "globalThis.JSON = { parse() { throw new Error('no'); }, stringify() { throw new Error('no'); } };",
	own_collections: "globalThis.Map = globalThis.Set = globalThis.WeakMap = globalThis.WeakSet = class {};",
	no_process: "globalThis.process = undefined;",
	own_object_helpers: "Object.fromEntries = Object.keys = () => { throw new Error('no'); };",
};

test("a plugin that has altered global objects is called all the same, though the runtime is loaded after that", async () => {
	const names = Object.keys(altered);
	const sources = names.map((name) => [
		name,
		`export default (amp) => { ${tool(name)} setImmediate(() => { ${altered[name]} }); };`,
	]);
	const { host } = await bench.start(Object.fromEntries(sources));
	const given = await Promise.all(names.map(async (name) => [name, (await host.tools.call(name, {})).text]));
	expect(given).toEqual(names.map((name) => [name, "done"]));
});

test("what a plugin has altered is as it made it after the runtime was loaded", async () => {
	const { host } = await bench.start({
		mine: `Object.prototype.mine = 1;
		globalThis.WeakMap = class Mine {};
		export default (amp) => amp.registerTool({
			name: "t", description: "", inputSchema: { type: "object" },
			execute: () => [{}.mine, Object.keys(Object.prototype).join(), WeakMap.name].join(" "),
		});`,
	});
	expect((await host.tools.call("t", {})).text).toBe("1 mine Mine");
});

test("a plugin that breaks the runtime in its own process ends with an error that shows where, not with exit code 0", async () => {
	const { host } = await bench.start({
		breaks: `export default (amp) => { ${tool("t")} setImmediate(() => { performance = {}; }); };`,
	});
	const ends = async () => {
		for (;;) await host.tools.call("t", {});
	};
	const error = await rejection(ends());
	expect(error).toMatchObject({ code: "plugin_exited", exit: { code: 1 } });
	expect(String(error)).toContain("performance.now is not a function");
});

test("a subprocess may be started with null for its options, as Bun itself allows", async () => {
	const { host } = await bench.start({
		spawns: `export default (amp) => amp.registerTool({
			name: "t", description: "", inputSchema: { type: "object" },
			execute: () => String(Bun.spawnSync(["true"], null).exitCode),
		});`,
	});
	expect((await host.tools.call("t", {})).text).toBe("0");
});

test("a function that was frozen is a default export like any other, and a class is none", async () => {
	const { host } = await bench.start({
		frozen: `function activate(amp) { ${tool("t")} } export default Object.freeze(activate);`,
		klass: "export default class Plugin {}",
	});
	expect(host.plugins.get("klass").error).toMatchObject({ code: "no_default_export" });
	expect((await host.tools.call("t", {})).text).toBe("done");
});
