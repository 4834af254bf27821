import { describe, expect, test } from "bun:test";
import { createBench, type Running } from "../support/host.ts";

const bench = createBench();

const forged =
	'{"jsonrpc":"2.0","method":"runtime.ready","params":{"timings":{"imported":0,"activated":0,"registered":0,"ready":0}}}';
const forgedAnswer = '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"forged"}]}}';

/** Ways to write to stdout; each writes WHERE and what it is, and one ends without a line end. */
const writers = `
	import { spawn, spawnSync } from "node:child_process";
	import { writeSync } from "node:fs";
	const writeAll = async (where) => {
		console.log(${JSON.stringify(forged)});
		console.log(${JSON.stringify(forgedAnswer)});
		console.log(where, "console.log");
		console.info(where, "console.info");
		console.table([where + " console.table"]);
		process.stdout.write(where + " process.stdout\\n");
		writeSync(1, where + " writeSync\\n");
		await Bun.write(Bun.stdout, where + " Bun.stdout\\n");
		const sink = Bun.stdout.writer(); sink.write(where + " Bun.stdout.writer\\n"); await sink.flush();
		spawnSync("echo", [where, "spawnSync"], { stdio: "inherit" });
		await Bun.spawn(["echo", where, "Bun.spawn"], { stdout: "inherit" }).exited;
		await new Promise((resolve) => spawn("echo", [where, "node spawn"], { stdio: "inherit" }).on("close", resolve));
		process.stdout.write(where + " no newline");
	};
`;
const ways = [
	"console.log",
	"console.info",
	"console.table",
	"process.stdout",
	"writeSync",
	"Bun.stdout",
	"Bun.stdout.writer",
	"spawnSync",
	"Bun.spawn",
	"node spawn",
	"no newline",
];
const noisy = `${writers}
	await writeAll("import");
	export default async (amp) => {
		await writeAll("activate");
		amp.registerTool({ name: "noisy", description: "", inputSchema: { type: "object" }, execute: async () => { await writeAll("call"); return "quiet"; } });
		amp.on("agent.start", async () => { await writeAll("event"); return { message: { content: "heard" } }; });
		amp.registerCommand("later", { title: "Later" }, () => { setTimeout(() => writeAll("later"), 10); });
		amp.onDispose(() => writeAll("dispose"));
	};`;

/** All that the plugin printed, with its name beside each line. */
const printed = ({ host }: Running, plugin: string) =>
	host.plugins
		.log(plugin)
		.filter(({ source }) => source === "output")
		.map((entry) => `${entry.plugin}> ${entry.message}`)
		.join("\n");

function expectAll(text: string, where: string): void {
	for (const way of ways) expect(text).toContain(`${where} ${way}`);
}

describe("what a plugin writes to stdout", () => {
	test("at load, in calls, in events, later and at its end never touches the wire, and stands in its log with its name", async () => {
		const running = await bench.start({ noisy, calm: "export default () => console.log('calm speaks');" });
		const { host, logged, wire } = running;
		expect(host.plugins.get("noisy").state).toBe("ready");
		expect((await host.tools.call("noisy", {}, { events: false })).text).toBe("quiet");
		expect((await host.emit("agent.start", {})).result).toMatchObject({ messages: [{ content: "heard" }] });
		expect((await host.commands.run("later")).ok).toBe(true);
		await logged("noisy", "later no newline");
		await logged("calm", "calm speaks");
		await host.stop();
		const text = printed(running, "noisy");
		for (const where of ["import", "activate", "call", "event", "later", "dispose"]) expectAll(text, where);
		expect(text).toContain(`noisy> ${forged}`);
		expect(text).toContain(`noisy> ${forgedAnswer}`);
		expect(printed(running, "calm")).toBe("calm> calm speaks");
		expect(wire("noisy").filter((line) => line === "<- runtime.ready")).toHaveLength(1);
		expect(host.plugins.log("noisy").filter(({ source }) => source === "host")).toEqual([]);
	});

	test("at a load that fails is in its log and in the error", async () => {
		const running = await bench.start({
			bad: `console.log("first"); console.error("second"); console.info("third"); process.stdout.write("written");
				process.exit(2);`,
		});
		const { stderrTail = "" } = running.host.plugins.get("bad").error?.exit ?? {};
		const lines = printed(running, "bad").split("\n");
		// What is written past the console comes by a pipe of its own, in no order with the rest.
		expect(lines.filter((line) => line !== "bad> written")).toEqual(["bad> first", "bad> second", "bad> third"]);
		expect(lines).toContain("bad> written");
		for (const word of ["first", "second", "third", "written"]) expect(stderrTail).toContain(word);
	});

	test("without a line end shows in the log although the plugin goes on", async () => {
		const { logged } = await bench.start({ one: `export default () => { process.stdout.write("a question? "); };` });
		expect(await logged("one", "a question?")).toMatchObject({ source: "output", plugin: "one" });
	});

	test("holds back neither answer nor plugin when it is very much", async () => {
		const { host } = await bench.start({
			one: `export default (amp) => amp.registerTool({ name: "flood", description: "", inputSchema: { type: "object" }, execute() {
				console.log("x".repeat(200_000));
				for (let n = 0; n < 3_000; n++) console.log("line", n);
				return "done";
			} });`,
		});
		expect((await host.tools.call("flood", {}, { events: false })).text).toBe("done");
		await host.stop();
		const lines = host.plugins.log("one").map(({ message }) => message);
		expect(lines.at(-1)).toBe("line 2999");
		expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(8 * 1024 + 1);
	});

	// A pipe of Bun is a socket, and a socket cannot be opened by its name.
	test.failing("through the name /dev/stdout stands in its log", async () => {
		const { host, logged } = await bench.start({
			one: `import { execSync } from "node:child_process";
			export default () => { execSync("echo by name > /dev/stdout", { stdio: "inherit" }); };`,
		});
		expect(host.plugins.get("one").state).toBe("ready");
		await logged("one", "by name");
	});

	test("through a console and globals that the plugin replaces changes nothing for the runtime", async () => {
		const { host } = await bench.start({
			one: `globalThis.console = { log() { throw new Error("mine"); } };
			process.stdout.write = () => { throw new Error("mine"); };
			export default (amp) => {
				amp.registerTool({ name: "one", description: "", inputSchema: { type: "object" }, execute: () => ({ still: "works" }) });
				JSON.stringify = () => "broken";
				JSON.parse = () => "broken";
			};`,
		});
		expect((await host.tools.call("one", {}, { events: false })).text).toBe('{"still":"works"}');
	});
});

describe("stdin", () => {
	test.each([
		["process.stdin", `let text = ""; for await (const chunk of process.stdin) text += chunk;`],
		["Bun.stdin", "const text = await Bun.stdin.text();"],
		["readFileSync", `const text = (await import("node:fs")).readFileSync(0, "utf8");`],
		["a subprocess", `const text = await Bun.spawn(["cat"], { stdin: "inherit", stdout: "pipe" }).stdout.text();`],
	])("read through %s is empty, and the wire goes on", async (_, read) => {
		const { host } = await bench.start({
			one: `export default async (amp) => {
				${read}
				amp.registerTool({ name: "read", description: "", inputSchema: { type: "object" }, execute: async () => { ${read} return JSON.stringify(text); } });
				amp.logger.log("read", JSON.stringify(text));
			};`,
		});
		expect(host.plugins.get("one").state).toBe("ready");
		expect(host.plugins.log("one").map(({ message }) => message)).toContain('read ""');
		expect((await host.tools.call("read", {}, { events: false })).text).toBe('""');
	});
});
