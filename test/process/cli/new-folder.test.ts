import { describe, expect, test } from "bun:test";
import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../../host/cli/commands/new-folder.ts";
import { asAnybody, canBeRefused } from "../doctor/support.ts";
import { createDesk, main } from "./support.ts";

const desk = createDesk();

/** All that lies in a folder of the workspace, what is hidden too. */
function entries(folder = "."): string[] {
	return readdirSync(desk.path(folder)).sort();
}

describe("what is there already is left as it is", () => {
	test.each([
		["a file", () => desk.write({ hello: "mine" }), "it is a file"],
		["a folder", () => desk.write({ "hello/b.ts": "", "hello/a.ts": "" }), "it is a directory with a.ts, b.ts in it."],
		[
			"a folder of many files",
			() =>
				desk.write({ "hello/e.ts": "", "hello/d.ts": "", "hello/c.ts": "", "hello/b.ts": "", "hello/.git/HEAD": "" }),
			"it is a directory with .git, b.ts, c.ts and 2 more in it.",
		],
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

describe("a folder that is there and empty is taken", () => {
	const made = ["README.md", "brood-plugin.d.ts", "hello.test.ts", "hello.ts", "node_modules", "tsconfig.json"];

	test.each([[[]], [[".git"]]])("with %p in it", async (before) => {
		mkdirSync(desk.path("hello"));
		for (const name of before) mkdirSync(desk.path("hello", name));
		const { ino } = lstatSync(desk.path("hello"));
		const { exitCode, stderr } = await desk.run(["new", "hello"]);
		expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
		expect(entries("hello")).toEqual([".brood-types", ...before, ".gitignore", ...made]);
		// It is the same one: somebody may work in it.
		expect(lstatSync(desk.path("hello")).ino).toBe(ino);
		expect(entries()).toEqual([".git", "hello"]);
	});

	test("as the working directory, which gives the plugin its name", async () => {
		mkdirSync(desk.path("hello"));
		const child = Bun.spawnSync([process.execPath, main, "new", "."], {
			cwd: desk.path("hello"),
			env: desk.environment(),
		});
		expect(child.stdout.toString()).toStartWith("made the plugin here\n  hello.ts  ");
		expect(child.stdout.toString()).toContain("\nnext\n  bun test\n");
		expect(entries("hello")).toContain("hello.ts");
	});

	test("and is as it was when it could not be filled, as a folder above it that was made for it", async () => {
		mkdirSync(desk.path("hello/.git"), { recursive: true });
		const fill = async (folder: string) => {
			await Bun.write(join(folder, "deep/hello.ts"), "half of it");
			throw new Error("the disk is full");
		};
		for (const path of ["hello", "new/tools/hello"]) {
			const made = makeFolder(desk.path(path), fill, new AbortController().signal);
			await expect(made).rejects.toThrow(`${desk.path(path)} cannot be made: the disk is full`);
		}
		expect({ all: entries(), hello: entries("hello") }).toEqual({ all: [".git", "hello"], hello: [".git"] });
	});
});

describe("the path of a folder makes the plugin there", () => {
	test.each(["tools/hello", "./tools/hello/", "tools/../tools/hello"])("%p", async (path) => {
		const { exitCode, stdout } = await desk.run(["new", path]);
		expect({ exitCode, made: entries("tools") }).toEqual({ exitCode: 0, made: ["hello"] });
		expect(stdout).toStartWith("made tools/hello\n  hello.ts  ");
		expect(stdout).toContain("\n  cd tools/hello\n");
		expect(JSON.parse((await desk.run(["types", "tools/hello", "--check", "--json"])).stdout).ok).toBe(true);
	});

	test("in a plugin place that is not there yet", async () => {
		await desk.run(["new", ".brood/plugins/hello"]);
		const listed = await desk.run(["list", "--json"]);
		expect(JSON.parse(listed.stdout).plugins).toMatchObject([{ name: "hello", state: "ready" }]);
	});

	test("and leaves no folder above one that could not be made", async () => {
		await desk.write({ file: "mine" });
		const { exitCode, stderr } = await desk.run(["new", "file/deep/hello"]);
		expect(stderr).toStartWith(`error: ${desk.path("file/deep/hello")} cannot be made: `);
		expect({ exitCode, left: entries() }).toEqual({ exitCode: 2, left: [".git", "file"] });
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
