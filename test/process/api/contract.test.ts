import { expect, test } from "bun:test";
import { createBench } from "../support/host.ts";

const bench = createBench();

const schema = '{ type: "object" }';

test("a default export gets exactly one argument, and what it returns means nothing", async () => {
	const { host } = await bench.start({
		counted: `export default (...args) => args[0].logger.log("got " + args.length);`,
		defaulted: `export default (amp, now = "default") => { amp.logger.log(now); return () => { throw new Error("called"); }; };`,
		old: `module.exports = async function () { arguments[0].logger.log("got " + arguments.length); return { name: "x" }; };`,
		early: `export const other = 1; export default (amp) => { if (!process.env.NEVER_SET) return "early"; };`,
	});
	const logged = (name: string) => host.plugins.log(name).map(({ message }) => message);
	expect(host.plugins.list().map(({ name, state }) => [name, state])).toEqual([
		["counted", "ready"],
		["defaulted", "ready"],
		["early", "ready"],
		["old", "ready"],
	]);
	expect([logged("counted"), logged("defaulted"), logged("old")]).toEqual([["got 1"], ["default"], ["got 1"]]);
});

test("members work when they are taken off the API, replaced by the plugin, or called only if they are there", async () => {
	const { host } = await bench.start({
		loose: `export default (amp) => {
			const { on, registerTool, registerCommand, registerLinkPattern, onDispose, createStatusItem, logger: { log } } = amp;
			const { ui: { notify }, helpers: { filePathFromURI }, configuration: { get }, $ } = amp;
			onDispose(() => log("disposed"));
			on("agent.start", () => ({ message: { content: "detached" } }));
			registerLinkPattern({ id: "t", pattern: "T-\\\\d+", href: "https://example.com/{{match}}" });
			createStatusItem({ text: "shown" });
			registerCommand("loose", { title: "Loose" }, async () => { await notify("x").catch(() => {}); });
			const original = amp.registerTool;
			amp.registerTool = (tool) => original({ ...tool, name: "my_" + tool.name });
			amp.registerTool({ name: "asked", description: "", inputSchema: ${schema}, execute: async () =>
				[filePathFromURI("file:///a%20b"), typeof (await get()), (await $\`echo ran\`).stdout.trim()].join() });
			amp.registerNothing?.({});
			registerTool?.({ name: "plain", description: "", inputSchema: ${schema}, execute: () => "x" });
		};`,
	});
	expect(host.tools.list().map(({ key }) => key)).toEqual(["my_asked", "plain"]);
	expect((await host.tools.call("my_asked", {})).text).toBe("/a b,object,ran");
	expect((await host.commands.run("loose")).ok).toBe(true);
	expect(host.links.list().map(({ item }) => item.id)).toEqual(["t"]);
	expect(host.statusItems.list().map(({ text }) => text)).toEqual(["shown"]);
	const { result } = await host.emit("agent.start", { message: "m", id: "1" });
	expect(result).toMatchObject({ messages: [{ content: "detached" }] });
	await host.disable("loose");
	expect(host.plugins.log("loose").map(({ message }) => message)).toContain("disposed");
});

test("each context has the members that it should have, and no other", async () => {
	const { host } = await bench.start({
		keys: `export default (amp) => {
			const keys = (ctx) => Object.keys(ctx).sort().join(" ");
			amp.registerTool({ name: "keys", description: "", inputSchema: ${schema}, execute: (input, ctx) => keys(ctx) + "|" + typeof ctx.thread.id });
			amp.registerCommand("keys", { title: "Keys" }, (ctx) => amp.logger.log("command: " + keys(ctx) + "|" + ctx.thread?.id));
			amp.on("agent.start", (event, ctx) => ({ message: { content: keys(ctx) + "|" + (ctx.thread.id === event.thread.id) } }));
		};`,
	});
	expect((await host.tools.call("keys", {})).text).toBe("logger signal thread ui|string");
	await host.commands.run("keys");
	await host.commands.run("keys", { threadID: "T-7" });
	expect(host.plugins.log("keys").map(({ message }) => message)).toEqual([
		"command: $ ai signal system ui|undefined",
		"command: $ ai signal system thread ui|T-7",
	]);
	const { result } = await host.emit("agent.start", { message: "m", id: "1" });
	expect(result).toMatchObject({ messages: [{ content: "$ ai logger system thread ui|true" }] });
});

test("of one name the last registration counts, in its place, and the stale subscription removes nothing", async () => {
	const { host } = await bench.start({
		twice: `export default (amp) => {
			const tool = (name, text) => amp.registerTool({ name, description: text, inputSchema: ${schema}, execute: () => text });
			const command = (title) => amp.registerCommand("c", { title }, () => amp.logger.log(title));
			const stale = [tool("a", "old"), command("old")];
			tool("b", "b");
			tool("a", "new");
			command("new");
			for (const one of stale) one.unsubscribe();
			stale[1].setAvailability({ type: "hidden" });
			const off = amp.on("agent.end", () => amp.logger.log("handler"));
			off.unsubscribe();
			amp.on("no.such.event", () => {}).unsubscribe();
		};`,
	});
	expect(host.tools.list().map(({ key, item }) => [key, item.description])).toEqual([
		["a", "new"],
		["b", "b"],
	]);
	expect((await host.tools.call("a", {})).text).toBe("new");
	expect(host.commands.list().map(({ item }) => [item.title, item.availability.type])).toEqual([["new", "enabled"]]);
	await host.commands.run("c");
	await host.emit("agent.end", { message: "m", id: "1", status: "done", messages: [] });
	const { events, warnings } = host.plugins.get("twice");
	expect(events).toEqual([]);
	expect(warnings).toEqual([expect.stringContaining('on("no.such.event"): there is no such event')]);
	const { log } = host.plugins;
	expect(log("twice").flatMap(({ level, message }) => (level === "warn" ? [] : [message]))).toEqual(["new"]);
});
