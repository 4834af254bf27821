import { describe, expect, test } from "bun:test";
import { createThreads } from "../../../host/providers/threads.ts";
import { noUI } from "../../../host/ui/none.ts";
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

	test.each([
		["amp.ai.generate", { ai: { ask: async () => yes } }, 'await amp.ai.generate({ prompt: "p" });'],
		["amp.thread.messages", { threads: {} }, "await amp.threads.get('T-1').messages();"],
		["amp.thread.title", { threads: {} }, "await new Promise((_, no) => ctx.thread.title.subscribe({ error: no }));"],
		[
			"amp.ui.confirm",
			{ ui: { notify: async () => {} } },
			'await ctx.ui.notify("n"); await ctx.ui.confirm({ title: "?" });',
		],
		[
			"amp.attachments.upload",
			{ attachments: {} },
			"await amp.attachments.upload({ data: new Uint8Array(png), mimeType: 'image/png' });",
		],
		["amp.system.executor.keepAlive", { executor: {} }, "await amp.system.executor.keepAlive();"],
		["amp.createAgent(…).run", { agents: {} }, "await amp.createAgent({ model: 'a/b', instructions: 'i' }).run('m');"],
		["amp.system.open", { system: {} }, 'await amp.system.open("https://example.com");'],
		["amp.createWebhook", { webhooks: {} }, "await amp.createWebhook({ key: 'k', handler() {} });"],
	])("fails the call by its name where the rest of the provider is given: %s", async (member, given, call) => {
		const png = [...Buffer.from(smallImage, "base64")];
		const source = `const png = ${JSON.stringify(png)}; ${swallow(call)}`;
		await using plugin = await plugins.load(source, { isolation, ...given });
		const error = await rejection(plugin.tools.call("t", {}, { threadID: "T-1" }));
		expect([error.code, error.message]).toEqual(["provider_missing", expect.stringContaining(member)]);
	});

	test("answers with what is given of a provider, be it an object of a class", async () => {
		class Model {
			#asked = 0;
			async ask() {
				this.#asked += 1;
				return { ...yes, probability: this.#asked / 2 };
			}
		}
		const asks = `tool("t", async () => (await amp.ai.ask("?")).probability);`;
		await using plugin = await plugins.load(asks, { isolation, ai: new Model() });
		expect((await plugin.tools.call("t", {})).text).toBe("0.5");
		expect((await plugin.tools.call("t", {})).text).toBe("1");
	});

	test("fails the load", async () => {
		const error = await rejection(plugins.load(`await amp.ai.ask("?").catch(() => {});`, { isolation }));
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

	test("fails also where answers have run out", async () => {
		const asks = swallow('await ctx.ui.confirm({ title: "1" }); await ctx.ui.confirm({ title: "2" });');
		await using plugin = await plugins.load(asks, { isolation, ui: [true] });
		const error = await rejection(plugin.tools.call("t", {}));
		expect(error.message).toContain("its answer 2, and the option ui of testPlugin holds 1");
	});

	test.each([
		["confirm", "yes", "it takes true or false, not text"],
		["input", true, "it takes text, not a boolean"],
		["select", "c", '"c" is not among its options ["a","b"]'],
	])("fails where the answer does not fit the dialog, and says what would: %s", async (kind, answer, says) => {
		const asks = swallow(`await ctx.ui.${kind}({ title: "?", options: ["a", "b"] });`);
		await using plugin = await plugins.load(asks, { isolation, ui: [answer] });
		const { code, message } = await rejection(plugin.tools.call("t", {}));
		expect(code).toBe("invalid_answer");
		expect(message).toContain(`the ${kind} dialog "?" of plugin "${plugin.name}" is not allowed`);
		expect(message).toContain(`answer 1 of the option ui of testPlugin does not fit, ${says}`);
	});

	test("fails where a model of the test answers what does not fit, and says what would", async () => {
		const model = {
			ask: async () => ({ result: "maybe", probability: 1, reason: "" }),
			generate: async () => ({ m: 1 }),
		};
		const asks = `${swallow('await amp.ai.ask("?");')}
			tool("g", async () => { await amp.ai.generate({ prompt: "p", schema: { name: "s", fields: { n: { type: "number" } } } }).catch(() => {}); });`;
		// No type would let it.
		await using plugin = await Reflect.apply(plugins.load, undefined, [asks, { isolation, ai: model }]);
		const [asked, generated] = [
			await rejection(plugin.tools.call("t", {})),
			await rejection(plugin.tools.call("g", {})),
		];
		expect([asked.code, asked.message]).toEqual([
			"invalid_answer",
			expect.stringContaining("answered ai.ask of plugin"),
		]);
		expect(asked.message).toContain("result is yes, no or uncertain");
		expect([generated.code, generated.message]).toEqual([
			"invalid_answer",
			expect.stringContaining(`does not fit the schema "s": it must have required property 'n'`),
		]);
	});

	test("fails where the plugin means a thread and the test has made none, and says how", async () => {
		const asks = swallow("await ctx.thread.messages();");
		await using plugin = await plugins.load(asks, { isolation });
		const { code, message } = await rejection(plugin.tools.call("t", {}));
		expect([code, message]).toEqual(["thread_not_found", expect.stringContaining("plugin.host.threads.create()")]);
		const threadID = plugin.host.threads?.create().id ?? "";
		expect((await plugin.tools.call("t", {}, { threadID })).text).toBe("as if nothing");
		// From then on a thread that is not there is the plugin's own business.
		expect((await plugin.tools.call("t", {})).text).toBe("as if nothing");
		await using other = await plugins.load(asks, { isolation, threads: createThreads() });
		expect((await other.tools.call("t", {})).text).toBe("as if nothing");
	});

	test("is the plugin's own business where the test says so, or gave something that refuses", async () => {
		const asks = swallow('await ctx.ui.confirm({ title: "?" });');
		for (const own of [{ strict: false }, { ui: noUI() }]) {
			await using plugin = await plugins.load(asks, { isolation, ...own });
			expect((await plugin.tools.call("t", {})).text).toBe("as if nothing");
		}
	});
});

const yes = { result: "yes", probability: 1, reason: "" } as const;
const smallImage = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
