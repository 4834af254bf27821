import { describe, expect, test } from "bun:test";
import {
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	unlinkSync,
} from "node:fs";
import { join, resolve } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import { createDesk } from "./support.ts";

const desk = createDesk();
const plugin =
	'import type { PluginAPI } from "brood/plugin";\nexport default (amp: PluginAPI) => amp.logger.log(Bun.version);\n';
const root = resolve(import.meta.dir, "../../..");
const compiler = join(root, "node_modules/typescript/bin/tsc");

function compile(project: string): string {
	const command = [process.execPath, compiler, "--pretty", "false", "--project", desk.path(project)];
	const { stdout, stderr } = Bun.spawnSync(command, { cwd: desk.path() });
	return stdout.toString() + stderr.toString();
}

function text(path: string): string {
	return readFileSync(desk.path(path), "utf8");
}

/** Changes the version and the content of a written file. */
async function rewrite(path: string, version: string, content = "// other\n"): Promise<void> {
	await desk.write({ [path]: text(path).replace(`brood ${manifest.version}`, `brood ${version}`) + content });
}

test("types sets up each plugin place of the workspace, beside it, so that its plugins compile", async () => {
	await desk.write({ ".brood/plugins/a.ts": plugin, ".amp/plugins/b/index.ts": plugin });
	const { exitCode, stdout, stderr } = await desk.run(["types"]);
	const files = [".brood/brood-plugin.d.ts", ".brood/tsconfig.json", ".amp/brood-plugin.d.ts", ".amp/tsconfig.json"];
	const lines = stdout.trimEnd().split("\n");
	expect(lines.map((line) => line.split(/ +/))).toEqual(files.map((file) => ["written", file]));
	expect({ exitCode, stderr, brood: compile(".brood"), amp: compile(".amp") }).toEqual({
		exitCode: 0,
		stderr: "",
		brood: "",
		amp: "",
	});
	expect(readdirSync(desk.path(".brood/plugins"))).toEqual(["a.ts"]);
	const listed = await desk.run(["list", "--all", "--json"]);
	expect(JSON.parse(listed.stdout)).toMatchObject({ plugins: [{ name: "a" }, { name: "b" }], skipped: [] });
});

test("a second run changes nothing and says so; with --json it says it to programs", async () => {
	await desk.write({ ".brood/plugins/a.ts": plugin });
	await desk.run(["types"]);
	const times = () =>
		[".brood/brood-plugin.d.ts", ".brood/tsconfig.json"].map(
			(file) => statSync(desk.path(file), { bigint: true }).mtimeNs,
		);
	const before = times();
	const again = await desk.run(["types", "--json"]);
	expect(times()).toEqual(before);
	const folder = desk.path(".brood");
	expect(JSON.parse(again.stdout)).toEqual({
		ok: true,
		version: manifest.version,
		folders: [
			{
				folder,
				files: [
					{ path: join(folder, "brood-plugin.d.ts"), state: "unchanged" },
					{ path: join(folder, "tsconfig.json"), state: "unchanged" },
				],
				bunTypes: "linked",
				testTypes: "linked",
			},
		],
	});
});

test("types --check writes nothing, and exits with 1 as long as a file is missing or stale", async () => {
	await desk.write({ ".brood/plugins/a.ts": plugin });
	const missing = await desk.run(["types", "--check"]);
	expect(missing).toMatchObject({ exitCode: 1, stdout: expect.stringMatching(/^missing .*\nmissing /) });
	expect(missing.stderr).toContain("is written by: brood types\n");
	expect(readdirSync(desk.path(".brood"))).toEqual(["plugins"]);
	await desk.run(["types"]);
	expect((await desk.run(["types", "--check"])).exitCode).toBe(0);
	await rewrite(".brood/brood-plugin.d.ts", "0.0.1");
	const stale = await desk.run(["types", "--check", "--json"]);
	expect(JSON.parse(stale.stdout)).toMatchObject({ ok: false, folders: [{ files: [{ state: "stale" }, {}] }] });
	expect(stale.exitCode).toBe(1);
	expect(text(".brood/brood-plugin.d.ts")).toContain("// other");
});

test("a brood updates what an older one wrote, and leaves what a newer one or a person wrote", async () => {
	await desk.write({ ".brood/plugins/a.ts": plugin });
	await desk.run(["types"]);
	const written = text(".brood/brood-plugin.d.ts");
	await rewrite(".brood/brood-plugin.d.ts", "0.0.1");
	expect((await desk.run(["types"])).stdout).toContain("updated    .brood/brood-plugin.d.ts");
	expect(text(".brood/brood-plugin.d.ts")).toBe(written);
	// Another version with the same content is no reason to write, and neither are other ends of lines.
	await desk.write({ ".brood/brood-plugin.d.ts": written.replace(manifest.version, "0.0.1").replaceAll("\n", "\r\n") });
	expect((await desk.run(["types"])).stdout).toContain("unchanged  .brood/brood-plugin.d.ts");
	await desk.write({ ".brood/brood-plugin.d.ts": written });
	await rewrite(".brood/brood-plugin.d.ts", "999.0.0");
	expect((await desk.run(["types"])).stdout).toMatch(/^kept +\.brood\/brood-plugin\.d\.ts +a newer brood wrote it/);
	expect(text(".brood/brood-plugin.d.ts")).toContain("// other");
	await desk.write({ ".brood/brood-plugin.d.ts": "// mine\n" });
	expect((await desk.run(["types"])).stdout).toMatch(/^kept +\.brood\/brood-plugin\.d\.ts +brood did not write it/);
	expect(text(".brood/brood-plugin.d.ts")).toBe("// mine\n");
});

test("a tsconfig of a person stays as it is where it sees the declaration", async () => {
	const settings = '{ // mine\n  "compilerOptions": { "strict": true, },\n}\n';
	await desk.write({ "plugins/a.ts": 'import "brood/plugin";\n', "plugins/tsconfig.json": settings });
	const { exitCode, stdout } = await desk.run(["types", "plugins"]);
	expect({ exitCode, stdout }).toEqual({
		exitCode: 0,
		stdout: "written    plugins/brood-plugin.d.ts\nunchanged  plugins/tsconfig.json\n",
	});
	expect(text("plugins/tsconfig.json")).toBe(settings);
	expect(compile("plugins")).toBe("");
	expect(existsSync(desk.path("plugins/.brood-types"))).toBe(false);
});

test("a tsconfig with a list of what it includes gets one member more, and keeps its comments", async () => {
	const settings = '{\n  // mine\n  "compilerOptions": { "strict": true },\n  "include": ["src"] // all\n}\n';
	await desk.write({ "plugins/src/a.ts": 'import "brood/plugin";\n', "plugins/tsconfig.json": settings });
	expect((await desk.run(["types", "plugins", "--check"])).exitCode).toBe(1);
	expect(text("plugins/tsconfig.json")).toBe(settings);
	const { exitCode, stdout } = await desk.run(["types", "plugins"]);
	expect(exitCode).toBe(0);
	expect(stdout).toContain(`updated  plugins/tsconfig.json      its "files" name "brood-plugin.d.ts" now`);
	const after = text("plugins/tsconfig.json");
	expect(after).toContain(
		'  // mine\n  "compilerOptions": { "strict": true },\n  "include": ["src"], // all\n  "files"',
	);
	expect(compile("plugins")).toBe("");
	expect((await desk.run(["types", "plugins"])).stdout).toContain("unchanged  plugins/tsconfig.json");
	expect(text("plugins/tsconfig.json")).toBe(after);
});

test.each([
	[
		'{ "extends": "./other.json" }',
		'it extends other settings: unless they include it, add "brood-plugin.d.ts" to its "files"',
	],
	['{ "files": ["a.ts"] /* each */ }', 'it names each file: add "brood-plugin.d.ts" to its "files"'],
	[
		'{ "include": ["src"], "extends": "x" }',
		'it extends other settings: unless they include it, add "brood-plugin.d.ts" to its "include"',
	],
	["{ include: 1 }", 'it cannot be read: expected a name in double quotes, found "i", at 1:3'],
])("a tsconfig that is not to be changed by a program is left, and a person is told: %p", async (settings, advice) => {
	await desk.write({ "plugins/a.ts": plugin, "plugins/tsconfig.json": settings });
	const { exitCode, stdout } = await desk.run(["types", "plugins"]);
	expect(stdout).toContain(`kept     plugins/tsconfig.json      ${advice}\n`);
	expect({ exitCode, settings: text("plugins/tsconfig.json") }).toEqual({ exitCode: 0, settings });
});

test("settings further up still hold for the plugins, for tsc and for the plugin that runs", async () => {
	const above = {
		compilerOptions: {
			module: "commonjs",
			composite: true,
			rootDir: "src",
			outDir: "out",
			declarationMap: true,
			emitDeclarationOnly: true,
			paths: { "@lib/*": ["./lib/*"] },
		},
		files: [],
		references: [],
	};
	await desk.write({
		"tsconfig.json": JSON.stringify(above),
		"lib/word.ts": 'export const word: string = "found";\n',
		".brood/plugins/a.ts": `import { word } from "@lib/word";
			import type { PluginAPI } from "@ampcode/plugin";
			export default (amp: PluginAPI) => amp.registerTool({
				name: "say", description: "d", inputSchema: { type: "object" }, execute: () => word,
			});`,
	});
	await desk.run(["types"]);
	expect(compile(".brood")).toBe("");
	expect((await desk.run(["call", "say"])).stdout).toBe("found\n");
	expect(existsSync(desk.path("out"))).toBe(false);
});

test("types of Bun are taken from where they are installed, else linked from this brood for this machine", async () => {
	await desk.write({ ".brood/plugins/a.ts": plugin });
	await desk.run(["types"]);
	const link = desk.path(".brood/.brood-types/bun-types");
	expect(lstatSync(link).isSymbolicLink()).toBe(true);
	expect(text(".brood/.brood-types/.gitignore")).toBe("*\n");
	// A fresh checkout has the settings and no link.
	unlinkSync(link);
	expect((await desk.run(["types", "--check"])).exitCode).toBe(0);
	expect(existsSync(link)).toBe(false);
	symlinkSync(desk.path("gone"), link);
	await desk.run(["types"]);
	expect(compile(".brood")).toBe("");
	await desk.write({
		"node_modules/@types/bun/package.json": "{}",
		"node_modules/@types/bun/index.d.ts": "declare const Bun: { version: string };",
	});
	const { stdout } = await desk.run(["types", "--json"]);
	expect(JSON.parse(stdout)).toMatchObject({ folders: [{ files: [{}, { state: "updated" }], bunTypes: "installed" }] });
	expect(compile(".brood")).toBe("");
});

describe("brood/test type-checks in a folder that only brood types has set up", () => {
	const tested = (member: string) => `import { expect, test } from "bun:test";
		import { testPlugin } from "brood/test";
		test("greets", async () => {
			await using plugin = await testPlugin(new URL("./a.ts", import.meta.url));
			const result: { ok: boolean } = await plugin.tools.call("a", {});
			expect([result.ok, plugin.${member}]).toEqual([true, "a"]);
		});\n`;
	const mistake =
		/^mine\/a\.test\.ts\(6,\d+\): error TS2339: Property 'nome' does not exist on type 'TestedPlugin'\.\n$/;

	function installBunTypes(): void {
		mkdirSync(desk.path("node_modules"));
		symlinkSync(join(root, "node_modules/bun-types"), desk.path("node_modules/bun-types"));
	}

	const paths = '{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] } } }';
	test.each([
		["where nothing is installed", () => {}],
		["beside installed types of Bun", () => installBunTypes()],
		["under settings with paths", () => desk.write({ "tsconfig.json": paths })],
	])(
		"%s",
		async (_, prepare) => {
			await desk.write({ "mine/a.ts": plugin, "mine/a.test.ts": tested("name") });
			await prepare();
			expect(await desk.run(["types", "mine"])).toMatchObject({ exitCode: 0, stderr: "" });
			expect(compile("mine")).toBe("");
			await desk.write({ "mine/a.test.ts": tested("nome") });
			expect(compile("mine")).toMatch(mistake);
			// A fresh checkout has the settings and no link.
			rmSync(desk.path("mine/.brood-types"), { recursive: true });
			expect((await desk.run(["types", "mine", "--check"])).exitCode).toBe(0);
			expect(existsSync(desk.path("mine/.brood-types"))).toBe(false);
		},
		60_000,
	);

	test("and of settings that a person wrote they are told what to install", async () => {
		await desk.write({ "mine/a.test.ts": tested("name"), "mine/tsconfig.json": "{}" });
		const { stderr } = await desk.run(["types", "mine"]);
		expect(stderr).toContain(`brood/test has no types in ${desk.path("mine")}: run "bun add --dev brood".\n`);
	});
});

test("a folder of plugins gets the files itself, a place of the user gets them beside it", async () => {
	await desk.write({ "mine/a.ts": plugin });
	mkdirSync(desk.home(".config/amp/plugins"), { recursive: true });
	expect((await desk.run(["types", "mine"])).exitCode).toBe(0);
	expect((await desk.run(["types", desk.home(".config/amp/plugins")])).exitCode).toBe(0);
	expect(readdirSync(desk.path("mine")).sort()).toEqual([".brood-types", "a.ts", "brood-plugin.d.ts", "tsconfig.json"]);
	expect(readdirSync(desk.home(".config/amp")).sort()).toEqual([
		".brood-types",
		"brood-plugin.d.ts",
		"plugins",
		"tsconfig.json",
	]);
	const listed = JSON.parse((await desk.run(["-p", "mine", "--no-places", "list", "--json"])).stdout);
	expect(listed.plugins).toMatchObject([{ name: "a", state: "ready" }]);
	expect(listed.skipped.map(({ path }: { path: string }) => path)).toContain(desk.path("mine/brood-plugin.d.ts"));
});

test("types says what to do where there is no folder of plugins", async () => {
	await desk.write({ "a.ts": plugin });
	const none = await desk.run(["types", "--json"]);
	expect(none).toMatchObject({ exitCode: 2, stdout: "", errors: [{ error: { code: "usage" } }] });
	expect(none.errors[0]?.error.hint).toContain("brood types DIR");
	const file = await desk.run(["types", "a.ts"]);
	expect(file).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("a.ts is no folder") });
	const absent = await desk.run(["types", "absent"]);
	expect(absent).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("absent is not there") });
});
