import { describe, expect, test } from "bun:test";
import {
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	rmSync,
	symlinkSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { asAnybody, canBeRefused } from "../doctor/support.ts";
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
		`  cd my-plugin\n  bun test\n  brood dev .\n  brood -p . call my_plugin_greet '{"name":"Ada"}'\n`,
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
	expect(text("my-plugin/README.md").trimEnd().split("\n")).toHaveLength(10);
	for (const file of ["my-plugin.ts", "my-plugin.test.ts", "README.md"])
		expect(text(`my-plugin/${file}`)).not.toMatch(/__[A-Z]+__/);
	const called = await desk.run(["-p", "my-plugin", "call", "my_plugin_greet", '{"name":"Ada"}']);
	expect(called).toMatchObject({ exitCode: 0, stdout: "Hello, Ada!\n" });
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

describe("what is there already is left as it is", () => {
	test.each([
		["a file", () => desk.write({ hello: "mine" }), "it is a file"],
		[
			"a folder",
			() => desk.write({ "hello/b.ts": "", "hello/a.ts": "" }),
			"it is a directory with a.ts and 1 more in it",
		],
		["an empty folder", () => mkdirSync(desk.path("hello")), "it is a directory."],
		["a link that leads nowhere", () => symlinkSync("gone", desk.path("hello")), "it is a link"],
	])("%s", async (_, put, reason) => {
		await put();
		const state = () => {
			const { ino, ctimeMs } = lstatSync(desk.path("hello"), { bigint: true });
			return [ino, ctimeMs];
		};
		const before = state();
		const { exitCode, stdout, stderr } = await desk.run(["new", "hello"]);
		expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
		expect(stderr).toContain(`${desk.path("hello")} is in the way: ${reason}`);
		expect(stderr).toContain("hint: Take another name, or move it away.");
		expect(state()).toEqual(before);
		expect(entries()).toEqual([".git", "hello"]);
	});

	test("a plugin of that name in the same place, which would hide the new one", async () => {
		await desk.write({ ".amp/plugins/hello.tsx": "" });
		const { exitCode, errors } = await desk.run(["--cwd", ".amp/plugins", "new", "hello", "--json"]);
		const message = expect.stringContaining("hello.tsx is in the way: it is a plugin of that name");
		expect({ exitCode, errors }).toMatchObject({ exitCode: 2, errors: [{ error: { code: "usage", message } }] });
		expect(entries(".amp/plugins")).toEqual(["hello.tsx"]);
	});
});

describe("a name that a plugin cannot have, or that would be trouble, is refused with a better one", () => {
	test.each([
		["", "it is empty", "Take a name such as my-plugin."],
		["../hello", "it is a path", "Try: brood --cwd .. new hello"],
		["/etc/hello", "it is a path", "Try: brood --cwd /etc new hello"],
		["a\\b", "it is a path", "Try: brood new b"],
		["@me/hello", "a plugin has no scope", "Try: brood new hello"],
		["..", "its first character is no letter", "Take a name such as my-plugin."],
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
		expect(stderr).toStartWith(`error: ${JSON.stringify(name)} is no name for a new plugin: ${reason}`);
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

test.skipIf(!canBeRefused)("a folder that takes no new one is named, and nothing is left in it", async () => {
	mkdirSync(desk.path("locked"));
	chmodSync(desk.path("locked"), 0o555);
	const command = [...asAnybody, process.execPath, main];
	const { exitCode, stderr } = await desk.run(["--cwd", "locked", "new", "hello"], { command });
	expect(stderr).toStartWith(`error: ${desk.path("locked/hello")} cannot be made: permission to write it is denied.\n`);
	expect({ exitCode, left: entries("locked") }).toEqual({ exitCode: 2, left: [] });
});
