import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AskContext } from "../../../host/contracts/providers.ts";
import { createThreads } from "../../../host/providers/threads.ts";
import { subscription } from "../../../runtime/disposable.ts";
import { deep, tally } from "../../support/effort.ts";
import { createBench } from "../support/host.ts";
import { childrenOf, comesTrue } from "../support/processes.ts";

const bench = createBench();
const alone = { events: false };

describe("what a plugin subscribes to", () => {
	const subscribes = `export default (amp) => {
		const quiet = { next() {}, error() {} };
		amp.configuration.subscribe(quiet);
		amp.threads.get("T-1").state.subscribe(quiet);
		amp.threads.get("T-1").title.subscribe(quiet);
		amp.registerCommand("die", { title: "Die" }, () => process.exit(1));
	};`;

	/** A host whose providers count what each plugin subscribes to. */
	async function subscribed() {
		const open = new Map<string, number>();
		const hold = (name: string, { plugin }: AskContext) => {
			const key = `${plugin} ${name}`;
			const add = (count: number) => open.set(key, (open.get(key) ?? 0) + count);
			add(1);
			return subscription(() => add(-1));
		};
		const providers = {
			configuration: {
				get: async () => ({}),
				subscribe: (_: unknown, context: AskContext) => hold("configuration", context),
			},
			threads: {
				...createThreads(),
				state: async () => "idle" as const,
				title: async () => "T",
				subscribe: (_: string, __: unknown, context: AskContext) => hold("thread", context),
			},
		};
		const { host, next } = await bench.start(
			{ one: subscribes, two: subscribes },
			{ providers, limits: { restart: { delaysMs: [60_000] } } },
		);
		const of = (plugin: string) =>
			Object.fromEntries(
				[...open].filter(([key]) => key.startsWith(plugin)).map(([key, count]) => [key.slice(4), count]),
			);
		const becomes = (plugin: string, count: number) =>
			comesTrue(
				() =>
					Object.keys(of(plugin)).length === 2 && Object.values(of(plugin)).every((n) => (count > 0 ? n > 0 : n === 0)),
				1_000,
			);
		expect(await becomes("one", 1)).toBe(true);
		expect(await becomes("two", 1)).toBe(true);
		return { host, next, of, becomes };
	}

	test.each([
		["crash", 0],
		["disable", 0],
		["reload", 1],
	] as const)("ends with it by a %s, and what another plugin subscribes to goes on", async (end, left) => {
		const { host, next, of, becomes } = await subscribed();
		if (end === "crash") {
			const crashed = next("state", ({ state }) => state === "restarting");
			await host.commands.run("one:die").catch(() => {});
			await crashed;
		} else {
			await host[end]("one");
		}
		expect(await becomes("one", left)).toBe(true);
		expect(of("two")).toMatchObject({ configuration: 1 });
		expect(of("two").thread).toBeGreaterThan(0);
		await host.stop();
		expect(await becomes("two", 0)).toBe(true);
		expect(await becomes("one", 0)).toBe(true);
	});
});

test("a host that reloads a large plugin again and again does not grow with it", async () => {
	const times = deep ? 200 : 20;
	const data = `export const data = "${"0123456789abcdef".repeat(320_000)}";`;
	const plugin = bench.write(
		"large",
		`${data}\nexport default (amp) => amp.registerTool({ name: "size", description: "", inputSchema: { type: "object" },
			execute: () => data.length });`,
	);
	const program = join(import.meta.dir, "../../fixtures/reload/host-program.ts");
	const child = Bun.spawn([process.execPath, program, plugin, String(times)], { stdout: "pipe", stderr: "inherit" });
	const { grownBytes, text } = JSON.parse(await child.stdout.text());
	expect(await child.exited).toBe(0);
	expect(text).toBe("5120000");
	const grown = Math.round(grownBytes / 2 ** 20);
	tally("reloads of a 5 MB plugin in one host", times, `${grown} MB more than after the first ones`);
	// Had each reload left the module behind, this would be 75 MB at least.
	expect(grown).toBeLessThan(30);
}, 120_000);

test.skipIf(process.platform !== "linux")(
	"050-fifty-cycles-no-zombies: enabling, calling and disabling leaves no dead child and no descriptor",
	async () => {
		const { host } = await bench.start({
			one: `export default (amp) => amp.registerTool({ name: "go", description: "", inputSchema: { type: "object" },
				execute: () => "works" });`,
		});
		const descriptors = () => readdirSync("/proc/self/fd").length;
		let first = 0;
		for (let cycle = 0; cycle < 50; cycle += 1) {
			await host.disable("one");
			await host.enable("one");
			expect((await host.tools.call("go", {}, alone)).text).toBe("works");
			if (cycle === 0) first = descriptors();
		}
		await host.disable("one");
		expect(childrenOf(process.pid).filter(isZombie)).toEqual([]);
		expect(Math.abs(descriptors() - first)).toBeLessThanOrEqual(5);
	},
);

function isZombie(pid: number): boolean {
	try {
		return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
	} catch {
		return false;
	}
}
