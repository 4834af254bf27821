import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { rejection } from "../../unit/runtime/support.ts";
import { createBench } from "../support/host.ts";
import { startFake } from "./fake.ts";

/** One side does not read: what waits for it is bounded, and what was promised comes all the same. */
const bench = createBench();

const tool = (name: string, execute: string) =>
	`amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, execute: ${execute} });`;
const plugin = (body: string) => `export default (amp) => { ${body} };`;
const alone = { events: false };
const limits = { wire: { writeQueueBytesMax: 1_000_000 }, stop: { disposeMs: 20, interruptMs: 20 } };

describe("a plugin that does not read", () => {
	test("makes calls fail at once as busy, by name, once its queue is full; it alone is concerned (case 029)", async () => {
		const running = await startFake(
			bench,
			`hear(wire, { method }) { if (method === "tool.list") setTimeout(() => Bun.sleepSync(60_000)); }`,
			{ limits },
		);
		const { host, failing } = running;
		expect(host.plugins.get("one").state).toBe("ready");
		const outcomes = await Promise.all(
			Array.from({ length: 20 }, async () => (await failing("x".repeat(400_000), 300)) as { code: string }),
		);
		const codes = outcomes.map(({ code }) => code);
		// What the pipe has taken does not wait in this process.
		expect(codes.slice(0, 2)).toEqual(["timeout", "timeout"]);
		expect(codes.slice(4)).toEqual(Array(16).fill("busy"));
		expect(String(outcomes.at(-1))).toMatch(/Tool "t" of plugin "one" was not sent: \d+ bytes wait to be read/);
	});

	test("because its loop is blocked answers all that was accepted when it reads again, and new calls too", async () => {
		const { host, frames, logged } = await bench.start(
			{
				one: plugin(
					tool(
						"block",
						'() => { amp.logger.log("blocking"); setTimeout(() => Bun.sleepSync(300), 20); return "done"; }',
					) + tool("size", "({ text }) => String(text.length)"),
				),
				two: plugin(tool("small", '() => "small"')),
			},
			{ limits },
		);
		await host.tools.call("block", {}, alone);
		await logged("one", "blocking");
		await Bun.sleep(40);
		const text = "é".repeat(200_000);
		const calls = Array.from({ length: 12 }, () =>
			host.tools.call("size", { text }, alone).then(
				(result) => result.text,
				(error: { code: string }) => error.code,
			),
		);
		expect((await host.tools.call("small", {}, alone)).text).toBe("small");
		const outcomes = await Promise.all(calls);
		const accepted = outcomes.filter((outcome) => outcome === "200000").length;
		expect(accepted).toBeGreaterThanOrEqual(2);
		expect(outcomes.filter((outcome) => outcome === "busy")).toHaveLength(12 - accepted);
		expect(accepted).toBeLessThan(12);
		expect((await host.tools.call("size", { text }, alone)).text).toBe("200000");
		const sent = frames("one").filter(
			({ method, kind, bytes }) => method === "tool.execute" && kind === "call" && bytes > 1_000,
		);
		expect(sent).toHaveLength(accepted + 1);
	});

	test("and has written first loses nothing: the host reads while it writes (case 028)", async () => {
		const { call } = await startFake(
			bench,
			`blocking: true, tool(wire, id, { text }) {
				for (let k = 0; k < 200; k++) wire.say({ method: "progress", params: { k, pad: "p".repeat(10_000) } });
				wire.answer(id, String(text.length));
			}`,
		);
		const text = "x".repeat(1_000_000);
		expect(await Promise.all([call(text), call(text), call(text)])).toEqual(["1000000", "1000000", "1000000"]);
	});
});

describe("a host that does not read in time", () => {
	const narrow = { limits: { wire: { writeQueueBytesMax: 200_000 } } };

	test("gets all answers, since the work behind them is done: they wait for room", async () => {
		const { host } = await bench.start({ one: plugin(tool("large", '({ n }) => n + "x".repeat(100_000)')) }, narrow);
		const calls = Array.from({ length: 40 }, (_, n) => host.tools.call("large", { n }, alone));
		const texts = (await Promise.all(calls)).map(({ text }) => text);
		expect(texts.map((text) => text.length)).toEqual(Array.from({ length: 40 }, (_, n) => 100_000 + String(n).length));
		expect(texts.map((text) => text.split("x")[0])).toEqual(Array.from({ length: 40 }, (_, n) => String(n)));
	});

	test("an answer whose caller gives up while it waits is dropped, and the others come", async () => {
		const { host } = await bench.start({ one: plugin(tool("large", '({ n }) => n + "x".repeat(150_000)')) }, narrow);
		const controller = new AbortController();
		const calls = Array.from({ length: 30 }, (_, n) =>
			host.tools.call("large", { n }, n % 2 === 0 ? alone : { ...alone, signal: controller.signal }).then(
				({ ok }) => ok,
				(error: { code: string }) => error.code,
			),
		);
		setTimeout(() => controller.abort(), 5);
		const outcomes = await Promise.all(calls);
		expect(outcomes.filter((_, n) => n % 2 === 0)).toEqual(Array(15).fill(true));
		expect((await host.tools.call("large", { n: 1 }, alone)).ok).toBe(true);
	});

	test("makes the plugin's own calls fail as busy, which it can catch, and goes on with it", async () => {
		const { host } = await bench.start(
			{
				one: plugin(
					tool(
						"opens",
						`async () => {
							const url = "https://example.com/" + "x".repeat(20_000);
							const asked = Array.from({ length: 60 }, () => amp.system.open(url).then(() => "opened", (error) => error.code));
							const outcomes = await Promise.all(asked);
							await amp.system.open("https://example.com/");
							return [...new Set(outcomes)].sort().map((code) => code + " " + outcomes.filter((o) => o === code).length).join();
						}`,
					),
				),
			},
			{ ...narrow, providers: { system: { open: async () => {} } } },
		);
		const { text } = await host.tools.call("opens", {}, alone);
		const [, busy, opened] = /^busy (\d+),opened (\d+)$/.exec(text) ?? [];
		expect(Number(busy) + Number(opened)).toBe(60);
		expect(Number(opened)).toBeGreaterThanOrEqual(9);
	});

	test("an error of such a call that a tool hands on is the tool's answer, not the fate of the host's call", async () => {
		const forge = (code: string) =>
			`() => { throw Object.assign(new Error("mine"), { [Symbol.for("brood.error")]: true, name: "BroodError", code: "${code}" }); }`;
		const codes = ["busy", "channel_closed", "plugin_exited", "timeout", "cancelled", "host_stopped"];
		const { host } = await bench.start({ one: plugin(codes.map((code) => tool(code, forge(code))).join("\n")) });
		const results = await Promise.all(codes.map((code) => host.tools.call(code, {}, { ...alone, timeoutMs: 5_000 })));
		expect(results.map(({ ok, text }) => ({ ok, text }))).toEqual(codes.map(() => ({ ok: false, text: "mine" })));
		expect(host.plugins.get("one").launches).toBe(1);
	});

	test("loses lines of the log past the limit, and one line in their place tells how many", async () => {
		const { host, logged } = await bench.start(
			{
				one: plugin(
					tool(
						"chatty",
						'() => { for (let n = 0; n < 5_000; n++) amp.logger.log("line", n, "x".repeat(500)); return "done"; }',
					),
				),
			},
			narrow,
		);
		expect((await host.tools.call("chatty", {}, alone)).text).toBe("done");
		const { message } = await logged("one", "were dropped");
		const lines = host.plugins
			.log("one")
			.filter(({ source }) => source === "plugin")
			.map((entry) => entry.message);
		const kept = lines.filter((line) => line.startsWith("line "));
		expect(message).toBe(
			`${5_000 - kept.length} lines of this log were dropped, since the host did not read them in time`,
		);
		expect(lines.indexOf(message)).toBe(kept.length);
		expect(kept.length).toBeGreaterThan(100);
		// The log goes on after the gap.
		await host.tools.call("chatty", {}, alone);
		expect(host.plugins.log("one").filter(({ message: line }) => line.startsWith("line 0 "))).toHaveLength(2);
	});

	test("learns of what was registered while not even a small message had room", async () => {
		const { host, until } = await bench.start(
			{
				one: plugin(
					tool(
						"grow",
						`() => {
							const line = (message) => JSON.stringify({ jsonrpc: "2.0", method: "log", params: { level: "info", message } }) + "\\n";
							const fitting = "x".repeat(100 - line("").length);
							setTimeout(() => { ${tool("late", '() => "late"')} for (let n = 0; n < 10_100; n++) amp.logger.log(fitting); }, 20);
							return "done";
						}`,
					),
				),
			},
			{ limits: { wire: { writeQueueBytesMax: 1_000_000 } } },
		);
		await host.tools.call("grow", {}, alone);
		await until("registry", ({ change }) => change.added.some(({ key }) => key === "late"));
		expect((await host.tools.call("late", {}, alone)).text).toBe("late");
	});

	test.skipIf(process.platform !== "linux")(
		"and a plugin that logs in masses meanwhile: its process stays small",
		async () => {
			const { host, logged } = await bench.start(
				{
					one: plugin(
						`${tool(
							"flood",
							`() => {
						const line = "x".repeat(8_000);
						const end = performance.now() + 600;
						const more = () => {
							for (let n = 0; n < 200; n++) amp.logger.log(line);
							if (performance.now() < end) setImmediate(more);
							else console.error("flooded");
						};
						setTimeout(more);
						return "begun";
					}`,
						)}`,
					),
				},
				{ limits: { wire: { writeQueueBytesMax: 4 * 1024 * 1024 } } },
			);
			const { pid } = host.plugins.get("one");
			const before = peakOf(pid);
			await host.tools.call("flood", {}, alone);
			// The host's loop stands still, as that of a program that computes.
			Bun.sleepSync(500);
			await logged("one", "flooded");
			const { message } = await logged("one", "were dropped");
			expect(Number.parseInt(message, 10)).toBeGreaterThan(1_000);
			expect(peakOf(pid) - before).toBeLessThan(100);
		},
	);
});

test("calls made in the very tick in which the host learns of an exit reject, as exited or no longer there", async () => {
	const late: Promise<unknown>[] = [];
	const { host, reaches } = await bench.start(
		{ one: plugin(`${tool("t", '() => "t"')} ${tool("die", "() => process.exit(3)")}`) },
		{ limits: { restart: { delaysMs: [60_000] } } },
	);
	const call = () => rejection(host.tools.call("t", {}, alone));
	const died = rejection(host.tools.call("die", {}, alone)).then((error) => {
		late.push(call());
		return error;
	});
	const gone = reaches("one", "restarting").then(() => late.push(call()));
	expect(await died).toMatchObject({ code: "plugin_exited", exit: { code: 3 } });
	await gone;
	for (const error of await Promise.all(late)) {
		expect(error).toMatchObject({ code: expect.stringMatching(/^(?:plugin_exited|tool_not_found|plugin_not_ready)$/) });
	}
	expect(late).toHaveLength(2);
});

/** The most memory that a process has had, in MiB. */
function peakOf(pid: number | null): number {
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
