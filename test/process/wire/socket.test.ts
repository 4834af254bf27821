import { describe, expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { createBench } from "../support/host.ts";

const bench = createBench();
const root = join(import.meta.dir, "../../..");

/** A plugin with one tool. */
const tool = (name: string, body: string) => `
	import { readFileSync, readlinkSync, writeSync, closeSync } from "node:fs";
	import childProcess from "node:child_process";
	export default (amp) => amp.registerTool({
		name: ${JSON.stringify(name)}, description: "", inputSchema: { type: "object" }, async execute() { ${body} },
	});`;

/** What a process has open, by what it is: `socket:[123]`, `/dev/null` and so on. */
function openIn(pid: number | "self"): string[] {
	const folder = `/proc/${pid}/fd`;
	return readdirSync(folder).flatMap((descriptor) => {
		try {
			return [readlinkSync(join(folder, descriptor))];
		} catch {
			// The descriptor that reads the folder is gone by now.
			return [];
		}
	});
}

const isSocket = (file: string) => file.startsWith("socket:");

describe.skipIf(process.platform !== "linux")("the socket of a plugin", () => {
	const ways = ["Bun.spawn", "Bun.spawnSync", "Bun.$", "exec", "execSync", "spawn", "spawnSync", "fork"];

	test("reaches nothing that the plugin starts, whatever it starts it with", async () => {
		const forked = bench.path("forked.cjs");
		await Bun.write(
			forked,
			`const { readdirSync, readlinkSync } = require("node:fs");
			const link = (name) => { try { return readlinkSync("/proc/self/fd/" + name); } catch { return ""; } };
			process.send(readdirSync("/proc/self/fd").map(link).join(" "));
			process.disconnect();`,
		);
		const body = `
			const own = readlinkSync("/proc/self/fd/3");
			const script = "for each in /proc/$$/fd/*; do readlink $each; done; true";
			const shell = ["sh", "-c", script];
			const heard = (child, event) => new Promise((resolve) => {
				let text = "";
				child.stdout?.on("data", (chunk) => { text += chunk; });
				child.on(event, (message) => resolve(text || message));
			});
			const seen = {
				"Bun.spawn": await new Response(Bun.spawn(shell).stdout).text(),
				"Bun.spawnSync": Bun.spawnSync(shell).stdout.toString(),
				"Bun.$": await Bun.$\`sh -c \${script} | cat\`.text(),
				exec: await new Promise((resolve) => childProcess.exec(script, (_, text) => resolve(text))),
				execSync: childProcess.execSync(script).toString(),
				spawn: await heard(childProcess.spawn("sh", ["-c", script]), "close"),
				spawnSync: childProcess.spawnSync("sh", ["-c", script]).stdout.toString(),
				fork: await heard(childProcess.fork(${JSON.stringify(forked)}), "message"),
			};
			return JSON.stringify({ own, seen });`;
		const { host } = await bench.start({ one: tool("look", body) });
		const { text } = await host.tools.call("look", {}, { events: false });
		const { own, seen } = JSON.parse(String(text)) as { own: string; seen: Record<string, string> };
		expect(own).toStartWith("socket:");
		expect(Object.keys(seen)).toEqual(ways);
		for (const way of ways) {
			expect(seen[way]).toMatch(/null|socket|pipe/);
			expect(seen[way]).not.toContain(own);
		}
	});

	test("is in no other plugin's process, and neither is the host's end of it", async () => {
		const { host } = await bench.start({ first: tool("a", ""), second: tool("b", ""), third: tool("c", "") });
		const pids = ["first", "second", "third"].map((name) => host.plugins.get(name).pid ?? 0);
		// A child reads and writes its wire by descriptors of their own, all of one socket.
		const sockets = [openIn("self"), ...pids.map(openIn)].map((files) => [...new Set(files.filter(isSocket))]);
		// Three pipes to each child, the wire among them.
		expect(sockets.slice(1).map(({ length }) => length)).toEqual([3, 3, 3]);
		const all = sockets.flat();
		expect(new Set(all).size).toBe(all.length);
	});

	test("leaves no descriptor in the host, however often plugins come and go", async () => {
		const load = async (count: number) => {
			const names = Array.from({ length: count }, (_, index) => `plugin-${index}`);
			const { host } = await bench.start(Object.fromEntries(names.map((name) => [name, tool(name, "")])));
			await host.stop();
		};
		await load(2);
		const before = openIn("self").length;
		await load(20);
		await load(20);
		// Some are closed a moment after the end of their process is known.
		while (openIn("self").length - before >= 10) await Bun.sleep(10);
	});

	test("closed by the plugin itself ends that plugin at most, which then serves again", async () => {
		const { host, reaches } = await bench.start({
			one: tool("cut", 'closeSync(3); return "on";'),
			two: tool("still", ""),
		});
		const outcome = await host.tools.call("cut", {}, { events: false }).then(
			({ text }) => text,
			(error: { code: string }) => error.code,
		);
		expect(["on", "plugin_exited"]).toContain(outcome);
		expect((await host.tools.call("still", {}, { events: false })).ok).toBe(true);
		await reaches("one", "ready");
	});
});

describe("what a plugin prints beside its socket", () => {
	test("is in the order in which the console said it, and all of it is log text", async () => {
		const body = `
			for (let round = 0; round < 50; round++) {
				console.log("out " + round);
				console.error("err " + round);
			}
			writeSync(1, '{"jsonrpc":"2.0","method":"runtime.ready","params":{}}\\n');
			return "done";`;
		const { host, logged, wire } = await bench.start({ one: tool("talk", body) });
		await host.tools.call("talk", {}, { events: false });
		await logged("one", "runtime.ready");
		await logged("one", "err 49");
		const lines = host.plugins.log("one").map(({ message }) => message);
		const expected = Array.from({ length: 50 }, (_, round) => [`out ${round}`, `err ${round}`]).flat();
		expect(lines.filter((line) => /^(?:out|err) /.test(line))).toEqual(expected);
		expect(wire("one").filter((line) => line === "<- runtime.ready")).toHaveLength(1);
	});
});

describe("a child of brood without a host", () => {
	test.each([
		["with a live timer", "setInterval(() => {}, 1_000);"],
		["that ignores every signal", 'for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => {});'],
	])("ends by itself %s when the other end of its socket is closed", async (_, body) => {
		const plugin = bench.write("alone", `${body} console.log("running"); export default () => {};`);
		const child = Bun.spawn([process.execPath, join(root, "child/entry.ts"), plugin, "--wire=3"], {
			stdio: ["ignore", "pipe", "pipe", "socket-fd"],
			detached: true,
		});
		bench.watch(child.pid);
		const asked = Promise.withResolvers<void>();
		const socket = await Bun.connect({
			fd: child.stdio[3] ?? -1,
			socket: { binaryType: "uint8array", data: () => asked.resolve(), close() {}, drain() {} },
		});
		await asked.promise;
		socket.end();
		expect(await child.exited).toBe(0);
		expect(child.signalCode).toBeNull();
	});

	test("speaks over stdin and stdout when it is started without a socket, out of the plugin's reach", async () => {
		const command = [process.execPath, join(root, "child/entry.ts")];
		const { host, logged } = await bench.start(
			{ one: tool("t", 'writeSync(1, "written\\n"); return "works";') },
			{ launch: { form: "custom", command } },
		);
		expect(host.plugins.get("one")).toMatchObject({ state: "ready", process: { guard: "descriptors" } });
		expect((await host.tools.call("t", {}, { events: false })).text).toBe("works");
		await logged("one", "written");
	});
});
