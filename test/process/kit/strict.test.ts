import { describe, expect, test } from "bun:test";
import { noUI } from "../../../host/ui/none.ts";
import { comesTrue } from "../support/processes.ts";
import { createPlugins, isolations, rejection } from "./support.ts";

const plugins = createPlugins();

describe.each(isolations)("what a plugin needs and a test has not given, isolation %s,", (isolation) => {
	const swallow = (call: string) =>
		`tool("t", async (_, ctx) => { try { ${call} } catch {} return "as if nothing"; });`;

	test.each([
		["amp.ai.ask", 'await amp.ai.ask("?");'],
		["amp.ai.generate", 'await amp.ai.generate({ prompt: "p" });'],
		["amp.ui.confirm", 'await ctx.ui.confirm({ title: "Sure?" });'],
		["amp.ui.input", 'await ctx.ui.input({ title: "Name?" });'],
		["amp.ui.select", 'await ctx.ui.select({ title: "Which?", options: ["a"] });'],
		["amp.system.open", 'await amp.system.open("https://example.com");'],
		["amp.system.executor.keepAlive", "await amp.system.executor.keepAlive();"],
		["amp.attachments.upload", "await amp.attachments.upload({ data: new Uint8Array(png), mimeType: 'image/png' });"],
		["amp.createAgent(…).run", "await amp.createAgent({ model: 'a/b', instructions: 'i' }).run('m');"],
		["amp.createWebhook", "await amp.createWebhook({ key: 'k', handler() {} });"],
	])("fails the call by its name: %s", async (member, call) => {
		const png = [...Buffer.from(smallImage, "base64")];
		await using plugin = await plugins.load(`const png = ${JSON.stringify(png)}; ${swallow(call)}`, { isolation });
		const error = await rejection(plugin.tools.call("t", {}));
		expect([error.code, error.message]).toEqual(["provider_missing", expect.stringContaining(member)]);
	});

	test("fails the load", async () => {
		const error = await rejection(plugins.load(`await amp.ai.ask("?").catch(() => {});`, { isolation }));
		expect([error.code, error.message]).toEqual(["provider_missing", expect.stringContaining("amp.ai.ask")]);
	});

	test("fails the disposal, where it was asked for behind the test's back", async () => {
		const plugin = await plugins.load(
			`tool("later", () => { setTimeout(() => amp.ai.ask("?").catch(() => amp.logger.log("refused"))); return "soon"; });`,
			{ isolation },
		);
		expect((await plugin.tools.call("later", {})).text).toBe("soon");
		expect(await comesTrue(() => plugin.logs.some(({ message }) => message === "refused"), 5_000)).toBe(true);
		const error = await rejection(Promise.resolve(plugin[Symbol.asyncDispose]()));
		expect([error.code, error.message]).toEqual(["provider_missing", expect.stringContaining("amp.ai.ask")]);
	});

	test("fails a command, an event and a turn as well", async () => {
		await using plugin = await plugins.load(
			`amp.registerCommand("c", { title: "C" }, async ({ ui }) => void (await ui.confirm({ title: "?" }).catch(() => {})));
			amp.on("agent.start", async (_, { ui }) => void (await ui.input({ title: "?" }).catch(() => {})));`,
			{ isolation },
		);
		const told = async (task: Promise<unknown>) => (await rejection(task)).message;
		expect(await told(plugin.commands.run("c"))).toContain("amp.ui.confirm");
		expect(await told(plugin.emit("agent.start", { message: "m", id: "1", thread: { id: "T-1" } }))).toContain(
			"amp.ui.input",
		);
		expect(await told(plugin.turn({ message: "hi" }))).toContain("amp.ui.input");
	});

	test("tells what else went wrong as the cause", async () => {
		await using plugin = await plugins.load(
			`tool("t", async () => { await amp.ai.ask("?").catch(() => {}); process.exit(5); });`,
			{ isolation },
		);
		const error = await rejection(plugin.tools.call("t", {}));
		expect(error.message).toContain("amp.ai.ask");
		expect(error.cause).toMatchObject({ code: "plugin_exited" });
	});

	test("fails also where answers have run out, or do not fit", async () => {
		const asks = swallow('await ctx.ui.confirm({ title: "1" }); await ctx.ui.confirm({ title: "2" });');
		for (const [ui, says] of [
			[[true], "its answer 2, and the option ui of testPlugin holds 1"],
			[["no boolean"], "answer 1 of the option ui of testPlugin does not fit"],
		] as const) {
			await using plugin = await plugins.load(asks, { isolation, ui: [...ui] });
			expect((await rejection(plugin.tools.call("t", {}))).message).toContain(says);
		}
	});

	test("is the plugin's own business where the test says so, or gave something that refuses", async () => {
		const asks = swallow('await ctx.ui.confirm({ title: "?" });');
		for (const own of [{ strict: false }, { ui: noUI() }]) {
			await using plugin = await plugins.load(asks, { isolation, ...own });
			expect((await plugin.tools.call("t", {})).text).toBe("as if nothing");
		}
	});
});

const smallImage = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
