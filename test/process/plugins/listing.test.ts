import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { createDesk } from "../cli/support.ts";
import { brokenPlugins, noPlugins } from "./broken.ts";
import { layOutWorkspace, listSamples } from "./workspace.ts";

const desk = createDesk();
/** Short enough to wait for, long enough for every other plugin on a busy machine. */
const list = ["list", "--json", "--ready-timeout", "4000"];

interface Listed {
	plugins: {
		name: string;
		state: string;
		pid: number | null;
		error?: { code: string; stage: string; message: string };
	}[];
	skipped: { path: string; reason: string }[];
}

async function writeAll(): Promise<void> {
	layOutWorkspace(desk.path());
	const broken = Object.entries(brokenPlugins).map(([name, { source }]) => [`.amp/plugins/${name}.ts`, source]);
	const others = Object.keys(noPlugins).map((path) => [`.amp/plugins/${path}`, "export default () => {};"]);
	await desk.write(Object.fromEntries([...broken, ...others]));
	symlinkSync("../nowhere.ts", desk.path(".amp/plugins/dead-link.ts"));
}

test("list --json tells of each of many mixed plugins whether it is ready, or why not, in one order", async () => {
	await writeAll();
	const samples = listSamples();
	const names = [...samples, ...Object.keys(brokenPlugins)].sort();
	expect(names.length).toBeGreaterThanOrEqual(60);

	// Two hosts in one workspace, so that neither waits for the other's slowest plugin.
	const [first, again] = await Promise.all([desk.run(list), desk.run([...list, "--allow-failed"])]);
	const { exitCode, stdout, errors } = first;
	const { plugins, skipped }: Listed = JSON.parse(stdout);
	expect(plugins.map(({ name }) => name)).toEqual(names);
	const told = plugins.map(({ name, state, error }) => [name, state, error?.code ?? "", error?.stage ?? ""]);
	const expected = names.map((name) => {
		const broken = brokenPlugins[name];
		return broken === undefined ? [name, "ready", "", ""] : [name, "failed", broken.code, broken.stage];
	});
	expect(told).toEqual(expected);
	for (const { name, pid, error } of plugins) {
		const says = brokenPlugins[name]?.says;
		expect({ name, hasProcess: pid !== null }).toEqual({ name, hasProcess: says === undefined });
		if (says !== undefined) expect(error?.message).toContain(says);
	}
	const places = {
		...noPlugins,
		"dead-link.ts": "leads nowhere",
		lib: "no index.ts",
		"beside-its-folder": "no index.ts",
	};
	const reasons = Object.entries(places).map(([path, reason]) => {
		const [entry = ""] = path.split("/");
		return { path: desk.path(".amp/plugins", entry), reason: expect.stringContaining(reason) };
	});
	expect(skipped).toEqual(reasons.sort((a, b) => (a.path < b.path ? -1 : 1)));
	expect({ exitCode, errors: errors.map(({ error: { plugin } }) => plugin) }).toEqual({
		exitCode: 4,
		errors: [names.find((name) => name in brokenPlugins)],
	});

	const second: Listed = JSON.parse(again.stdout);
	expect(second.plugins.map(({ name, state, error }) => [name, state, error?.code ?? "", error?.stage ?? ""])).toEqual(
		told,
	);
	expect(second.skipped).toEqual(skipped);
	expect({ exitCode: again.exitCode, running: desk.running() }).toEqual({ exitCode: 0, running: [] });
}, 60_000);
