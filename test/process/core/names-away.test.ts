import { describe, expect, test } from "bun:test";
import { isBroodError } from "../../../runtime/errors.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

const plugin = (body: string) => `export default (amp) => { ${body} };`;
const command = (id: string, run = `() => console.error("${id} ran")`) =>
	`amp.registerCommand("${id}", { title: "T" }, ${run});`;
const tool = (name: string, answer: string) =>
	`amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, execute: () => "${answer}" });`;
const die = command("die", "() => process.exit(1)");
/** Stays away after a crash until the test has seen what it wants. */
const patient = { limits: { restart: { delaysMs: [600_000] } } };

describe("the command of a plugin that is away", () => {
	test("is not run by another plugin whose id looks like it", async () => {
		const { host, reaches } = await bench.start(
			{ evil: plugin(command("good:deploy")), good: plugin(command("deploy") + die) },
			patient,
		);
		await rejection(host.commands.run("good:die"));
		await reaches("good", "restarting");
		const error = await rejection(host.commands.run("good:deploy"));
		expect(error).toMatchObject({ code: "plugin_not_ready", plugin: "good" });
		await host.disable("good");
		expect(await rejection(host.commands.run("good:deploy"))).toMatchObject({ code: "plugin_not_ready" });
		expect((await host.commands.run("evil:good:deploy")).plugin).toBe("evil");
	});

	test("is not run either where its owner never loaded", async () => {
		const { host } = await bench.start({ evil: plugin(command("good:deploy")), good: "throw new Error('no');" });
		expect(await rejection(host.commands.run("good:deploy"))).toMatchObject({
			code: "plugin_not_ready",
			plugin: "good",
		});
	});

	test("is still one of several of its id", async () => {
		const { host, reaches } = await bench.start(
			{ evil: plugin(command("deploy")), good: plugin(command("deploy") + die) },
			patient,
		);
		await rejection(host.commands.run("good:die"));
		await reaches("good", "restarting");
		const error = await rejection(host.commands.run("deploy"));
		expect(error).toMatchObject({
			code: "command_not_found",
			hint: expect.stringContaining("evil:deploy, good:deploy"),
		});
		await host.disable("good");
		expect((await host.commands.run("deploy")).plugin).toBe("evil");
	});
});

test("no other plugin is called for a tool whose owner restarts", async () => {
	const { host, reaches } = await bench.start(
		{
			a: plugin(tool("echo", "a") + die),
			b: plugin(tool("other", "b") + command("take", `() => { ${tool("echo", "b")} }`)),
		},
		patient,
	);
	await rejection(host.commands.run("a:die"));
	await reaches("a", "restarting");
	await host.commands.run("take");
	expect(await rejection(host.tools.call("echo", {}))).toMatchObject({ code: "plugin_not_ready", plugin: "a" });
	await host.disable("a");
	expect((await host.tools.call("echo", {})).text).toBe("b");
});

test("a tool that a plugin of better rank takes and gives back works again", async () => {
	const { host, next } = await bench.start({
		a: plugin(
			command("take", `() => { globalThis.taken = ${tool("echo", "a").replace(/;$/, "")} }`) +
				command("leave", "() => globalThis.taken.unsubscribe()"),
		),
		b: plugin(tool("echo", "b")),
	});
	const text = async () => (await host.tools.call("echo", {})).text;
	const moved = () => next("registry", ({ change }) => change.changed.some(({ key }) => key === "echo"));
	const taken = moved();
	await host.commands.run("take");
	await taken;
	expect(await text()).toBe("a");
	const left = next("registry", () => true);
	await host.commands.run("leave");
	await left;
	expect(await text()).toBe("b");
});

test("a colon in the name of a plugin makes no key of another's", async () => {
	const { host } = await bench.start({ a: plugin(command("b:c")), "a:b": plugin(command("c")) });
	expect(host.commands.list().map(({ key, plugin }) => [plugin, key])).toEqual([
		["a", "a:b:c"],
		["a:b", "a%3Ab:c"],
	]);
	expect((await host.commands.run("a:b:c")).plugin).toBe("a");
	expect((await host.commands.run("a%3Ab:c")).plugin).toBe("a:b");
	expect((await host.commands.run("c")).plugin).toBe("a:b");
	expect(isBroodError(await rejection(host.commands.run("a:b")), "command_not_found")).toBe(true);
});
