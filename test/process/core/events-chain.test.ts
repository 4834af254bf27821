import { describe, expect, test } from "bun:test";
import { isBroodError } from "../../../runtime/errors.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

const echo = `export default (amp) => amp.registerTool({
	name: "echo", description: "", inputSchema: { type: "object" }, execute: (input) => JSON.stringify(input),
});`;
/** A plugin with one handler of tool.call that notes that it ran. */
const gate = (body: string, more = "") => `export default (amp) => {
	${more}
	amp.on("tool.call", async (event, ctx) => { console.error("gate saw " + JSON.stringify(event.input)); ${body} });
};`;
const after = (body: string) => `export default (amp) => {
	amp.on("tool.result", async (event) => { ${body} });
};`;
const event = { tool: "echo", input: { at: "start" } };
const plugins = (handlers: { plugin: string }[]) => handlers.map(({ plugin }) => plugin);

describe("the gates of a tool call", () => {
	test("run one after the other by rank, and what one modifies the next one sees", async () => {
		const append = (name: string) => gate(`return { action: "modify", input: { at: event.input.at + " ${name}" } };`);
		// The first is ready last.
		const { host } = await bench.start({
			a: `await Bun.sleep(60);\n${append("a")}`,
			b: append("b"),
			c: append("c"),
			tool: echo,
		});
		const { handlers, result } = await host.emit("tool.call", event);
		expect(result).toEqual({ action: "modify", input: { at: "start a b c" } });
		expect(plugins(handlers)).toEqual(["a", "b", "c"]);
		expect((await host.tools.call("echo", event.input)).text).toBe('{"at":"start a b c"}');
	});

	test.each([
		['{ action: "reject-and-continue", message: "not now" }', { ok: false, text: "not now" }],
		['{ action: "error", message: "stop here" }', { ok: false, text: "stop here" }],
		['{ action: "synthesize", result: { output: "made up", exitCode: 0 } }', { ok: true, text: "made up" }],
	])("end with %s: later gates and the tool do not run", async (answer, outcome) => {
		const { host } = await bench.start({
			a: gate(""),
			b: gate(`return ${answer};`),
			c: gate(""),
			tool: echo.replace("execute:", "execute: () => { throw new Error('ran'); }, ignored:"),
		});
		const { handlers, result } = await host.emit("tool.call", event);
		expect(plugins(handlers)).toEqual(["a", "b"]);
		expect(result).toEqual(Function(`return ${answer}`)());
		expect(await host.tools.call("echo", {})).toMatchObject({ ...outcome, plugin: "b" });
		await host.stop();
		expect(host.plugins.log("c")).toEqual([]);
	});

	test.each(["", "return undefined;", "return {};", "return null;", 'return { action: "allow" };'])(
		"take %j as no change",
		async (body) => {
			const { host } = await bench.start({ a: gate(body), tool: echo });
			expect((await host.emit("tool.call", event)).result).toBeNull();
			expect((await host.tools.call("echo", event.input)).text).toBe('{"at":"start"}');
		},
	);

	test("several in one plugin all run, in the order of their registration", async () => {
		const append = (name: string) =>
			`amp.on("tool.call", ({ input }) => ({ action: "modify", input: { at: input.at + " ${name}" } }));`;
		const { host } = await bench.start({
			one: `export default (amp) => { ${append("1")} ${append("2")} ${append("3")} };`,
		});
		const { handlers, result } = await host.emit("tool.call", event);
		expect(result).toEqual({ action: "modify", input: { at: "start 1 2 3" } });
		expect(handlers).toHaveLength(3);
	});

	test("that are unsubscribed see nothing any more", async () => {
		const { host, next } = await bench.start({
			one: `export default (amp) => {
				const gate = amp.on("tool.call", () => ({ action: "error", message: "closed" }));
				amp.registerCommand("open", { title: "Open" }, () => gate.unsubscribe());
			};`,
		});
		const changed = next("registry", () => true);
		await host.commands.run("open");
		await changed;
		expect(await host.emit("tool.call", event)).toMatchObject({ handlers: [], result: null });
	});

	test("are passed by with events: false", async () => {
		const { host } = await bench.start({ a: gate(`return { action: "error", message: "closed" };`), tool: echo });
		expect(await host.tools.call("echo", {}, { events: false })).toMatchObject({ ok: true });
	});

	test("see the call as an agent makes it: thread, id, tool and input", async () => {
		const { host } = await bench.start({
			a: `export default (amp) => amp.on("tool.call", (event, ctx) => {
				amp.logger.log(Object.keys(event).sort().join(), event.thread.id === ctx.thread.id, Object.keys(ctx).sort().join());
			});`,
			tool: echo,
		});
		await host.tools.call("echo", {}, { threadID: "T-1" });
		const [line] = host.plugins.log("a").map(({ message }) => message);
		expect(line).toStartWith("input,thread,tool,toolUseID true ");
		expect(line?.split(" ")[2]?.split(",")).toEqual(
			expect.arrayContaining(["$", "ai", "logger", "system", "thread", "ui"]),
		);
	});

	test("are given up with the call: no gate's failure is told, and later ones do not run", async () => {
		const { host, logged } = await bench.start({ a: gate("await new Promise(() => {});"), b: gate(""), tool: echo });
		const caller = new AbortController();
		const call = rejection(host.tools.call("echo", {}, { signal: caller.signal }));
		await logged("a", "gate saw");
		caller.abort(new Error("changed my mind"));
		expect(await call).toMatchObject({ code: "cancelled", plugin: "tool", cause: { message: "changed my mind" } });
		await host.stop();
		expect(host.plugins.log("a").filter(({ source }) => source === "host")).toEqual([]);
		expect(host.plugins.log("b")).toEqual([]);
	});
});

describe("a gate that fails", () => {
	const failures = [
		["throws", `throw new RangeError("no idea");`, "no idea"],
		["throws no Error", `throw "just text";`, "just text"],
		["answers what is not allowed", `return { action: "maybe" };`, "action is allow, modify"],
		["answers modify without an input", `return { action: "modify" };`, "modify needs an input object"],
		["answers a text", `return "yes";`, "an answer is an object or nothing"],
		["answers what JSON cannot carry", "return { action: 'allow', big: 1n };", "cannot be carried as JSON"],
		["does not answer in time", "await new Promise(() => {});", "did not answer within 300 ms"],
		["crashes", "process.exit(4);", "it exited with code 4"],
	] as const;
	const limits = { call: { eventHandlerMs: 300 }, restart: { delaysMs: [1] } };

	test.each(failures)(
		"because it %s rejects the call, later gates do not run, and its log says why",
		async (_, body, reason) => {
			const { host } = await bench.start({ a: gate(body), b: gate(""), tool: echo }, { limits });
			const { handlers, result } = await host.emit("tool.call", event);
			expect(plugins(handlers)).toEqual(["a"]);
			expect(handlers[0]?.error?.message).toContain(reason);
			expect(result).toMatchObject({ action: "reject-and-continue", message: expect.stringContaining(reason) });
			const told = host.plugins
				.log("a")
				.filter(({ source, message }) => source === "host" && message.includes("its handler of tool.call failed"));
			expect(told).toHaveLength(1);
			expect(told[0]?.message).toContain(reason.slice(0, 12));
		},
	);

	test.each(failures)("because it %s changes nothing where the host allows that", async (_, body, reason) => {
		const { host } = await bench.start(
			{ a: gate(body), b: gate(""), tool: echo },
			{ limits, toolCallFailure: "allow" },
		);
		const { handlers, result } = await host.emit("tool.call", event);
		expect(plugins(handlers)).toEqual(["a", "b"]);
		expect(handlers[0]?.error?.message).toContain(reason);
		expect(handlers[1]).not.toHaveProperty("error");
		expect(result).toBeNull();
	});

	test("makes the tool call not ok, with the gate's name, and the tool does not run", async () => {
		const { host } = await bench.start({ a: gate(`throw new Error("no idea");`), tool: echo });
		const outcome = await host.tools.call("echo", {});
		expect(outcome).toMatchObject({ ok: false, plugin: "a", error: { code: "tool_rejected" } });
		expect(isBroodError(outcome.error)).toBe(true);
		expect(outcome.text).toContain("no idea");
	});
});

describe("the result of a tool", () => {
	test("passes all handlers by rank, each sees what the one before made of it", async () => {
		const { host } = await bench.start({
			a: after(`return { status: "done", output: event.output + " a" };`),
			b: after(`return { status: "done", output: event.output + " b" };`),
			tool: echo,
		});
		expect((await host.tools.call("echo", { n: 1 })).text).toBe('{"n":1} a b');
		const { handlers, result } = await host.emit("tool.result", { ...event, status: "done", output: "x" });
		expect(plugins(handlers)).toEqual(["a", "b"]);
		expect(result).toEqual({ status: "done", output: "x a b" });
	});

	test("is told with the input that the tool really got", async () => {
		const { host } = await bench.start({
			a: gate(`return { action: "modify", input: { changed: true } };`),
			b: after(
				"return { status: 'done', output: [event.status, event.tool, JSON.stringify(event.input), event.output].join(' ') };",
			),
			tool: echo,
		});
		const { text } = await host.tools.call("echo", { changed: false });
		expect(text).toBe('done echo {"changed":true} {"changed":true}');
	});

	test("that is an error can be made good, and a good one an error", async () => {
		const { host } = await bench.start({
			a: after(
				`return event.status === "error" ? { status: "done", output: "saved: " + event.error } : { status: "error", error: "too good" };`,
			),
			tool: echo,
			fails: echo
				.replace('"echo"', '"fails"')
				.replace("(input) => JSON.stringify(input)", "() => { throw new Error('broken'); }"),
		});
		expect(await host.tools.call("fails", {})).toMatchObject({ ok: true, text: "saved: broken" });
		expect(await host.tools.call("echo", {})).toMatchObject({ ok: false, text: "too good" });
	});

	test.each([
		["throws", "throw new Error('oops');"],
		["answers what is not allowed", "return { status: 'perfect' };"],
		["does not answer in time", "await new Promise(() => {});"],
		["crashes", "process.exit(4);"],
	])("stays as it is where a handler %s, and the next handler still sees it", async (_, body) => {
		const { host } = await bench.start(
			{ a: after(body), b: after(`return { status: "done", output: event.output + " b" };`), tool: echo },
			{ limits: { call: { eventHandlerMs: 300 }, restart: { delaysMs: [1] } } },
		);
		expect((await host.tools.call("echo", { n: 1 })).text).toBe('{"n":1} b');
		expect(host.plugins.log("a").some(({ message }) => message.startsWith("its handler of tool.result failed"))).toBe(
			true,
		);
	});
});
