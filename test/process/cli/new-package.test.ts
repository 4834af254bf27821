import { beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { compileFlags, createEmbedder } from "../support/embedder.ts";
import { createDesk, main } from "./support.ts";

const desk = createDesk();

/** A program that uses what an author imports. */
const author = 'import { defineTool } from "brood/plugin"; console.log(typeof defineTool);';

describe("a brood that is a package of a project", () => {
	const command = () => [process.execPath, desk.path("project/node_modules/brood/host/cli/main.ts")];
	beforeEach(async () => {
		await createEmbedder(desk.path("project"), []);
	});

	test("is found from a new folder in that project, which needs no link", async () => {
		const made = await desk.run(["--cwd", "project", "new", "hello"], { command: command() });
		expect(made).toMatchObject({ exitCode: 0 });
		expect(existsSync(desk.path("project/hello/node_modules"))).toBe(false);
		await desk.write({ "project/hello/author.ts": author });
		expect(await printed(desk.path("project/hello/author.ts"))).toBe("function\n");
	});

	test("is linked into a new folder elsewhere", async () => {
		const made = await desk.run(["new", "hello"], { command: command() });
		expect(made).toMatchObject({ exitCode: 0 });
		expect(readlinkSync(desk.path("hello/node_modules/brood"))).toBe(desk.path("project/node_modules/brood"));
		await desk.write({ "hello/author.ts": author });
		expect(await printed(desk.path("hello/author.ts"))).toBe("function\n");
	});

	test("takes its place beside another brood of the project", async () => {
		await desk.write({ "other/node_modules/brood/package.json": '{"name":"brood","version":"0.0.1"}' });
		await desk.run(["--cwd", "other", "new", "hello"], { command: command() });
		expect(readlinkSync(desk.path("other/hello/node_modules/brood"))).toBe(desk.path("project/node_modules/brood"));
	});
});

async function printed(file: string): Promise<string> {
	const child = Bun.spawn([process.execPath, file], { cwd: dirname(file), stdout: "pipe", stderr: "inherit" });
	return await child.stdout.text();
}

describe("a brood that is one compiled file", () => {
	const command = () => [desk.path("brood")];
	beforeEach(async () => {
		const build = [process.execPath, "build", ...compileFlags, main, "--outfile", desk.path("brood")];
		const { exitCode, stderr } = Bun.spawnSync(build, { cwd: resolve(import.meta.dir, "../../.."), stdout: "ignore" });
		if (exitCode !== 0) throw new Error(stderr.toString());
	}, 60_000);

	test("makes the plugin without its types, and says what finds brood/test then", async () => {
		const { exitCode, stdout, stderr } = await desk.run(["new", "hello"], { command: command() });
		expect(exitCode).toBe(0);
		// Nothing else would start it.
		expect(stdout).toContain(`\n  ${desk.path("brood")} dev .\n`);
		expect(stderr).toStartWith("warning: This brood is one compiled file, with no package to link: until");
		expect(stderr).toContain('"bun add --dev brood bun-types"');
		expect(readdirSync(desk.path("hello")).sort()).toEqual([".gitignore", "README.md", "hello.test.ts", "hello.ts"]);
	});

	test("runs tests with the Bun that is at hand, and says where there is none", async () => {
		mkdirSync(desk.path("bin"));
		await Bun.write(desk.path("bin/bun"), `#!/bin/sh\nexec "${process.execPath}" "$@"\n`);
		Bun.spawnSync(["chmod", "+x", desk.path("bin/bun")]);
		await desk.write({ "a.test.ts": 'import { test } from "bun:test"; test("runs", () => {});' });
		const none = await desk.run(["test"], { command: command(), env: { PATH: "/nowhere" } });
		expect(none.exitCode).toBe(2);
		expect(none.stderr).toContain("runs tests with the Bun on the PATH, and there is none");
		const found = await desk.run(["test"], { command: command(), env: { PATH: `${desk.path("bin")}:/bin:/usr/bin` } });
		expect(found.stderr).toContain("(pass) runs");
		expect(found.exitCode).toBe(0);
	});
});
