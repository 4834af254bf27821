import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { loadFacts } from "../../../host/contracts/backend.ts";
import type { Host } from "../../../host/host.ts";
import { createBench } from "../support/host.ts";

const bench = createBench();

/** The facts that a plugin has reached, in their order; the milliseconds of each must not go back. */
function reached(host: Host, plugin: string): string[] {
	const { facts } = host.plugins.get(plugin);
	const names = loadFacts.filter((name) => facts[name] !== null);
	const times = names.map((name) => facts[name] ?? Number.NaN);
	expect(times).toEqual([...times].sort((a, b) => a - b));
	return names;
}

describe("the facts of a load", () => {
	test("stand apart for plugins that stopped at each stage, all in one host", async () => {
		const { host } = await bench.start(
			{
				"a-import": "throw new Error('import');",
				"b-shape": "export default 7;",
				"c-hang": "await new Promise(() => {});",
				"d-activate": "export default () => { throw new Error('activate'); };",
				"e-never": "export default () => new Promise(() => {});",
				"f-ready": "export default () => {};",
			},
			{ limits: { load: { readyMs: 2_000 } } },
		);
		const begun = ["found", "spawned", "clientInfo"];
		expect(Object.fromEntries(host.plugins.list().map(({ name }) => [name, reached(host, name)]))).toEqual({
			"a-import": begun,
			"b-shape": begun,
			"c-hang": begun,
			"d-activate": [...begun, "imported", "activated"],
			"e-never": [...begun, "imported", "activated"],
			"f-ready": [...begun, "imported", "activated", "registered", "ready", "published"],
		});
		const states = host.plugins.list().map(({ state }) => state);
		expect(states).toEqual(["failed", "failed", "failed", "failed", "failed", "ready"]);
	});

	test("stand apart before the import too", async () => {
		const command = [process.execPath, join(import.meta.dir, "../../fixtures/core/fake-child.ts")];
		const options = { launch: { form: "custom", command }, limits: { load: { readyMs: 1_500 } } } as const;
		const { host } = await bench.start({ leaves: "", silent: "", newer: "", listless: "", good: "" }, options);
		expect(reached(host, "leaves")).toEqual(["found", "spawned"]);
		expect(reached(host, "silent")).toEqual(["found", "spawned"]);
		expect(reached(host, "newer")).toEqual(["found", "spawned"]);
		expect(reached(host, "listless")).toEqual(loadFacts.filter((name) => name !== "published"));
		expect(reached(host, "good")).toEqual([...loadFacts]);
	});

	test("of a process that could not be spawned are that it was found", async () => {
		const { host } = await bench.start({ lost: "" }, { launch: { form: "custom", command: ["/nowhere/child"] } });
		expect(reached(host, "lost")).toEqual(["found"]);
	});

	test("are told as they are reached, each once a launch and in order", async () => {
		const { events } = await bench.start({ one: "export default () => {};" });
		const told = events.flatMap((event) => (event.type === "fact" ? [event.fact] : []));
		expect(told).toEqual([...loadFacts]);
	});

	test("begin anew with the next launch", async () => {
		const flag = JSON.stringify(bench.path("flag"));
		const running = await bench.start(
			{
				twice: `import { existsSync } from "node:fs";
				export default async (amp) => {
					if (existsSync(${flag})) await new Promise(() => console.error("second"));
					amp.registerCommand("die", { title: "Die" }, () => process.exit(1));
				};`,
			},
			{ limits: { restart: { delaysMs: [1] } } },
		);
		await Bun.write(bench.path("flag"), "");
		void running.host.commands.run("die").catch(() => {});
		await running.logged("twice", "second");
		expect(reached(running.host, "twice")).toEqual(["found", "spawned", "clientInfo", "imported", "activated"]);
		expect(running.host.plugins.get("twice")).toMatchObject({ state: "starting", launches: 2 });
	});
});

describe("nothing of a plugin is visible before it is ready", () => {
	test("and then all of it becomes visible in one step", async () => {
		const { events } = await bench.start({
			slow: `export default async (amp) => {
				amp.registerTool({ name: "one", description: "", inputSchema: { type: "object" }, execute: () => 1 });
				amp.registerCommand("two", { title: "Two" }, () => {});
				amp.on("agent.start", () => {});
				await Bun.sleep(50);
				amp.registerCommand("three", { title: "Three" }, () => {});
			};`,
			"a-quick": `export default (amp) => amp.registerCommand("quick", { title: "Quick" }, () => {});`,
		});
		const changes = events.flatMap((event) => (event.type === "registry" ? [event.change] : []));
		expect(changes.map(({ added }) => added.map(({ plugin, kind }) => `${plugin} ${kind}`))).toEqual(
			expect.arrayContaining([["a-quick command"], ["slow command", "slow command", "slow tool", "slow event"]]),
		);
		expect(changes).toHaveLength(2);
	});
});
