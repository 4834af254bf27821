import { expect } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { comesTrue, processLives, survivorsOf } from "../support/processes.ts";
import { createSamples } from "./support.ts";

const sample = createSamples();

sample("ticks-with-unref", "ticks although its timer would hold no program open", async ({ load }) => {
	const { logged, plugin } = await load();
	await logged("ticks-with-unref", "three ticks");
	expect(plugin().state).toBe("ready");
});

sample("ticks-without-unref", "ticks, and ends with the host although nobody stops the timer", async ({ load }) => {
	const { host, until, plugin } = await load();
	await until("statusItems", ({ items }) => items.some(({ text }) => text === "3 ticks"));
	const { pid } = plugin();
	await host.stop();
	expect(await survivorsOf([pid ?? 0])).toEqual([]);
});

sample("reconnects", "comes back a second after its server has gone, until it is disposed", async ({ load }) => {
	const heard: string[] = [];
	let arrived = Promise.withResolvers<void>();
	using server = Bun.serve({
		port: 0,
		hostname: "127.0.0.1",
		fetch: (request, self) => (self.upgrade(request) ? undefined : new Response("no", { status: 400 })),
		websocket: {
			message(socket, text) {
				heard.push(String(text));
				arrived.resolve();
				if (heard.length < 2) socket.close();
			},
		},
	});
	const { host } = await load({ variables: { RECONNECTS_URL: `ws://127.0.0.1:${server.port}/` } });
	await arrived.promise;
	arrived = Promise.withResolvers();
	await arrived.promise;
	expect(heard).toEqual(["attempt 1", "attempt 2"]);
	await host.stop();
});

sample("watches-a-file", "shows what the file says, each time that it changes", async ({ load, path }) => {
	const { host } = await load();
	const shows = (text: string) => host.statusItems.list()[0]?.text === text;
	expect(shows("no focus")).toBeTrue();
	for (const text of ["tests", "docs"]) {
		// Bun takes two changes within milliseconds for one, so it is saved until it is seen.
		const isShown = await comesTrue(() => {
			writeFileSync(path(".amp/focus.txt"), `${text}\n`);
			return shows(text);
		}, 10_000);
		expect({ text, isShown }).toEqual({ text, isShown: true });
	}
});

sample("drains-on-dispose", "has written every line, in order, by the time that it ends", async ({ load, path }) => {
	const file = path("queue.txt");
	const { host } = await load({ variables: { DRAINS_FILE: file } });
	const tools = ["Read", "Grep", "Bash", "Edit", "Write"];
	for (const tool of tools) await host.emit("tool.call", { tool, input: {} });
	await host.stop();
	expect(readFileSync(file, "utf8")).toBe(`${[...tools, "drained"].join("\n")}\n`);
});

sample(
	"dispose-with-retry",
	"tries again while it is disposed, whatever its other disposer throws",
	async ({ load }) => {
		const goodbyes: string[] = [];
		using server = Bun.serve({
			port: 0,
			hostname: "127.0.0.1",
			async fetch(request) {
				goodbyes.push(await request.text());
				return new Response("", { status: goodbyes.length < 3 ? 503 : 200 });
			},
		});
		const { host } = await load({ variables: { GOODBYE_URL: String(server.url) } });
		await host.stop();
		expect(goodbyes).toEqual(["goodbye 1", "goodbye 2", "goodbye 3"]);
		const log = host.plugins.log("dispose-with-retry").map(({ message }) => message);
		expect(log).toEqual([expect.stringContaining("this disposer always fails")]);
	},
);

sample("signal-handlers", "lives on after a signal, and ends with the host all the same", async ({ load }) => {
	const { host, plugin, run, told, logged } = await load({ limits: { stop: { interruptMs: 300 } } });
	const pid = plugin().pid ?? 0;
	for (const signal of ["SIGINT", "SIGTERM"] as const) {
		process.kill(pid, signal);
		await logged("signal-handlers", `got ${signal}`);
	}
	await run("still-here");
	expect(told()).toEqual([`yes, ${pid}`]);
	await host.stop();
	expect(await survivorsOf([pid])).toEqual([]);
	expect(plugin().state).toBe("stopped");
});

sample("child-per-turn", "has a program while the turn runs, and none after it or after the host", async ({ load }) => {
	const { host } = await load();
	const begin = async (id: string) => {
		const { result } = await host.emit("agent.start", { thread: { id }, message: "hi" });
		return Number(/with (\d+)/.exec(JSON.stringify(result))?.[1]);
	};
	const [first, second] = [await begin("T-1"), await begin("T-2")];
	expect([first, second].filter(processLives)).toEqual([first, second]);
	await host.emit("agent.end", { thread: { id: "T-1" }, message: "hi", id: "M", status: "done", messages: [] });
	expect([first, second].filter(processLives)).toEqual([second]);
	// Its turn never ends.
	await host.stop();
	expect(await survivorsOf([first, second])).toEqual([]);
});

sample(
	"pid-file",
	"names its process in the file while it runs, and sees what a killed run has left",
	async ({ load, path }) => {
		const file = path(".amp/daemon.pid");
		const { host, plugin, reaches, logged } = await load();
		const first = plugin().pid ?? 0;
		expect(readFileSync(file, "utf8")).toBe(String(first));
		const again = reaches("pid-file", "restarting").then(() => reaches("pid-file", "ready"));
		process.kill(first, "SIGKILL");
		await again;
		await logged("pid-file", `${first} left its file behind`);
		expect(readFileSync(file, "utf8")).toBe(String(plugin().pid));
		await host.stop();
		expect(existsSync(file)).toBeFalse();
	},
);

sample("spawn-sync", "blocks while its check runs, and answers what came meanwhile after it", async ({ load }) => {
	const { host, call, plugin } = await load();
	const edited = { tool: "edit_file", input: { path: "a" }, status: "done", output: "ok" };
	const checking = host.emit("tool.result", edited);
	expect(await call("quick")).toBe("quick");
	expect((await checking).result).toMatchObject({ status: "error", error: "check ended with 1: checked" });
	expect(plugin()).toMatchObject({ state: "ready", launches: 1 });
});

sample("noisy-stderr", "answers whatever it prints, and all of it is in its log", async ({ load }) => {
	const { call, logged } = await load();
	for (const text of ["ExperimentalWarning", "half a line", "debug 200", "from below"])
		await logged("noisy-stderr", text);
	expect(await call("calm")).toBe("calm");
	await logged("noisy-stderr", '"forged"');
});

sample("logs-anything", "has a line for each call, with objects by their members", async ({ load }) => {
	const { host, logged } = await load();
	const first = (await logged("logs-anything", "loaded")).message;
	for (const part of ["files", '"b"', "deep: true", "3n", "undefined", "Map"]) expect(first).toContain(part);
	await logged("logs-anything", "Circular");
	await host.emit("session.start");
	await logged("logs-anything", "logged, not thrown");
});
