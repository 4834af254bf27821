import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { createDesk, main } from "./support.ts";

const desk = createDesk();
const root = resolve(import.meta.dir, "../../..");
const compiler = join(root, "node_modules/typescript/bin/tsc");

function text(path: string): string {
	return readFileSync(desk.path(path), "utf8");
}

function compile(project: string): string {
	const command = [process.execPath, compiler, "--pretty", "false", "--project", desk.path(project)];
	return Bun.spawnSync(command).stdout.toString();
}

/** All that lies in the workspace, what is hidden too. */
function entries(folder = "."): string[] {
	return readdirSync(desk.path(folder)).sort();
}

test("new makes a folder with a plugin that works, and says what it is and how to go on", async () => {
	const made = await desk.run(["new", "my-plugin"]);
	expect(made).toMatchObject({ exitCode: 0, stderr: "" });
	expect(made.stdout).toStartWith("made my-plugin\n  my-plugin.ts  ");
	expect(made.stdout).toEndWith(
		`  cd my-plugin\n  bun test\n  bunx brood dev .\n  bunx brood -p . call my_plugin_greet '{"name":"Ada"}'\n`,
	);
	expect(entries()).toEqual([".git", "my-plugin"]);
	expect(entries("my-plugin")).toEqual([
		".brood-types",
		".gitignore",
		"README.md",
		"brood-plugin.d.ts",
		"my-plugin.test.ts",
		"my-plugin.ts",
		"node_modules",
		"tsconfig.json",
	]);
	expect(text("my-plugin/README.md").trimEnd().split("\n")).toHaveLength(11);
	for (const file of ["my-plugin.ts", "my-plugin.test.ts", "README.md"])
		expect(text(`my-plugin/${file}`)).not.toMatch(/__[A-Z]+__/);
	const called = await desk.run(["-p", "my-plugin", "call", "my_plugin_greet", '{"name":"Ada"}']);
	expect(called).toMatchObject({ exitCode: 0, stdout: "Hello, Ada!\n" });
});

describe("the next steps name the command that works", () => {
	/** The folders of a PATH, one of which has a command brood. */
	function paths(folder: string): string {
		mkdirSync(desk.path(folder), { recursive: true });
		symlinkSync(join(root, "host/cli/bin.js"), desk.path(folder, "brood"));
		return `${desk.path(folder)}:${bun}:/usr/bin:/bin`;
	}
	const bun = dirname(process.execPath);

	test("where brood is on the PATH", async () => {
		const { stdout } = await desk.run(["new", "hello"], { env: { PATH: paths("bin") } });
		expect(stdout).toContain("\n  brood dev .\n");
	});

	test("where it is there only for the time of this run, as under bunx, and that command runs", async () => {
		const { stdout } = await desk.run(["new", "hello"], { env: { PATH: paths("node_modules/.bin") } });
		const [, step = ""] = /^ {2}bunx (brood -p .*)$/m.exec(stdout) ?? [];
		// Whatever asked a registry would fail.
		const env = desk.environment({ BUN_CONFIG_REGISTRY: "http://127.0.0.1:1", BROOD_BUN: process.execPath });
		rmSync(desk.path("node_modules"), { recursive: true });
		const command = ["sh", "-c", `"$0" x ${step}`, process.execPath];
		const ran = Bun.spawnSync(command, { cwd: desk.path("hello"), env });
		expect(`${ran.stderr}${ran.stdout}`).toBe("Hello, Ada!\n");
	});
});

test("two new plugins stand in the same place with no name in common", async () => {
	for (const name of ["one", "two"]) await desk.run(["new", `.brood/plugins/${name}`]);
	const listed = await desk.run(["list", "--json"]);
	const { plugins } = JSON.parse(listed.stdout);
	expect(plugins).toMatchObject([
		{ name: "one", state: "ready" },
		{ name: "two", state: "ready" },
	]);
	const text = JSON.stringify(plugins);
	expect({ text, stderr: listed.stderr }).toMatchObject({ text: expect.not.stringContaining('"greet"'), stderr: "" });
	const greeted = await desk.run(["--answers", "-", "run", "two-greet"], { stdin: '["Ada"]' });
	expect(greeted.stdout).toContain("Hello, Ada!");
});

test("the new folder finds this brood by a link that git does not see", async () => {
	await desk.run(["new", "hello"]);
	expect(readlinkSync(desk.path("hello/node_modules/brood"))).toBe(root);
	const started = Bun.spawnSync(["git", "-C", desk.path(), "init", "--quiet"]);
	const listed = Bun.spawnSync(["git", "-C", desk.path(), "ls-files", "--others", "--exclude-standard"]);
	expect(started.exitCode).toBe(0);
	expect(listed.stdout.toString().trim().split("\n").sort()).toEqual(
		[".gitignore", "README.md", "brood-plugin.d.ts", "hello.test.ts", "hello.ts", "tsconfig.json"].map(
			(name) => `hello/${name}`,
		),
	);
});

test("with --directory the folder itself is the plugin", async () => {
	const { exitCode, stdout } = await desk.run(["new", "hello", "--directory", "--json"]);
	const record = JSON.parse(stdout);
	expect(record).toEqual({
		ok: true,
		name: "hello",
		kind: "amp",
		form: "directory",
		folder: desk.path("hello"),
		plugin: "index.ts",
		test: "index.test.ts",
		tool: "hello_greet",
		command: "hello-greet",
		files: entries("hello"),
	});
	expect(exitCode).toBe(0);
	const listed = await desk.run(["--no-places", "-p", "hello", "list", "--json"]);
	expect(JSON.parse(listed.stdout).plugins).toMatchObject([{ name: "hello", path: desk.path("hello/index.ts") }]);
});

test("a folder with a name that a shell would read as something else is shown as a shell takes it", async () => {
	mkdirSync(desk.path("it's here"));
	const { stdout } = await desk.run(["--cwd", "it's here", "new", "hello"]);
	const [, line = ""] = /^ {2}(cd .*)$/m.exec(stdout) ?? [];
	const { stdout: where } = Bun.spawnSync(["sh", "-c", `${line} && pwd`]);
	expect(where.toString()).toBe(`${desk.path("it's here/hello")}\n`);
});

test("a plugin that is made in a plugin place is found there", async () => {
	mkdirSync(desk.path(".brood/plugins"), { recursive: true });
	const made = await desk.run(["--cwd", ".brood/plugins", "new", "hello"]);
	expect(made.stdout).toContain(`\n  cd ${desk.path(".brood/plugins/hello")}\n`);
	expect(existsSync(desk.path(".brood/plugins/hello/index.ts"))).toBe(true);
	const listed = await desk.run(["list", "--all", "--json"]);
	expect(JSON.parse(listed.stdout)).toMatchObject({ plugins: [{ name: "hello", state: "ready" }], skipped: [] });
});

test("the new folder is as brood types would have it", async () => {
	await desk.run(["new", "hello"]);
	const { exitCode, stdout } = await desk.run(["types", "hello", "--check"]);
	expect(stdout).toBe("unchanged  hello/brood-plugin.d.ts\nunchanged  hello/tsconfig.json\n");
	expect(exitCode).toBe(0);
});

describe.each([[], ["--directory"]])("in the new folder, made with %p", (...flags) => {
	// Whatever asked a registry would fail.
	const env = { BUN_CONFIG_REGISTRY: "http://127.0.0.1:1", npm_config_registry: "http://127.0.0.1:1" };

	/** Runs a program in the new folder. */
	function runThere(...parameters: string[]) {
		const command = [process.execPath, ...parameters];
		const child = Bun.spawnSync(command, { cwd: desk.path("hello"), env: desk.environment(env) });
		return { exitCode: child.exitCode, printed: `${child.stdout}${child.stderr}` };
	}

	test("bun test passes at once, without a network", async () => {
		await desk.run(["new", "hello", ...flags], { env });
		const { exitCode, printed } = runThere("test");
		expect(printed).toContain("\n 2 pass\n 0 fail\n");
		expect(exitCode).toBe(0);
	});

	test("brood test passes, also where nothing is linked", async () => {
		await desk.run(["new", "hello", ...flags]);
		rmSync(desk.path("hello/node_modules"), { recursive: true });
		expect(runThere("test").printed).toContain("Cannot find module 'brood/test'");
		const { exitCode, printed } = runThere(main, "test");
		expect(printed).toContain("\n 2 pass\n 0 fail\n");
		expect(exitCode).toBe(0);
	});
});

test("tsc finds nothing wrong in the new folder", async () => {
	await desk.run(["new", "hello"]);
	expect(compile("hello")).toBe("");
}, 60_000);

test("tsc finds nothing wrong where the settings of a place check the new plugin too", async () => {
	mkdirSync(desk.path(".brood/plugins"), { recursive: true });
	await desk.run(["types"]);
	await desk.run(["--cwd", ".brood/plugins", "new", "hello"]);
	await desk.run(["types"]);
	expect(compile(".brood")).toBe("");
	expect(compile(".brood/plugins/hello")).toBe("");
}, 60_000);

describe("a name that a plugin cannot have, or that would be trouble, is refused with a better one", () => {
	test.each([
		["", "it is empty", "Take a name such as my-plugin."],
		["tools/my plugin", "it has characters other than letters", "Try: brood new tools/my-plugin"],
		["../.hidden", "its first character is no letter", "Try: brood new ../hidden"],
		["a\\b", "it has characters other than letters", "Try: brood new b"],
		["@me/hello", "a plugin has no scope", "Try: brood new hello"],
		[".hidden", "its first character is no letter", "Try: brood new hidden"],
		["my plugin", "it has characters other than letters", "Try: brood new my-plugin"],
		["hello.ts", "it has characters other than letters", "Try: brood new hello-ts"],
		["café", "it has characters other than letters", "Try: brood new cafe"],
		["日本", "its first character is no letter", "Take a name such as my-plugin."],
		["a".repeat(65), "it is longer than 64 characters", `Try: brood new ${"a".repeat(64)}`],
		["hello_test", "bun test would take its file for a test", "Try: brood new hello"],
		["node_modules", "no plugin is looked for in a folder of that name", "Take a name such as my-plugin."],
	])("%p", async (name, reason, hint) => {
		const { exitCode, stdout, stderr } = await desk.run(["new", "--", name]);
		expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
		const shown = name.startsWith("@") ? name : basename(name);
		expect(stderr).toStartWith(`error: ${JSON.stringify(shown)} is no name for a new plugin: ${reason}`);
		expect(stderr).toEndWith(`  hint: ${hint}\n`);
		expect(entries()).toEqual([".git"]);
	});
});

test("a kind that there is not is refused with those that there are", async () => {
	const { exitCode, stderr } = await desk.run(["new", "hello", "--kind", "other"]);
	expect({ exitCode, stderr }).toEqual({
		exitCode: 2,
		stderr: 'error: There is no kind "other" of plugins.\n  hint: The kinds are: amp.\n',
	});
});
