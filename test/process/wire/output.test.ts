import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { createBench } from "../support/host.ts";
import { comesTrue } from "../support/processes.ts";
import { startFake } from "./fake.ts";

/** What children print, and what holds or closes the pipes. */
const bench = createBench();

const tool = (name: string, execute: string) =>
	`amp.registerTool({ name: "${name}", description: "", inputSchema: { type: "object" }, execute: ${execute} });`;
const plugin = (body: string) => `import * as fs from "node:fs"; export default async (amp) => { ${body} };`;
const alone = { events: false };
const printed = (lines: { source: string; message: string }[]) =>
	lines.filter(({ source }) => source === "output").map(({ message }) => message);
const write = `const { writeSync } = require("node:fs"); const print = (text) => { const bytes = Buffer.from(text);
	for (let done = 0; done < bytes.length; ) { try { done += writeSync(2, bytes, done); } catch (error) { if (error.code !== "EAGAIN") throw error; Bun.sleepSync(1); } } };`;

describe("stderr", () => {
	test("of 1 MiB before an answer holds back neither, and the log keeps its end (case 026)", async () => {
		const { call, host } = await startFake(
			bench,
			`tool(wire, id) { ${write} for (let n = 0; n < 10_486; n++) print("e".repeat(90) + " " + n + "\\n"); wire.answer(id, "drained"); }`,
		);
		expect(await call()).toBe("drained");
		await host.stop();
		const lines = printed(host.plugins.log("one"));
		expect(lines.length).toBeLessThanOrEqual(1_000);
		expect(lines.at(-1)).toEndWith(" 10485");
	});

	test("in one line of 200 kB is clipped, and the lines after it are read (case 027)", async () => {
		const { call, host } = await startFake(
			bench,
			`tool(wire, id) { ${write} print("L".repeat(200_000)); print("\\nshort line after\\n"); wire.answer(id, "logged"); }`,
		);
		expect([await call(), await call()]).toEqual(["logged", "logged"]);
		await host.stop();
		const lines = printed(host.plugins.log("one"));
		expect(lines.map((line) => line.slice(0, 20))).toEqual([
			"L".repeat(20),
			"short line after",
			"L".repeat(20),
			"short line after",
		]);
		expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThan(8_300);
		expect(lines[0]).toEndWith("…");
	});

	test("of 2,000 lines and a SIGKILL is in the failure to the last line (case 145)", async () => {
		const { failing, host } = await startFake(
			bench,
			`tool() { ${write} for (let n = 0; n < 2_000; n++) print("line " + n + " " + "p".repeat(90) + "\\n"); process.kill(process.pid, "SIGKILL"); }`,
			{ limits: { restart: { retriesMax: 0 } } },
		);
		const error = (await failing()) as { message: string; exit: { signal: string; stderrTail: string } };
		expect(error.exit.signal).toBe("SIGKILL");
		expect(error.exit.stderrTail).toMatch(/line 1999 p+\n$/);
		expect(error.exit.stderrTail.length).toBeLessThanOrEqual(64 * 1024);
		expect(error.message).toContain("it was ended by SIGKILL");
		expect(printed(host.plugins.log("one")).at(-1)).toStartWith("line 1999");
	});

	test("in pieces of seven bytes from two plugins at once stays whole lines, each under its own name", async () => {
		const source = (word: string) =>
			plugin(
				tool(
					"print",
					`() => { const bytes = Buffer.from(Array.from({ length: 200 }, (_, n) => "${word} é " + n + " end\\n").join(""));
					for (let at = 0; at < bytes.length; at += 7) fs.writeSync(2, bytes.subarray(at, at + 7)); }`,
				).replace('"print"', `"${word}"`),
			);
		const { host } = await bench.start({ one: source("first"), two: source("second") });
		await Promise.all(["first", "second"].map((name) => host.tools.call(name, {}, alone)));
		await host.stop();
		for (const [name, word] of [
			["one", "first"],
			["two", "second"],
		] as const) {
			expect(printed(host.plugins.log(name))).toEqual(Array.from({ length: 200 }, (_, n) => `${word} é ${n} end`));
		}
	});
});

describe("the pipes", () => {
	test("held open by what a plugin left behind delay no exit: the call fails with the exit code (case 049)", async () => {
		const file = bench.path("pid");
		const { failing } = await startFake(
			bench,
			`async tool() {
				const left = Bun.spawn(["sleep", "20"], { stdin: "ignore", stdout: "inherit", stderr: "inherit", detached: true });
				await Bun.write(${JSON.stringify(file)}, String(left.pid)); left.unref();
				process.exit(4);
			}`,
			{ limits: { restart: { retriesMax: 0 } } },
		);
		const begin = performance.now();
		expect(await failing()).toMatchObject({ code: "plugin_exited", exit: { code: 4, signal: null } });
		// The pipe would stay open for 20 s.
		expect(performance.now() - begin).toBeLessThan(5_000);
		const left = Number(readFileSync(file, "utf8"));
		try {
			process.kill(left, "SIGKILL");
		} catch {
			// Bun ends it with its parent where it can.
		}
	});

	test.each([
		["fs.closeSync(1)", "fs.closeSync(1);"],
		["fs.closeSync(0)", "fs.closeSync(0);"],
		["process.stdout.end()", "process.stdout.end();"],
		["process.stdout.destroy()", "process.stdout.destroy();"],
	])("closed by the plugin with %s, while it loads or in a call, are not those of the wire", async (_, close) => {
		const { host } = await bench.start({
			loads: plugin(`${close} ${tool("after", "() => 'loaded'")}`),
			calls: plugin(tool("closes", `() => { ${close} return "closed"; }`)),
		});
		expect(host.plugins.list().map(({ state }) => state)).toEqual(["ready", "ready"]);
		for (let time = 0; time < 2; time += 1) {
			expect((await host.tools.call("after", {}, alone)).text).toBe("loaded");
			if (time === 0) expect((await host.tools.call("closes", {}, alone)).text).toBe("closed");
		}
		expect(host.plugins.list().map(({ launches }) => launches)).toEqual([1, 1]);
	});

	test("of which only stdin is closed end a child that holds a server open", async () => {
		const path = bench.write(
			"server",
			`export default () => { Bun.serve({ port: 0, fetch: () => new Response() }); };`,
		);
		const child = Bun.spawn([process.execPath, "--no-orphans", entry, path], {
			stdin: "pipe",
			stdout: "pipe",
			stderr: "inherit",
		});
		const decoder = new TextDecoder();
		let heard = "";
		let isGreeted = false;
		const info = {
			protocol: "1.0.0",
			client: {},
			plugin: { name: "server", path, root: bench.path("."), scope: "explicit", kind: "file" },
		};
		const reading = (async () => {
			for await (const chunk of child.stdout) {
				heard += decoder.decode(chunk, { stream: true });
				if (!isGreeted && heard.includes("client.info")) {
					isGreeted = true;
					child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, result: info })}\n`);
					child.stdin.flush();
				}
			}
		})();
		expect(await comesTrue(() => heard.includes("runtime.ready"), 10_000)).toBe(true);
		child.stdin.end();
		expect(await child.exited).toBe(0);
		await reading;
	});
});

const entry = new URL("../../../child/entry.ts", import.meta.url).pathname;
