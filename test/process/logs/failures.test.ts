import { describe, expect, test } from "bun:test";
import type { LogEntry } from "../../../host/index.ts";
import { isBroodError } from "../../../runtime/errors.ts";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench, type Running } from "../support/host.ts";

const bench = createBench();

const alone = { events: false };
const ready = (body: string) => `export default (amp) => {\n\t${body}\n};`;
const tool = (name: string, execute: string) =>
	`amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, execute: async () => { ${execute} } });`;
const later = (crash: string) => `setTimeout(() => { ${crash} }, 1); return "soon";`;

/** What the log of a plugin has from brood itself and from its logger, as `level message`. */
function told({ host }: Running, plugin: string, source: LogEntry["source"]): string[] {
	const entries = host.plugins.log(plugin).filter((entry) => entry.source === source);
	return entries.map(({ level, message }) => `${level} ${message}`);
}

describe("the log of a plugin that crashes", () => {
	test("tells each restart, that it is ready again, and that there is no other", async () => {
		const limits = { restart: { retriesMax: 2, delaysMs: [1, 2] } };
		const running = await bench.start({ p: ready(tool("die", later("process.exit(9);"))) }, { limits });
		const { host, next, reaches } = running;
		for (let crash = 1; crash <= 3; crash += 1) {
			const state = next("state", (event) => event.state === (crash < 3 ? "ready" : "failed"));
			await host.tools.call("die", {}, alone);
			await state;
		}
		await reaches("p", "failed");
		const ended = 'error Plugin "p" ended: it exited with code 9';
		expect(told(running, "p", "host")).toEqual([
			`${ended}.`,
			"warn it ended; restart 1 of 2 in 1 ms",
			"info ready again",
			`${ended}.`,
			"warn it ended; restart 2 of 2 in 2 ms",
			"info ready again",
			`${ended}; it crashed 3 times and is not started again. Reload it to try again: host.reload("p").`,
		]);
		const { error } = host.plugins.get("p");
		expect(error).toMatchObject({ code: "plugin_exited", hint: 'Reload it to try again: host.reload("p").' });
		await host.reload("p");
		expect(host.plugins.get("p").state).toBe("ready");
		// Somebody started it on purpose, and knows.
		expect(told(running, "p", "host").at(-1)).not.toBe("info ready again");
	});

	test.each([
		["an uncaught exception", `throw new TypeError("far too far");`, "uncaught exception: TypeError: far too far"],
		["an unhandled rejection", `Promise.reject(new RangeError("off"));`, "unhandled rejection: RangeError: off"],
	])("by %s has it as one error, in stage ready, and what was printed without this runtime", async (_, crash, line) => {
		const limits = { restart: { retriesMax: 0 } };
		const running = await bench.start({ p: ready(tool("die", later(crash))) }, { limits });
		await running.host.tools.call("die", {}, alone);
		await running.reaches("p", "failed");
		expect(told(running, "p", "plugin")).toEqual([`error ${line}`]);
		const [header, message] = line.split(/: (.*)/);
		const { error } = running.host.plugins.get("p");
		expect(error).toMatchObject({ code: "plugin_exited", stage: "ready" });
		const output = told(running, "p", "output");
		expect(output[0]).toBe(`info ${header}:`);
		expect(output.join("\n")).not.toContain("entry.js");
		// The excerpt is what it is about, not the source around it.
		expect(error?.message).toContain(`; the end of its output:\n${header}:\n${message}\n      at `);
	});

	test("in a call has it as stage", async () => {
		const crash = tool("die", "process.exit(4);");
		const running = await bench.start({ p: ready(crash) }, { limits: { restart: { retriesMax: 0 } } });
		await rejection(running.host.tools.call("die", {}, alone));
		await running.reaches("p", "failed");
		expect(running.host.plugins.get("p").error).toMatchObject({ code: "plugin_exited", stage: "call" });
	});
});

test("the log of a plugin tells that it does not answer, and that it does again", async () => {
	const limits = { liveness: { pingEveryMs: 50, silentMs: 100, giveUpMs: 20_000 } };
	const running = await bench.start({ p: ready(tool("block", "Bun.sleepSync(600); return '';")) }, { limits });
	await running.host.tools.call("block", {}, alone);
	await running.logged("p", "it answers again");
	expect(told(running, "p", "host")).toEqual([
		"warn it has not answered for 0.1 s; it is killed at 20 s",
		"info it answers again",
	]);
});

test("an error given to the logger is one line, of the plugin's own places", async () => {
	const log = `amp.logger.log("got", new TypeError("bad thing", { cause: new Error("root") }), { error: new Error("in") });`;
	const running = await bench.start({ p: ready(tool("log", log)) });
	await running.host.tools.call("log", {}, alone);
	const [line = ""] = told(running, "p", "plugin");
	const place = String.raw`at execute \(\S+/p\.ts:2:\d+\)`;
	expect(line).toMatch(
		new RegExp(`^info got TypeError: bad thing ${place} error: root ${place} \\{ error: error: in ${place} \\}$`),
	);
});

test.each(["session.start", "tool.call", "tool.result"] as const)(
	"a handler of %s that throws is an error in the log, with name, message and place",
	async (event) => {
		const gate = ready(`amp.on("${event}", ({ tool }) => missing.member);`);
		const running = await bench.start({ gate, p: ready(tool("t", "return 'fine';")) });
		const { host } = running;
		const { error } = await host.tools.call("t", {});
		if (event === "session.start") await host.emit("session.start");
		const thrown = expect.stringMatching(
			new RegExp(`^error its handler of ${event} failed: ReferenceError: .* \\(/.*/gate\\.ts:2:\\d+\\)$`),
		);
		expect(told(running, "gate", "host")).toEqual([thrown]);
		if (event === "tool.call")
			expect(error?.message).toMatch(/stopped by plugin "gate": .*ReferenceError: .* \(.*gate\.ts:2:\d+\)\.$/);
	},
);

test("an answer that is refused names tool and plugin, and what is required", async () => {
	const odd = [
		tool("circle", "const circle = {}; circle.circle = circle; return circle;"),
		tool("empty", 'return [{ type: "text" }];'),
		tool("late", "await new Promise(() => {});"),
	].join("\n");
	const { host } = await bench.start({ p: ready(odd) });
	const [circle, empty, late] = await Promise.all([
		host.tools.call("circle", {}, alone),
		host.tools.call("empty", {}, alone),
		rejection(host.tools.call("late", {}, { ...alone, timeoutMs: 50 })),
	]);
	expect(circle).toMatchObject({ ok: false, error: { code: "not_serializable", plugin: "p" } });
	expect(circle.error?.message).toStartWith('The result of tool "circle" of plugin "p" cannot be carried as JSON: ');
	expect(empty.error?.message).toBe(
		'The answer to tool "empty" of plugin "p" is not allowed: a text block must have a text string.',
	);
	if (!isBroodError(late, "timeout")) throw new Error(`it is ${late}`);
	expect(late.message).toStartWith('Tool "late" of plugin "p" did not answer within 50 ms.');
});

test("a load that takes too long names its stage in its message", async () => {
	const { host } = await bench.start({ p: "await new Promise(() => {});" }, { limits: { load: { readyMs: 300 } } });
	expect(host.plugins.get("p").error?.message).toContain("never settles, in stage import");
});
