import { describe, expect, test } from "bun:test";
import { testPlugin } from "../../kit/index.ts";
import { activating, createPlugins, homes, isolations, rejection } from "./support.ts";

const plugins = createPlugins();

describe.each(isolations)("a plugin that is broken, isolation %s,", (isolation) => {
	const load = (source: string, options = {}) => testPlugin(plugins.write(source), { isolation, ...options });

	test.each([
		["does not parse", "export default (amp) => {\n\tamp.on(;\n};", "import", "amp.on(;"],
		["imports what is not there", 'import "./not-there.ts";\nexport default () => {};', "import", "not-there.ts"],
		["throws as it is imported", 'throw new Error("at import");', "import", 'throw new Error("at import")'],
		["throws as it is activated", activating('throw new Error("at activation");'), "activate", "at activation"],
		["exports no function", "export const nothing = 1;", undefined, "export default function"],
		["registers what is no tool", activating('amp.registerTool({ name: "t" });'), "activate", "inputSchema"],
	])("and %s rejects with the stage and the place", async (_, source, stage, says) => {
		const before = homes();
		const error = await rejection(load(source));
		expect(error.message + (Reflect.get(error, "frame") ?? "")).toContain(says);
		if (stage !== undefined) expect(error.stage).toBe(stage);
		expect(homes()).toEqual(before);
	});

	test("and never becomes ready rejects with the stage, before a test is given up", async () => {
		const error = await rejection(load("await new Promise(() => {});", { limits: { load: { readyMs: 200 } } }));
		expect([error.code, error.stage]).toEqual(["ready_timeout", "import"]);
		const activation = activating("await new Promise(() => {});");
		const second = await rejection(load(activation, { limits: { load: { readyMs: 200 } } }));
		expect([second.code, second.stage]).toEqual(["ready_timeout", "activate"]);
	});

	test("and hangs in a call can be called with a limit, and is disposed of all the same", async () => {
		await using plugin = await load(activating('tool("hang", () => new Promise(() => {}));'));
		const error = await rejection(plugin.tools.call("hang", {}, { timeoutMs: 50 }));
		expect(error.code).toBe("timeout");
	});

	test("and throws in a call answers with its error", async () => {
		await using plugin = await load(
			activating('tool("fail", () => { throw Object.assign(new TypeError("so wrong"), { code: "E_OWN" }); });'),
		);
		const { ok, error } = await plugin.tools.call("fail", {});
		expect(ok).toBe(false);
		expect(error).toMatchObject({ name: "TypeError", message: "so wrong", code: "E_OWN" });
		expect(error?.stack).toContain(".ts:");
	});

	test("and throws where nobody catches it crashes, which its log tells, and is started again", async () => {
		await using plugin = await load(
			activating(
				'tool("crash", () => { setTimeout(() => { throw new Error("thrown alone"); }); return new Promise(() => {}); });',
			),
		);
		const error = await rejection(plugin.tools.call("crash", {}));
		expect([error.code, error.message]).toEqual(["plugin_exited", expect.stringContaining("code 1")]);
		expect(plugin.logs.map(({ message }) => message)).toContain("uncaught exception: Error: thrown alone");
	});

	test("and rejects where nobody catches it crashes as well, but for a call of the API", async () => {
		await using plugin = await load(
			activating(
				`tool("crash", () => { void Promise.reject(new Error("rejected alone")); return new Promise(() => {}); });
				tool("forget", async (_, { ui }) => { void ui.confirm({ title: "?" }); await ui.notify("n"); return "forgotten"; });`,
			),
			{ strict: false },
		);
		expect((await plugin.tools.call("forget", {})).text).toBe("forgotten");
		expect((await rejection(plugin.tools.call("crash", {}))).code).toBe("plugin_exited");
		const said = plugin.logs.map(({ message }) => message);
		expect(said).toContain("unhandled rejection: Error: rejected alone");
		expect(said.filter((message) => message.includes("nobody awaited it"))).toHaveLength(1);
	});

	test("and ends its process ends itself alone", async () => {
		await using plugin = await load(
			activating(
				`process.on("exit", (code) => console.log("leaving with " + code));
				tool("exit", () => process.exit(3));
				tool("later", () => { setTimeout(() => process.exit(4)); return new Promise(() => {}); });`,
			),
		);
		const error = await rejection(plugin.tools.call("exit", {}));
		expect([error.code, error.message]).toEqual(["plugin_exited", expect.stringContaining("code 3")]);
		expect(plugin.logs.map(({ message }) => message)).toContain("leaving with 3");
	});

	test("and is away is no plugin that lets an event or a turn pass", async () => {
		await using plugin = await load(
			activating(
				`tool("exit", () => process.exit(3));
				amp.on("tool.call", ({ tool }) => tool === "rm" ? { action: "reject-and-continue", message: "no" } : undefined);`,
			),
		);
		await rejection(plugin.tools.call("exit", {}));
		const turn = { message: "m", tools: [{ tool: "rm" }] };
		for (const ask of [() => plugin.emit("tool.call", { tool: "rm" }), () => plugin.turn(turn)]) {
			expect((await rejection(ask())).code).toBe("plugin_not_ready");
		}
	});

	test("and handles uncaught errors and signals itself goes on", async () => {
		await using plugin = await load(
			activating(
				`const heard = [];
				process.on("uncaughtException", (error) => heard.push(error.message));
				process.on("SIGUSR2", (signal) => heard.push(signal));
				tool("throw", async () => {
					setTimeout(() => { throw new Error("mine"); });
					process.kill(process.pid, "SIGUSR2");
					while (heard.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
					return heard.sort().join();
				});`,
			),
		);
		expect((await plugin.tools.call("throw", {})).text).toBe("SIGUSR2,mine");
	});
});
