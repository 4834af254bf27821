import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { examples } from "../examples-support.ts";
import { createSamples } from "./support.ts";

const sample = createSamples();

sample("spawns-the-host", "gets an answer of the other run, which starts none in turn", async ({ load, path }) => {
	const { call } = await load();
	const program = join(examples, "embed/compiled.ts");
	const nested = [program, path(".amp/plugins/spawns-the-host.ts"), "ask_another", "{}"];
	expect((await call("ask_another", { args: nested })).split("\n").at(-1)).toBe("nested at depth 1");
});

sample("scans-argv", "finds no flag of the host, and its own path at the end", async ({ load, path }) => {
	const { ask } = await load();
	expect(await ask("mode_of_host")).toEqual({ headless: false, count: 3, last: path(".amp/plugins/scans-argv.ts") });
});

sample("walks-parents", "finds the host above it, or nobody where there is no ps", async ({ load }) => {
	const { ask } = await load({ variables: { TERM_PROGRAM: "a terminal" } });
	const { ancestors, terminal } = Object(await ask("ancestors"));
	expect({ terminal, host: ancestors[0] }).toEqual({ terminal: "a terminal", host: process.pid });
	// Not every ps knows its options, and the first process of a machine counts as none.
	expect([[], [process.ppid]]).toContainEqual(ancestors.slice(1, 2));
});

sample(
	"cwd-as-workspace",
	"is in the folder of plugins, and climbs to the workspace that it is told",
	async ({ load, path }) => {
		const { ask } = await load({ variables: { PWD: "/where/the/person/is" } });
		expect(await ask("where")).toEqual({
			cwd: path(".amp/plugins"),
			pwd: "/where/the/person/is",
			climbed: path(),
			told: path(),
		});
	},
);

sample(
	"writes-settings-at-load",
	"has its defaults in both settings files, and keeps what is there",
	async ({ load, path }) => {
		const workspace = path(".brood/settings.json");
		const { host } = await load();
		expect(await Bun.file(workspace).json()).toEqual({ "budget.tokens": 20_000, "budget.warn": true });
		const home = join(process.env.XDG_CONFIG_HOME ?? "", "brood/settings.json");
		expect(await Bun.file(home).json()).toEqual({ "budget.seen": true });
		await Bun.write(workspace, '{ "budget.tokens": 5 }');
		await host.reload("writes-settings-at-load");
		expect(await Bun.file(workspace).json()).toEqual({ "budget.tokens": 5, "budget.warn": true });
		expect(existsSync(path(".amp/settings.json"))).toBeTrue();
	},
);

sample(
	"relative-settings",
	"finds nothing at the first path, and the file of the workspace at the second",
	async ({ load }) => {
		const { host } = await load();
		const { result } = await host.emit("agent.start", { message: "go" });
		expect(result).toMatchObject({ messages: [{ content: "Sprint: tortoise", display: false }] });
	},
);
