import { describe, expect, test } from "bun:test";
import { BroodError, isBroodError, type UIProvider } from "../../../host/index.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { heldUI } from "../support/held-ui.ts";
import { createBench, type Running } from "../support/host.ts";

const bench = createBench();
const alone = { events: false };

/** Asks what it is told to, in a call or outside of one, and gives back what came of it. */
const plugin = `export default (amp) => {
	const recognised = amp.helpers.isPluginUINotAvailableError;
	const ask = (ui, { kind, options }) => ui[kind](options).then(
		(answer) => ({ answer, type: typeof answer }),
		(error) => ({ name: error.name, code: error.code, message: error.message, unavailable: recognised(error) }),
	);
	const tool = (name, execute) => amp.registerTool({ name, description: "", inputSchema: { type: "object" }, execute });
	tool("ask", (what, { ui }) => ask(ui, what));
	tool("ask-outside", (what) => ask(amp.ui, what));
	tool("begin", (what) => void ask(amp.ui, what));
	tool("ping", () => "pong");
};`;

/** What the plugin got of one dialog. */
async function askedIn({ host }: Running, kind: string, options: unknown, tool = "ask") {
	const { text } = await host.tools.call(tool, { kind, options } as never, alone);
	return JSON.parse(text) as Record<string, unknown>;
}

const dialogsTold = ({ events }: Running) =>
	events.flatMap((event) => (event.type === "dialogs" ? [`${event.plugin} ${event.open}`] : []));

describe("a plugin that waits for a person", () => {
	test("is shown as such while its dialogs are open, in a call and outside of one", async () => {
		const ui = heldUI();
		const running = await bench.start(
			{ one: plugin, two: "export default () => {};" },
			{ providers: { ui: ui.provider } },
		);
		const { host, next, until } = running;
		const open = () => host.plugins.list().map(({ name, openDialogs }) => `${name} ${openDialogs}`);
		expect(open()).toEqual(["one 0", "two 0"]);
		const inCall = askedIn(running, "confirm", { title: "Sure?" });
		await ui.opened(1);
		await host.tools.call("begin", { kind: "input", options: {} }, alone);
		const [first, second] = await ui.opened(2);
		expect(open()).toEqual(["one 2", "two 0"]);
		first?.answer(true);
		expect(await inCall).toEqual({ answer: true, type: "boolean" });
		expect(open()).toEqual(["one 1", "two 0"]);
		const closed = next("dialogs", () => true);
		second?.answer("x");
		expect(await closed).toEqual({ type: "dialogs", plugin: "one", open: 0 });
		await until("dialogs", ({ open }) => open === 2);
		expect(dialogsTold(running)).toEqual(["one 1", "one 2", "one 1", "one 0"]);
	});

	const ends: [string, (running: Running) => Promise<unknown>][] = [
		["is disabled", ({ host }) => host.disable("one")],
		["is reloaded", ({ host }) => host.reload("one")],
		["dies", async ({ host }) => process.kill(host.plugins.get("one").pid ?? 0, "SIGKILL")],
	];

	test.each(ends)(
		"waits no more once it %s: the dialog is withdrawn and its late answer changes nothing",
		async (_, end) => {
			const ui = heldUI();
			const running = await bench.start(
				{ one: plugin },
				{ providers: { ui: ui.provider }, limits: { restart: { delaysMs: [10] } } },
			);
			await running.host.tools.call("begin", { kind: "input", options: { title: "Name" } }, alone);
			const [dialog] = await ui.opened(1);
			const closed = running.next("dialogs", ({ open }) => open === 0);
			await end(running);
			await closed;
			expect(dialog?.signal.aborted).toBe(true);
			dialog?.answer("too late");
			if (running.host.plugins.get("one").state !== "disabled") await running.reaches("one", "ready");
			expect(running.host.plugins.get("one").openDialogs).toBe(0);
			expect(dialogsTold(running)).toEqual(["one 1", "one 0"]);
		},
	);
});

describe("a provider", () => {
	const odd = (answer: () => unknown): UIProvider => {
		const ask = async () => answer() as never;
		return { available: true, notify: ask, input: ask, confirm: ask, form: ask, select: ask };
	};
	const fields = [{ name: "who", label: "Who", value: "" }];
	const dialogs: [kind: string, options: object, wrong: unknown[]][] = [
		["input", { title: "T" }, [5, true, {}, ["x"]]],
		["confirm", { title: "T" }, ["yes", 1, {}]],
		["confirm", { title: "T", fields }, ["x", true, [], { other: "x" }, { who: 5 }, { who: " " }]],
		["select", { title: "T", options: ["a", "b"] }, ["c", "", 0, true, ["a"]]],
		["select", { title: "T", options: ["a"], allowOther: true }, [7, {}]],
	];

	test("that answers what the dialog does not allow is told to the plugin as such, and the next one is asked", async () => {
		let answer: unknown;
		const running = await bench.start({ one: plugin }, { providers: { ui: odd(() => answer) } });
		for (const [kind, options, wrong] of dialogs) {
			for (answer of wrong) {
				const got = await askedIn(running, kind, options);
				expect({ kind, wrong: answer, got }).toMatchObject({ got: { name: "BroodError", code: "invalid_answer" } });
				expect(got.message).toMatch(/^The ui provider of the host answered the .*dialog "T" of plugin "one" wrongly: /);
			}
			answer = null;
			const cancelled = await askedIn(running, kind, options);
			const isYesOrNo = kind === "confirm" && !("fields" in options);
			expect(cancelled).toEqual(isYesOrNo ? { answer: false, type: "boolean" } : { type: "undefined" });
		}
		// What a message is answered with does not matter.
		answer = { odd: true };
		expect(await askedIn(running, "notify", "hello")).toEqual({ type: "undefined" });
		expect(running.host.plugins.get("one")).toMatchObject({ openDialogs: 0, launches: 1 });
	});

	test("that throws, at once or later, is named with what it said, whatever it threw", async () => {
		for (const thrown of [new RangeError("the window is too small"), "just text", undefined]) {
			const running = await bench.start(
				{ one: plugin },
				{
					providers: {
						ui: {
							...odd(() => Promise.reject(thrown)),
							input: () => {
								throw thrown;
							},
						},
					},
				},
			);
			const said = thrown instanceof Error ? thrown.message : String(thrown);
			const message = expect.stringMatching(
				new RegExp(`^The ui provider of the host failed at (the .*dialog "T"|ui.notify) of plugin "one": ${said}`),
			);
			for (const kind of ["input", "select", "notify"]) {
				const options = kind === "notify" ? "hello" : { title: "T", options: ["a"] };
				expect(await askedIn(running, kind, options)).toMatchObject({ message, unavailable: false });
			}
			expect(running.host.plugins.get("one").openDialogs).toBe(0);
			await running.host.stop();
		}
	});

	test("that goes away with two dialogs open rejects both, and plugins see that there is no UI any more", async () => {
		const gone = Promise.withResolvers<never>();
		let opened = 0;
		const both = Promise.withResolvers<void>();
		const ask = () => {
			opened += 1;
			if (opened === 2) both.resolve();
			return gone.promise;
		};
		const provider = { available: true, notify: ask, input: ask, confirm: ask, form: ask, select: ask };
		const running = await bench.start({ one: plugin }, { providers: { ui: provider } });
		const asked = [
			askedIn(running, "input", { title: "One" }),
			askedIn(running, "confirm", { title: "Two" }, "ask-outside"),
		];
		await both.promise;
		provider.available = false;
		gone.reject(new BroodError("ui_not_available", "The window was closed."));
		const got = await Promise.all([...asked, askedIn(running, "select", { title: "Three", options: ["a"] })]);
		const refused = { name: "BroodError", code: "ui_not_available", message: "The window was closed." };
		for (const one of got) expect(one).toEqual({ ...refused, unavailable: true });
		expect(running.host.plugins.get("one")).toMatchObject({ state: "ready", openDialogs: 0, launches: 1 });
	});

	test("that never answers holds up nobody: the plugin can be called, given up and unloaded", async () => {
		const running = await bench.start({ one: plugin }, { providers: { ui: odd(() => new Promise(() => {})) } });
		const { host } = running;
		const caller = new AbortController();
		const what = { kind: "input", options: {} };
		const given = rejection(host.tools.call("ask", what, { ...alone, signal: caller.signal }));
		await running.until("dialogs", ({ open }) => open === 1);
		expect((await host.tools.call("ping", {}, alone)).text).toBe("pong");
		caller.abort();
		expect(isBroodError(await given, "cancelled")).toBe(true);
		await running.until("dialogs", ({ open }) => open === 0);
		const other = host.tools.call("ask", what, alone);
		await running.next("dialogs", ({ open }) => open === 1);
		await host.disable("one");
		// It caught what became of its dialog, and still had its say.
		expect((await other).text).toContain('"name":"AbortError","code":"cancelled"');
		expect(host.plugins.get("one").openDialogs).toBe(0);
	});
});

describe("a plugin that tells without end", () => {
	test("fills no more than its places: the rest is refused as busy, others go on, and it can be unloaded", async () => {
		const held: AbortSignal[] = [];
		const ui: UIProvider = {
			...heldUI().provider,
			notify: (_, { signal }) => {
				held.push(signal);
				return new Promise(() => {});
			},
		};
		const { host, logged } = await bench.start(
			{
				flood: `export default (amp) => {
					amp.registerTool({ name: "flood", description: "", inputSchema: { type: "object" }, async execute({ count }) {
						const codes = {};
						for (let n = 0; n < count; n++) amp.ui.notify("n" + n).catch(({ code }) => { codes[code] = (codes[code] ?? 0) + 1; });
						while ((codes.busy ?? 0) < count - 100) await Bun.sleep(5);
						return codes;
					} });
					amp.registerTool({ name: "unawaited", description: "", inputSchema: { type: "object" }, execute({ count }) {
						for (let n = 0; n < count; n++) amp.ui.notify("n" + n);
					} });
				};`,
				other: plugin,
			},
			{ providers: { ui }, limits: { wire: { pendingCallsMax: 100 } } },
		);
		expect((await host.tools.call("flood", { count: 2_000 }, alone)).text).toBe('{"busy":1900}');
		await host.tools.call("unawaited", { count: 2_000 }, alone);
		await logged("flood", "amp call ui.notify failed and nobody awaited it");
		expect((await host.tools.call("ping", {}, alone)).text).toBe("pong");
		expect(held).toHaveLength(100);
		expect(host.plugins.get("flood").state).toBe("ready");
		await host.disable("flood");
		expect(host.plugins.get("flood").state).toBe("disabled");
		expect(host.plugins.log("flood").length).toBeLessThanOrEqual(1_000);
		expect(held.every((signal) => signal.aborted)).toBe(true);
	});
});
