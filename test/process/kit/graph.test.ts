import { expect, test } from "bun:test";
import { createServer } from "node:net";
import { testPlugin } from "../../kit/index.ts";
import { childrenOf, comesTrue } from "../support/processes.ts";
import { activating, createPlugins, rejection } from "./support.ts";

const plugins = createPlugins();
const load = (body: string, options = {}) => plugins.load(body, { isolation: "graph", ...options });

test("a graph runs in this process, says so, and starts no other", async () => {
	const children = () => (process.platform === "linux" ? childrenOf(process.pid) : []);
	const before = children();
	await using plugin = await load(`tool("pid", () => String(process.pid));`);
	expect(children()).toEqual(before);
	const { pid, process: facts } = plugin.host.plugins.get(plugin.name);
	expect((await plugin.tools.call("pid", {})).text).toBe(String(process.pid));
	expect([pid, facts]).toEqual([process.pid, { form: "graph", guard: null, runtimeVersion: Bun.version }]);
});

test("what graphs need is loaded with the first of them, since it takes its time", async () => {
	const { exitCode, said } = await plugins.tests(
		`const graphFiles = () => Object.keys(require.cache).filter((path) => /test\\/kit\\/(graph|memory)/.test(path)).length;
		test("loads", async () => {
			await using plugin = await testPlugin(path);
			expect(graphFiles()).toBe(0);
			await using other = await testPlugin(path, { isolation: "graph" });
			expect(graphFiles()).toBeGreaterThan(0);
		});`,
	);
	expect([exitCode, said]).toEqual([0, expect.stringContaining("1 pass")]);
});

test("a plugin of a graph has its own process, whose listeners, arguments and exit are not the test's", async () => {
	const [before, argv, directory] = [process.listenerCount("SIGTERM"), process.argv, process.cwd()];
	await using plugin = await load(
		`process.on("SIGTERM", () => {});
		process.env.MINE = "mine";
		process.chdir("/");
		process.exitCode = 9;
		process.stdout.write("written to stdout\\n");
		tool("spawn", () => Bun.spawnSync(["sh", "-c", "echo $MINE; pwd"]).stdout.toString());
		tool("stdin", async () => { let text = ""; for await (const chunk of process.stdin) text += chunk; return "<" + text + ">"; });`,
	);
	expect((await plugin.tools.call("spawn", {})).text).toBe("mine\n/\n");
	expect((await plugin.tools.call("stdin", {})).text).toBe("<>");
	expect(plugin.logs.map(({ message }) => message)).toContain("written to stdout");
	expect([
		process.listenerCount("SIGTERM"),
		process.argv,
		process.cwd(),
		process.env.MINE,
		process.exitCode ?? 0,
	]).toEqual([before + 1, argv, directory, undefined, 0]);
});

test("what a plugin of a graph has opened ends with it", async () => {
	const port = await freePort();
	const plugin = await load(
		`let ticks = 0;
		setInterval(() => globalThis.kitTicks = ++ticks, 1);
		const server = Bun.serve({ port: ${port}, fetch: () => new Response("here") });
		const child = Bun.spawn(["sleep", "100"]);
		tool("pid", () => String(child.pid));`,
	);
	const pid = Number((await plugin.tools.call("pid", {})).text);
	expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("here");
	await plugin[Symbol.asyncDispose]();
	await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
	const ticks: unknown = Reflect.get(globalThis, "kitTicks");
	await Bun.sleep(20);
	expect(Reflect.get(globalThis, "kitTicks")).toBe(ticks);
	expect(() => process.kill(pid, 0)).toThrow();
});

test("two plugins of graphs share no modules, and each has a fresh copy of its own", async () => {
	plugins.write("export let count = 0; export const next = () => ++count;", "counter.ts");
	const path = plugins.write(
		`import { next } from "./counter.ts";\n${activating('tool("next", () => String(next()));')}`,
		"counting.ts",
	);
	await using first = await testPlugin(path, { isolation: "graph" });
	await using second = await testPlugin(path, { isolation: "graph" });
	expect((await first.tools.call("next", {})).text).toBe("1");
	expect((await first.tools.call("next", {})).text).toBe("2");
	expect((await second.tools.call("next", {})).text).toBe("1");
});

test("a reload makes a graph anew, and the old one ends", async () => {
	await using plugin = await load(
		`globalThis.kitLoads = (globalThis.kitLoads ?? 0) + 1;
		amp.onDispose(() => amp.logger.log("disposed"));
		tool("loads", () => String(globalThis.kitLoads));`,
	);
	await plugin.host.reload(plugin.name);
	expect((await plugin.tools.call("loads", {})).text).toBe("2");
	expect(await comesTrue(() => plugin.logs.some(({ message }) => message === "disposed"), 5_000)).toBe(true);
});

// In a program of its own: in one that runs files in parallel Bun reads each file once.
test("a host that watches follows the modules of a graph, those of a second graph too", async () => {
	const word = plugins.write('export const word = "first";', "watched-word.ts");
	const { exitCode, said } = await plugins.tests(
		`test("follows", async () => {
	await using plugin = await testPlugin(path, { isolation: "graph" });
	const watch = await plugin.host.watch();
	for (const next of ["second", "third"]) {
		await Bun.write(${JSON.stringify(word)}, \`export const word = "\${next}";\`);
		const begun = performance.now();
		while (!plugin.logs.some(({ message }) => message === next)) {
			expect(performance.now() - begun).toBeLessThan(4_000);
			await Bun.sleep(5);
		}
	}
	await watch.stop();
});`,
		`import { word } from "./watched-word.ts";\n${activating("amp.logger.log(word);")}`,
	);
	expect(said).toContain("1 pass");
	expect(exitCode).toBe(0);
});

test("more than a socket holds goes through memory as well, both ways, and one that asks without pause lets others live", async () => {
	await using plugin = await load(
		`tool("long", ({ text }) => text + text);
		let asks = 0;
		tool("busy", async () => { for (; asks < 20_000; asks += 1) await amp.configuration.get(); return "done"; });
		tool("asks", () => String(asks));`,
	);
	const text = "é".repeat(2_000_000);
	expect((await plugin.tools.call("long", { text })).text).toBe(text + text);
	let ticks = 0;
	const timer = setInterval(() => ticks++, 1);
	const busy = plugin.tools.call("busy", {});
	await Bun.sleep(50);
	expect(Number((await plugin.tools.call("asks", {})).text)).toBeGreaterThan(0);
	expect(ticks).toBeGreaterThan(5);
	clearInterval(timer);
	await plugin[Symbol.asyncDispose]();
	await rejection(busy);
});

async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	await new Promise((resolve) => server.close(resolve));
	return typeof address === "object" && address !== null ? address.port : expect.unreachable();
}
