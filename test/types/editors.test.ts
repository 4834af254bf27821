import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { wrongUses } from "./support/wrong-uses.ts";

/** A workspace outside of this repository that `brood types` alone has set up, checked by tsc as its author would. */
setDefaultTimeout(60_000);
const root = resolve(import.meta.dir, "../..");
let folder = "";
beforeAll(() => {
	folder = realpathSync(mkdtempSync(join(tmpdir(), "brood-editors-")));
	mkdirSync(join(folder, ".git"));
	place("examples/plugins", ".brood/plugins/examples");
	place("test/types/samples", ".brood/plugins/samples");
	place("test/fixtures/plugins/samples", ".amp/plugins");
	place("test/fixtures/plugins/lib", ".amp/lib");
	place("test/fixtures/plugins/dotfiles", ".amp/dotfiles");
	expect(brood("types").exitCode).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function place(from: string, to: string): void {
	cpSync(join(root, from), join(folder, to), { recursive: true, verbatimSymlinks: true });
}

function brood(...parameters: string[]) {
	const command = [process.execPath, join(root, "host/cli/main.ts"), ...parameters];
	return Bun.spawnSync(command, { cwd: folder, env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: "" } });
}

function compile(project: string, ...flags: string[]): { exitCode: number; output: string } {
	const compiler = join(root, "node_modules/typescript/bin/tsc");
	const command = [process.execPath, compiler, "--pretty", "false", "--project", project, ...flags];
	const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: folder });
	return { exitCode, output: stdout.toString() + stderr.toString() };
}

function checked(project: string): string[] {
	const { output } = compile(project, "--listFilesOnly");
	return output.split("\n").filter((path) => path.startsWith(folder));
}

test("every example and the sample of every member compile", () => {
	expect(compile(".brood")).toEqual({ exitCode: 0, output: "" });
	const plugins = checked(".brood").filter((path) => path.includes("/plugins/"));
	expect(plugins.some((path) => path.endsWith("examples/release-notes/index.ts"))).toBe(true);
	expect(plugins.length).toBeGreaterThan(30);
});

test("every plugin of the kinds that are found in the wild compiles", () => {
	expect(compile(".amp")).toEqual({ exitCode: 0, output: "" });
	expect(checked(".amp").filter((path) => path.includes("/plugins/")).length).toBeGreaterThan(40);
});

test("the declaration has no fault that skipLibCheck would hide", () => {
	const { output } = compile(".brood", "--skipLibCheck", "false");
	expect(output.split("\n").filter((line) => line.includes("brood-plugin.d.ts"))).toEqual([]);
});

test("a wrong use of each member does not compile, at its line, whichever of the two names is imported", () => {
	const wrong = Object.values(wrongUses).flat();
	for (const name of ["@ampcode/plugin", "brood/plugin"]) {
		const lines = [`import type { PluginAPI } from "${name}";`, "export default async (amp: PluginAPI) => {", ...wrong];
		const file = writeAlone("wrong", [...lines, "};"].join("\n"));
		const { output } = compile(dirname(file));
		const found = [...output.matchAll(/plugin\.ts\((\d+),/g)].map(([, line]) => Number(line) - 3);
		expect([...new Set(found)].map((line) => wrong[line])).toEqual(wrong);
	}
});

test("the functions that help inference are values of both modules", () => {
	const source = (name: string) => `
		import { defineAgent, defineTool } from "${name}";
		const tool = defineTool<{ n: number }>({
			name: "n", description: "d", inputSchema: { type: "object" }, execute: ({ n }) => n.toFixed(),
		});
		const agent = defineAgent({ model: "a/b", instructions: "i", name: "kept" });
		export const kept: string = agent.name + tool.name;`;
	for (const name of ["@ampcode/plugin", "brood/plugin"]) {
		expect(compile(dirname(writeAlone("values", source(name))))).toEqual({ exitCode: 0, output: "" });
	}
});

test("what the sources keep to themselves is not exported, and neither is anything untyped", () => {
	const source = `
		import type * as plugin from "@ampcode/plugin";
		export type Hidden = plugin.ScalarOf<"string">;
		export const untyped: 0 extends 1 & plugin.PluginAPI ? 1 : 2 = 2;`;
	const { output } = compile(dirname(writeAlone("hidden", source)));
	expect(output).toContain("plugin.ts(3,");
	expect(output.trim().split("\n")).toHaveLength(1);
});

test("without types of Bun a plugin of the API alone still compiles", () => {
	const file = writeAlone(
		"bare",
		'import type { PluginAPI } from "brood/plugin";\nexport default (amp: PluginAPI) => amp.ui.notify(new URL("a", amp.system.ampURL).href);\n',
	);
	const settings = join(dirname(file), "tsconfig.json");
	const text = { extends: "./tsconfig.brood.json", compilerOptions: { types: [], lib: ["ESNext", "DOM"] } };
	cpSync(settings, join(dirname(file), "tsconfig.brood.json"));
	writeFileSync(settings, JSON.stringify(text));
	expect(compile(dirname(file))).toEqual({ exitCode: 0, output: "" });
});

test("Amp's own package, where it is installed, keeps its name", () => {
	const file = writeAlone(
		"installed",
		'import type { PluginAPI } from "@ampcode/plugin";\nexport const theirs: PluginAPI = { theirs: 1 };\n',
	);
	const installed = join(dirname(file), "node_modules/@ampcode/plugin");
	mkdirSync(installed, { recursive: true });
	writeFileSync(join(installed, "package.json"), '{"name":"@ampcode/plugin","version":"1.0.0","types":"index.d.ts"}');
	const theirs = "declare module '@ampcode/plugin' {\n\texport interface PluginAPI { theirs: 1 }\n}\n";
	writeFileSync(join(installed, "index.d.ts"), theirs);
	expect(compile(dirname(file))).toEqual({ exitCode: 0, output: "" });
});

/** A plugin in a folder of its own that `brood types DIR` has set up. */
function writeAlone(name: string, source: string): string {
	const file = join(folder, name, "plugin.ts");
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, source);
	expect(brood("types", name).exitCode).toBe(0);
	return file;
}
