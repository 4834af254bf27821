import { describe, expect, test } from "bun:test";
import { scriptedUI } from "../../../host/ui/scripted.ts";
import { isBroodError } from "../../../runtime/errors.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { heldUI } from "../support/held-ui.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

const plugin = `export default (amp) => {
	const schema = { type: "object" };
	amp.registerTool({ name: "ask", description: "", inputSchema: schema, execute: async ({ title }, { ui }) =>
		"you said " + await ui.input({ title }) });
	amp.registerTool({ name: "outside", description: "", inputSchema: schema, execute: async ({ title }) =>
		"outside " + await amp.ui.select({ title, options: ["red", "green"] }) });
	amp.registerTool({ name: "plain", description: "", inputSchema: schema, execute: ({ say }) => "plain " + say });
	amp.registerTool({ name: "die", description: "", inputSchema: schema, execute: () => process.exit(5) });
	amp.registerCommand("show", { title: "Show" }, async ({ ui }) => {
		await ui.notify("begins");
		amp.logger.log("confirmed", await ui.confirm({ title: "Sure?" }));
		amp.logger.log("form", await ui.confirm({ title: "Fill in", fields: [{ name: "who", label: "Who", value: "you" }] }));
	});
	amp.on("tool.call", async ({ tool, input }, { ui }) => {
		if (tool !== "plain") return;
		const say = await ui.input({ title: "What to say instead of " + input.say });
		return say === undefined ? { action: "reject-and-continue", message: "nothing to say" } : { action: "modify", input: { say } };
	});
};`;

const alone = { events: false };

describe("a dialog", () => {
	test("opened in a tool call is answered while the call is open", async () => {
		const { host, wire } = await bench.start({ one: plugin }, { providers: { ui: scriptedUI(["Ada"]) } });
		const before = wire("one").length;
		expect(await host.tools.call("ask", { title: "Name?" }, alone)).toMatchObject({ ok: true, text: "you said Ada" });
		expect(wire("one").slice(before)).toEqual([
			"-> tool.execute",
			"<- ui.input",
			"-> ui.input ok",
			"<- tool.execute ok",
		]);
	});

	test("opened in a hook is answered while the event is open, and decides it", async () => {
		const { host } = await bench.start({ one: plugin }, { providers: { ui: scriptedUI(["tea", null]) } });
		expect((await host.tools.call("plain", { say: "milk" })).text).toBe("plain tea");
		expect(await host.tools.call("plain", { say: "milk" })).toMatchObject({ ok: false, text: "nothing to say" });
	});

	test("opened through amp.ui, outside of any call, is answered too", async () => {
		const { host, logged } = await bench.start(
			{
				one: `export default (amp) => { amp.ui.input({ title: "Later?" }).then((said) => amp.logger.log("said", said)); };`,
			},
			{ providers: { ui: scriptedUI(["now"]) } },
		);
		expect((await logged("one", "said")).message).toBe("said now");
		expect(host.plugins.get("one").state).toBe("ready");
	});

	test("of each kind reaches a command, with cancelling as false and undefined", async () => {
		const { host } = await bench.start(
			{ one: plugin },
			{ providers: { ui: scriptedUI([true, { who: "me" }, null, null]) } },
		);
		expect((await host.commands.run("show")).ok).toBe(true);
		expect((await host.commands.run("show")).ok).toBe(true);
		const said = host.plugins.log("one").map(({ message }) => message);
		expect(said).toEqual([
			"confirmed true",
			expect.stringMatching(/^form \{.*who: "me"/),
			"confirmed false",
			"form undefined",
		]);
	});

	test("does not hold up the plugin or another dialog: two are open at once, answered in any order", async () => {
		const ui = heldUI();
		const { host } = await bench.start(
			{ one: plugin, two: plugin.replaceAll('name: "', 'name: "two-') },
			{ providers: { ui: ui.provider } },
		);
		const first = host.tools.call("ask", { title: "First" }, alone);
		const second = host.tools.call("outside", { title: "Second" }, alone);
		const third = host.tools.call("two-ask", { title: "Third" }, alone);
		const dialogs = await ui.opened(3);
		expect(dialogs.map(({ title, plugin }) => `${plugin} ${title}`).sort()).toEqual([
			"one First",
			"one Second",
			"two Third",
		]);
		expect((await host.tools.call("plain", { say: "meanwhile" }, alone)).text).toBe("plain meanwhile");
		const answer = (title: string, value: string) => dialogs.find((dialog) => dialog.title === title)?.answer(value);
		answer("Third", "c");
		expect((await third).text).toBe("you said c");
		answer("Second", "red");
		expect((await second).text).toBe("outside red");
		answer("First", "a");
		expect((await first).text).toBe("you said a");
	});

	test("two events at once each get their own answer", async () => {
		const ui = heldUI();
		const { host } = await bench.start({ one: plugin }, { providers: { ui: ui.provider } });
		const calls = ["x", "y"].map((say) => host.emit("tool.call", { tool: "plain", input: { say } }));
		for (const dialog of await ui.opened(2)) dialog.answer(dialog.title?.endsWith(" x") ? "tea" : null);
		expect((await Promise.all(calls)).map(({ result }) => result)).toEqual([
			{ action: "modify", input: { say: "tea" } },
			{ action: "reject-and-continue", message: "nothing to say" },
		]);
	});
});

describe("an open dialog is withdrawn", () => {
	test("when its plugin dies, and a late answer changes nothing", async () => {
		const ui = heldUI();
		const { host, reaches } = await bench.start(
			{ one: plugin },
			{ providers: { ui: ui.provider }, limits: { restart: { delaysMs: [1] } } },
		);
		const asked = rejection(host.tools.call("ask", { title: "Name?" }, alone));
		const [dialog] = await ui.opened(1);
		const died = rejection(host.tools.call("die", {}, alone));
		expect([await asked, await died].map((error) => isBroodError(error, "plugin_exited"))).toEqual([true, true]);
		expect(dialog?.signal.aborted).toBe(true);
		dialog?.answer("too late");
		await reaches("one", "ready");
		expect((await host.tools.call("plain", { say: "on" }, alone)).text).toBe("plain on");
	});

	test("when its plugin is disabled", async () => {
		const ui = heldUI();
		const { host } = await bench.start({ one: plugin }, { providers: { ui: ui.provider } });
		const asked = rejection(host.tools.call("ask", { title: "Name?" }, alone));
		const [dialog] = await ui.opened(1);
		await host.disable("one");
		expect(isBroodError(await asked, "plugin_exited")).toBe(true);
		expect(dialog?.signal.aborted).toBe(true);
	});

	test("when the call that opened it is cancelled, and only that one", async () => {
		const ui = heldUI();
		const { host } = await bench.start({ one: plugin }, { providers: { ui: ui.provider } });
		const caller = new AbortController();
		const cancelled = rejection(host.tools.call("ask", { title: "First" }, { ...alone, signal: caller.signal }));
		await ui.opened(1);
		const other = host.tools.call("ask", { title: "Second" }, alone);
		const [first, second] = await ui.opened(2);
		const withdrawn = new Promise((resolve) => first?.signal.addEventListener("abort", resolve));
		caller.abort();
		expect(isBroodError(await cancelled, "cancelled")).toBe(true);
		await withdrawn;
		expect(second?.signal.aborted).toBe(false);
		second?.answer("still here");
		expect((await other).text).toBe("you said still here");
	});

	test("when the host stops", async () => {
		const ui = heldUI();
		const { host } = await bench.start({ one: plugin }, { providers: { ui: ui.provider } });
		const asked = rejection(host.tools.call("ask", { title: "Name?" }, alone));
		const [dialog] = await ui.opened(1);
		await host.stop();
		await asked;
		expect(dialog?.signal.aborted).toBe(true);
	});
});

describe("the time of a call", () => {
	test("stands still while a dialog of its own is open, for a tool and for a handler", async () => {
		const ui = heldUI();
		const { host } = await bench.start(
			{ one: plugin },
			{ providers: { ui: ui.provider }, limits: { call: { eventHandlerMs: 300 } } },
		);
		const tool = host.tools.call("ask", { title: "Name?" }, { ...alone, timeoutMs: 300 });
		const event = host.emit("tool.call", { tool: "plain", input: { say: "x" } });
		const [first, second] = await ui.opened(2);
		// Longer than each of them may take.
		await Bun.sleep(600);
		first?.answer("a");
		second?.answer("a");
		expect((await tool).text).toBe("you said a");
		expect((await event).result).toEqual({ action: "modify", input: { say: "a" } });
	});

	test("goes on when the dialog is closed", async () => {
		const { host } = await bench.start(
			{
				one: `export default (amp) => amp.registerTool({ name: "ask", description: "", inputSchema: { type: "object" }, async execute(_, { ui }) {
					await ui.input();
					await new Promise(() => {});
				} });`,
			},
			{ providers: { ui: scriptedUI(["a"]) } },
		);
		expect(await rejection(host.tools.call("ask", {}, { ...alone, timeoutMs: 300 }))).toMatchObject({
			code: "timeout",
		});
	});
});

describe("without a UI", () => {
	const helper = `export default async (amp) => {
		const recognised = async (ask) => {
			try { await ask(); return "answered"; }
			catch (error) { return amp.helpers.isPluginUINotAvailableError(error) + " " + error.message; }
		};
		for (const kind of ["notify", "input", "confirm", "select"]) {
			console.error(kind, await recognised(() => amp.ui[kind]({ title: "?", options: ["a"] })));
		}
		console.error("other", amp.helpers.isPluginUINotAvailableError(new Error("Plugin UI not available")));
		amp.registerTool({ name: "ask", description: "", inputSchema: { type: "object" }, execute: (_, { ui }) => ui.input() });
	};`;

	test("each dialog rejects with an error that the helper recognises, and the plugin loads", async () => {
		const { host, logged } = await bench.start({ one: helper });
		await logged("one", "other");
		const said = host.plugins
			.log("one")
			.filter(({ source }) => source === "output")
			.map(({ message }) => message);
		expect(said).toEqual([
			...["notify", "input", "confirm", "select"].map((kind) =>
				expect.stringMatching(new RegExp(`^${kind} true Plugin UI not available`)),
			),
			"other false",
		]);
		expect(host.plugins.get("one").state).toBe("ready");
	});

	test("a tool that does not catch it fails with that code", async () => {
		const { host } = await bench.start({ one: helper });
		expect(await host.tools.call("ask", {})).toMatchObject({ ok: false, error: { code: "ui_not_available" } });
	});
});
