import { describe, expect, test } from "bun:test";
import type { LogEntry } from "../../../host/index.ts";
import { type BroodError, isBroodError } from "../../../runtime/errors.ts";
import { createBench, type Running } from "../support/host.ts";

const bench = createBench();

const ready = (body: string) => `export default (amp) => { ${body} };`;
const tool = (execute: string) =>
	`amp.registerTool({ name: "t", description: "", inputSchema: { type: "object" }, execute: async () => { ${execute} } });`;
const words = (count: number) => `for (let n = 1; n <= ${count}; n++) console.error("word " + n);`;
const fast = { limits: { load: { readyMs: 1_500 }, restart: { retriesMax: 0 } } };

/** The error of a plugin, once it has failed. */
async function failed({ host, reaches }: Running, plugin = "p"): Promise<BroodError> {
	await reaches(plugin, "failed");
	const { error } = host.plugins.get(plugin);
	if (!isBroodError(error)) throw new Error(`${plugin} has no error`);
	return error;
}

describe("a failed load has the last words of the plugin, in its tail and in its message", () => {
	const ways: [string, string, string][] = [
		["exits", `${words(3)} process.exit(4);`, "exited_before_ready"],
		["throws as it is imported", `${words(3)} throw new Error("no");`, "load_failed"],
		["throws as it is activated", ready(`${words(3)} throw new Error("no");`), "load_failed"],
		["exports nothing", words(3), "no_default_export"],
		["hangs", `${words(3)} await new Promise(() => {});`, "ready_timeout"],
		["blocks", `${words(3)} await Bun.sleep(1); while (true) {}`, "ready_timeout"],
		[
			"is killed",
			`${words(3)} process.kill(process.pid, "SIGKILL"); await new Promise(() => {});`,
			"exited_before_ready",
		],
	];

	test("whichever way it fails", async () => {
		const plugins = Object.fromEntries(ways.map(([, source], index) => [`p${index}`, source]));
		const running = await bench.start(plugins, fast);
		const errors = await Promise.all(ways.map((_, index) => failed(running, `p${index}`)));
		expect(errors.map(({ code }): string => code)).toEqual(ways.map(([, , code]) => code));
		for (const [index, error] of errors.entries()) {
			expect(error.stderrTail).toStartWith("word 1\nword 2\nword 3\n");
			expect(error.message).toContain("the end of its output:\nword 1\nword 2\nword 3");
			expect(error.message).toContain(`"p${index}"`);
			if (error.hint !== undefined) expect(error.message).toEndWith(error.hint);
		}
	});
});

describe("a plugin that ends after it was ready", () => {
	const signals = ["SIGKILL", "SIGSEGV", "SIGABRT", "SIGILL", "SIGTERM"];

	test("is told of with its signal by name and its last words, also when it was killed from outside", async () => {
		const endings = [
			...signals.map((signal) => `process.kill(process.pid, "${signal}"); await new Promise(() => {});`),
		];
		const plugins = Object.fromEntries(
			endings.map((ending, index) => [`p${index}`, ready(tool(words(2) + ending).replace('"t"', `"t${index}"`))]),
		);
		const outside = ready(tool("console.error('outside'); await new Promise(() => {});"));
		const running = await bench.start({ ...plugins, outside }, fast);
		const { host, logged } = running;
		const calls = endings.map((_, index) => host.tools.call(`t${index}`, {}).catch((error: unknown) => error));
		const held = host.tools.call("t", {}).catch((error: unknown) => error);
		await logged("outside", "outside");
		process.kill(host.plugins.get("outside").pid ?? 0, "SIGKILL");
		const told = await Promise.all([...calls, held]);
		const names = [...signals, "SIGKILL"];
		for (const [index, error] of told.entries()) {
			if (!isBroodError(error, "plugin_exited")) throw new Error(`call ${index} gave ${error}`);
			expect(error.exit).toMatchObject({ code: null, signal: names[index] ?? "" });
			expect(error.message).toContain(`ended by ${names[index]}`);
			expect(error.message).toContain(index < endings.length ? "word 1\nword 2" : "outside");
		}
		const crash = await failed(running, "p0");
		expect(crash).toMatchObject({ code: "plugin_exited", stderrTail: "word 1\nword 2\n" });
		expect(crash.message).toContain("word 1\nword 2");
	});

	test("by the host, since it did not answer, has its last words too", async () => {
		const spin = `${words(2)} setTimeout(() => { while (true) {} }, 1);`;
		const limits = { ...fast.limits, liveness: { pingEveryMs: 20, silentMs: 40, giveUpMs: 200 } };
		const running = await bench.start({ p: ready(spin) }, { limits });
		const endedFor = "it did not answer for 200 ms";
		const exit = { code: null, signal: "SIGKILL", stderrTail: "word 1\nword 2\n", endedFor };
		expect((await failed(running)).exit).toEqual(exit);
		expect(running.host.plugins.log("p").map(({ message }) => message)).toContainEqual(
			expect.stringContaining("did not answer"),
		);
	});

	test("right after 2,000 lines has them all in its tail, and the last ones in its log", async () => {
		const line = (n: number) => `line ${n} ${"x".repeat(20)}`;
		const flood = `for (let n = 1; n <= 2000; n++) console.error("line " + n + " " + "x".repeat(20));
			process.kill(process.pid, "SIGKILL"); await new Promise(() => {});`;
		const running = await bench.start({ p: ready(tool(flood)) }, fast);
		await running.host.tools.call("t", {}).catch(() => {});
		const { exit, message } = await failed(running);
		const lines = Array.from({ length: 2_000 }, (_, index) => line(index + 1));
		const whole = `${lines.join("\n")}\n`;
		expect(exit?.stderrTail).toBe(whole.slice(-64 * 1024));
		expect(message).toContain(lines.slice(-6).join("\n"));
		const output = running.host.plugins.log("p").filter(({ source }) => source === "output");
		expect(output.at(-1)?.message).toBe(line(2_000));
		expect(output.length).toBeGreaterThan(990);
	});
});

test("every failure leaves one line with plugin and reason for a sink that hears of errors alone", async () => {
	const entries: LogEntry[] = [];
	const running = await bench.start(
		{
			exits: "process.exit(4);",
			throws: "throw new Error('not\\ntoday');",
			none: "",
			hangs: "await new Promise(() => {});",
			crashes: ready(
				`amp.registerTool({ name: "die", description: "", inputSchema: { type: "object" }, execute() { process.exit(9); } });`,
			),
			fine: ready(""),
		},
		{ ...fast, log: (entry) => entries.push(entry), logFilter: "error" },
	);
	await running.host.tools.call("die", {}).catch(() => {});
	await running.reaches("crashes", "failed");
	bench.write("fine", "throw new Error('changed for the worse');");
	await running.host.reload("fine").catch(() => {});
	const told = entries.map(({ plugin, level, source, message }): string[] => [plugin, level, source, message]);
	const line = (plugin: string, text: string) => [plugin, "error", "host", expect.stringContaining(text)];
	expect(told.sort(([one = ""], [other = ""]) => (one < other ? -1 : 1))).toEqual([
		line("crashes", 'Plugin "crashes" ended: it exited with code 9'),
		line("exits", "it exited with code 4 in stage import"),
		line("fine", "changed for the worse"),
		line("hangs", "was not ready within 1500 ms"),
		line("none", "it exports nothing"),
		line("throws", "not"),
	]);
	expect(entries.filter(({ message }) => message.includes("\n"))).toEqual([]);
});
