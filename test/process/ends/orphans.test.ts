import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openByteChannel } from "../../../runtime/channel.ts";
import { ndjson } from "../../../runtime/codec/ndjson.ts";
import { withOverrides } from "../../../runtime/limits.ts";
import { createPeer } from "../../../runtime/peer.ts";
import { type ClientInfo, protocolVersion } from "../../../runtime/protocol.ts";
import { streamWire } from "../../../runtime/wire-stream.ts";
import { createBench } from "../support/host.ts";
import { childrenOf, comesTrue, groupLives, processLives } from "../support/processes.ts";
import { outlive } from "./support.ts";

const bench = createBench();
const root = join(import.meta.dir, "../../..");
const inherited = () => ({ ...(process.env as Record<string, string>) });

describe("what a plugin started", () => {
	test("048: a shell and its background job end with the plugin", async () => {
		const log = bench.path("log");
		const plugins = [join(root, "test/fixtures/cases/048-grandchild-after-unload/plugin.ts")];
		const { host } = await bench.start({}, { plugins, env: { ...inherited(), CASE_LOG: log } });
		const { child, sub } = JSON.parse(readFileSync(log, "utf8"));
		expect([child, sub].map(processLives)).toEqual([true, true]);
		await host.disable("plugin");
		expect(await outlive([child, sub])).toEqual([]);
	});

	// setsid(1) is a tool of Linux; what is true of it is true of every program that leaves both group and parent.
	test.skipIf(Bun.which("setsid") === null)(
		"is out of reach once its parent, a shell, is gone and it has a session of its own",
		async () => {
			const { host } = await bench.start({
				one: `export default (amp) => amp.registerTool({
				name: "leave", description: "", inputSchema: { type: "object" },
				execute: async () => (await Bun.$\`sh -c 'setsid sleep 600 > /dev/null 2>&1 & echo $!'\`.text()).trim(),
			});`,
			});
			const job = Number((await host.tools.call("leave", {}, { events: false })).text);
			try {
				// From now on it leads its own group, which no plugin's group is.
				expect(await comesTrue(() => groupLives(job), 5_000)).toBe(true);
				await host.stop();
				expect(processLives(job)).toBe(true);
			} finally {
				process.kill(job, "SIGKILL");
			}
		},
	);
});

test("a hundred starts and stops leave no process, no descriptor and nothing that is defunct", async () => {
	const names = ["one", "two", "three", "four"];
	const source = (name: string) => `export default (amp) => amp.registerTool({
		name: ${JSON.stringify(name)}, description: "", inputSchema: { type: "object" }, execute: () => "works",
	});`;
	const { host } = await bench.start(Object.fromEntries(names.map((name) => [name, source(name)])));
	const cycle = async (name: string) => {
		expect((await host.tools.call(name, {}, { events: false })).text).toBe("works");
		await host.disable(name);
		await host.enable(name);
	};
	await Promise.all(names.map(cycle));
	const descriptors = () => (process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0);
	const before = descriptors();
	await Promise.all(
		names.map(async (name) => {
			for (let turn = 1; turn < 25; turn += 1) await cycle(name);
		}),
	);
	expect(host.plugins.list().map(({ state, launches }) => ({ state, launches }))).toEqual(
		Array(4).fill({ state: "ready", launches: 1 }),
	);
	expect(Math.abs(descriptors() - before)).toBeLessThanOrEqual(5);
	if (process.platform === "linux") {
		const children = childrenOf(process.pid);
		expect(children.filter((pid) => !processLives(pid))).toEqual([]);
		const running = host.plugins.list().map(({ pid }) => pid);
		// One watchdog for all of them.
		expect(children.filter((pid) => !running.includes(pid))).toHaveLength(1);
	}
});

describe("a child whose host is gone, with nobody to send it a signal", () => {
	/** Starts a child without --no-orphans and with no watchdog, as a host that speaks to it until it is ready. */
	async function startAlone(source: string) {
		const plugin = bench.write("alone", source);
		const child = Bun.spawn([process.execPath, join(root, "child/entry.ts"), plugin], {
			stdin: "pipe",
			stdout: "pipe",
			stderr: "pipe",
			detached: true,
		});
		bench.watch(child.pid);
		const ready = Promise.withResolvers<void>();
		const { wire } = withOverrides();
		const peer = createPeer(
			(listener) =>
				openByteChannel({ wire: streamWire(child.stdout, child.stdin), codec: ndjson, limits: wire, listener }),
			{ pendingCallsMax: wire.pendingCallsMax },
		);
		peer.handle("client.info", () => clientInfo(plugin));
		peer.listen("runtime.ready", () => ready.resolve());
		const errors = child.stderr.getReader();
		await ready.promise;
		return { child, peer, errors };
	}

	test.each([
		["with a live timer", "setInterval(() => {}, 1_000);"],
		["with a server that listens", "Bun.serve({ port: 0, fetch: () => new Response() });"],
		["that ignores every signal", 'for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => {});'],
	])("ends by itself %s when its stdin ends", async (_, body) => {
		const { child } = await startAlone(`${body} export default () => {};`);
		await child.stdin.end();
		expect(await child.exited).toBe(0);
		expect(child.signalCode).toBeNull();
	});

	test("ends by itself when all of its pipes break while it logs in a loop", async () => {
		const { child, errors } = await startAlone(`
			setInterval(() => { for (let line = 0; line < 100; line += 1) console.log("a line of the log"); });
			export default (amp) => { setInterval(() => amp.logger.log("another one")); };
		`);
		await errors.read();
		await Promise.all([errors.cancel(), child.stdin.end()]);
		await child.exited;
		expect({ code: child.exitCode, signal: child.signalCode }).toEqual({ code: 0, signal: null });
	});
});

function clientInfo(path: string): ClientInfo {
	return {
		protocol: protocolVersion,
		client: { name: "test", version: "1.0.0" },
		plugin: { name: "alone", path, root: dirname(path), scope: "explicit", kind: "file" },
		workspaceRoot: null,
		ampURL: "https://example.com/",
		user: null,
		executor: { kind: "local" },
		activeThread: null,
		ui: false,
		providers: [],
		codec: "ndjson",
	};
}
