import { describe, expect, test } from "bun:test";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench, type Running } from "../support/host.ts";

const bench = createBench();
const alone = { events: false };

/** A plugin whose tools are these function bodies. */
const tools = (bodies: Record<string, string>) =>
	`export default (amp) => {\n${Object.entries({ pid: "return String(process.pid);", ...bodies })
		.map(
			([name, body]) => `amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" },
			execute: async (input, ctx) => { ${body} } });`,
		)
		.join("\n")}\n};`;

async function samePlugin({ host }: Running): Promise<void> {
	expect((await host.tools.call("pid", {}, alone)).text).toBe(String(host.plugins.get("one").pid));
	expect(host.plugins.get("one")).toMatchObject({ state: "ready", launches: 1 });
}

test.each([
	["a text", "return 'plain';", [{ type: "text", text: "plain" }]],
	["an empty text", "return '';", [{ type: "text", text: "" }]],
	["nothing", "", []],
	["null", "return null;", [{ type: "text", text: "null" }]],
	["a number", "return 42;", [{ type: "text", text: "42" }]],
	["an object", "return { a: [1, { b: 2 }] };", [{ type: "text", text: '{"a":[1,{"b":2}]}' }]],
	["an array", "return [1, 'two'];", [{ type: "text", text: '[1,"two"]' }]],
	["an empty array", "return [];", [{ type: "text", text: "[]" }]],
	["what has a toJSON", "return new Date(0);", [{ type: "text", text: '"1970-01-01T00:00:00.000Z"' }]],
	[
		"blocks",
		"return [{ type: 'text', text: 'see' }, { type: 'image', mimeType: 'image/png', data: 'AAAA' }, { type: 'image', mimeType: 'image/png', url: 'https://example.com/a.png' }];",
		[
			{ type: "text", text: "see" },
			{ type: "image", mimeType: "image/png", data: "AAAA" },
			{ type: "image", mimeType: "image/png", url: "https://example.com/a.png" },
		],
	],
])("%s is a result", async (_, body, content) => {
	const { host } = await bench.start({ one: tools({ gives: body }) });
	expect(await host.tools.call("gives", {}, alone)).toMatchObject({
		ok: true,
		plugin: "one",
		content: content as never,
	});
});

describe("what is thrown", () => {
	test.each([
		["a text", "throw 'plain text';", "plain text"],
		["a number", "throw 42;", "42"],
		["null", "throw null;", "null"],
		["undefined", "throw undefined;", "undefined"],
		["an object", "throw { reason: 'no' };", '{"reason":"no"}'],
		["what looks like an Error", "throw { message: 'looks like one', name: 'Fake' };", "looks like one"],
		["a symbol", "throw Symbol('sign');", "Symbol(sign)"],
		["several errors", "throw new AggregateError([new Error('one'), new Error('two')], 'many');", "many"],
	])("%s is that call's error, and the process goes on", async (_, body, text) => {
		const running = await bench.start({ one: tools({ fails: body }) });
		const { ok, error, text: shown } = await running.host.tools.call("fails", {}, alone);
		expect(ok).toBe(false);
		expect(error).toBeInstanceOf(Error);
		expect(error?.message).toContain(text);
		expect(shown).toContain(text);
		await samePlugin(running);
	});

	test("an Error keeps its class, name, code, stack and cause", async () => {
		const { host } = await bench.start({
			one: tools({
				fails: `class QuotaError extends Error { name = "QuotaError"; code = "E_QUOTA"; }
					throw new TypeError("outer", { cause: new QuotaError("inner") });`,
			}),
		});
		const { error } = await host.tools.call("fails", {}, alone);
		expect(error).toBeInstanceOf(TypeError);
		expect(error?.stack).toContain("/plugins/one.ts:");
		expect(error?.cause).toMatchObject({ name: "QuotaError", code: "E_QUOTA", message: "inner" });
	});

	test("an object whose members throw when they are read is told too", async () => {
		const running = await bench.start({
			one: tools({
				fails: "throw new Proxy({}, { get() { throw new Error('trap'); }, ownKeys() { throw new Error('trap'); } });",
			}),
		});
		expect(await running.host.tools.call("fails", {}, alone)).toMatchObject({ ok: false });
		await samePlugin(running);
	});
});

describe("a result that JSON cannot carry", () => {
	test.each([
		["a BigInt", "return 10n;", "BigInt"],
		["a BigInt within", "return { deep: [{ big: 10n }] };", "BigInt"],
		["a cycle", "const a = {}; a.a = a; return a;", "cyclic"],
		["a function", "return () => {};", "function"],
		["a function within", "return { run() {} };", '"run" is a function'],
		["a symbol within", "return { sign: Symbol('x') };", '"sign" is a symbol'],
		["a toJSON that throws", "return { toJSON() { throw new Error('no JSON today'); } };", "no JSON today"],
	])("%s fails that call and names the tool, and the process goes on", async (_, body, reason) => {
		const running = await bench.start({ one: tools({ odd: body }) });
		const { ok, error } = await running.host.tools.call("odd", {}, alone);
		expect(ok).toBe(false);
		expect(error).toMatchObject({ code: "not_serializable" });
		expect(error?.message).toContain('"odd"');
		expect(error?.message).toContain(reason);
		await samePlugin(running);
	});

	test.each([
		["a text block without a text", "[{ type: 'text' }]"],
		[
			"an image with data and url",
			"[{ type: 'image', mimeType: 'image/png', data: 'AA', url: 'https://example.com' }]",
		],
		["an image without a mimeType", "[{ type: 'image', data: 'AA' }]"],
	])("%s is refused, and the tool is named", async (_, value) => {
		const running = await bench.start({ one: tools({ odd: `return ${value};` }) });
		const { ok, error } = await running.host.tools.call("odd", {}, alone);
		expect({ ok, message: error?.message }).toEqual({ ok: false, message: expect.stringContaining('tool "odd"') });
		await samePlugin(running);
	});

	test("one that is too large for the wire fails that call alone", async () => {
		const running = await bench.start({ one: tools({ large: "return 'x'.repeat(64 * 1024 * 1024);" }) });
		expect(await rejection(running.host.tools.call("large", {}, alone))).toMatchObject({ code: "message_too_large" });
		await samePlugin(running);
	});
});

describe("a call that is given up", () => {
	const waits = tools({
		waits: `return await new Promise((_, reject) => ctx.signal.addEventListener("abort", () => {
			ctx.logger.log("aborted", ctx.signal.reason.code);
			reject(ctx.signal.reason);
		}));`,
		ignores: "ctx.logger.log('begun'); await Bun.sleep(60_000);",
	});

	test("by its timeout is a timeout, and the handler's signal fires", async () => {
		const running = await bench.start({ one: waits });
		expect(await rejection(running.host.tools.call("waits", {}, { ...alone, timeoutMs: 100 }))).toMatchObject({
			code: "timeout",
			plugin: "one",
			message: expect.stringMatching(/^Tool "waits".*100 ms/),
		});
		expect((await running.logged("one", "aborted")).message).toBe("aborted timeout");
		await samePlugin(running);
	});

	test("by its caller is cancelled, and the handler's signal fires", async () => {
		const running = await bench.start({ one: waits });
		const caller = new AbortController();
		const call = rejection(running.host.tools.call("ignores", {}, { ...alone, signal: caller.signal }));
		await running.logged("one", "begun");
		caller.abort();
		expect(await call).toMatchObject({
			code: "cancelled",
			plugin: "one",
			message: expect.stringContaining('Tool "ignores"'),
		});
		expect(running.wire("one").at(-1)).toBe("-> $/cancel");
		await samePlugin(running);
	});

	test("before it began is not sent at all", async () => {
		const running = await bench.start({ one: waits });
		const before = running.wire("one").length;
		const signal = AbortSignal.abort();
		expect(await rejection(running.host.tools.call("waits", {}, { ...alone, signal }))).toMatchObject({
			code: "cancelled",
		});
		expect(running.wire("one").slice(before)).toEqual([]);
	});

	test("leaves the other calls of the plugin alone, and a late answer is nobody's", async () => {
		const running = await bench.start({
			one: tools({
				late: "await Bun.sleep(input.ms); ctx.logger.log('late answer ' + input.ms); return 'late ' + input.ms;",
			}),
		});
		const { host } = running;
		const other = host.tools.call("late", { ms: 250 }, alone);
		expect(await rejection(host.tools.call("late", { ms: 150 }, { ...alone, timeoutMs: 50 }))).toMatchObject({
			code: "timeout",
		});
		await running.logged("one", "late answer 150");
		expect((await other).text).toBe("late 250");
		await samePlugin(running);
	});

	test("a command hears of it in its context too", async () => {
		const running = await bench.start({
			one: `export default (amp) => amp.registerCommand("wait", { title: "Wait" }, (ctx) => new Promise((resolve) => {
				ctx.signal.addEventListener("abort", () => { amp.logger.log("heard"); resolve(); });
			}));`,
		});
		expect(await rejection(running.host.commands.run("wait", { timeoutMs: 50 }))).toMatchObject({ code: "timeout" });
		await running.logged("one", "heard");
	});
});

test("a hundred calls at once each get their own answer", async () => {
	const { host } = await bench.start({ one: tools({ echo: "await Bun.sleep(input.n % 7); return String(input.n);" }) });
	const calls = Array.from({ length: 100 }, (_, n) => host.tools.call("echo", { n }, alone));
	expect((await Promise.all(calls)).map(({ text }) => text)).toEqual(Array.from({ length: 100 }, (_, n) => String(n)));
});
