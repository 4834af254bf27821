import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { isBroodError } from "../../../runtime/errors.ts";
import { ampPlaces } from "./amp-support.ts";

const { disk, discover, paths, names, reasonFor } = ampPlaces();

async function usageError(explicit: string): Promise<string> {
	const error: unknown = await discover([explicit]).catch((thrown) => thrown);
	if (!isBroodError(error, "usage")) throw new Error(`expected a usage error, got ${String(error)}`);
	expect(error.stage).toBe("discover");
	return error.message;
}

describe("links", () => {
	test("to files and directories are plugins under the link's name", async () => {
		disk.file("src/original.js");
		disk.file("src/whole/index.ts");
		disk.link("w/.amp/plugins/alias.ts", "../../../src/original.js");
		disk.link("w/.amp/plugins/dir", "../../../src/whole");
		const { plugins } = await discover();
		expect(plugins.map(({ name, kind, path, root }) => ({ name, kind, path, root }))).toEqual([
			{ name: "alias", kind: "file", path: disk.path("w/.amp/plugins/alias.ts"), root: disk.path("w/.amp/plugins") },
			{
				name: "dir",
				kind: "directory",
				path: disk.path("w/.amp/plugins/dir/index.ts"),
				root: disk.path("w/.amp/plugins/dir"),
			},
		]);
	});

	test("that lead nowhere or in a circle are skipped with the reason", async () => {
		disk.link("w/.amp/plugins/dead.ts", "gone.ts");
		disk.link("w/.amp/plugins/loop.ts", "pool.ts");
		disk.link("w/.amp/plugins/pool.ts", "loop.ts");
		disk.link("w/.amp/plugins/self", ".");
		const found = await discover();
		expect(found.plugins).toEqual([]);
		expect(reasonFor(found, "w/.amp/plugins/dead.ts")).toContain("a link to gone.ts, which leads nowhere");
		expect(reasonFor(found, "w/.amp/plugins/loop.ts")).toContain("links form a loop");
		expect(reasonFor(found, "w/.amp/plugins/self")).toContain("no index.ts");
	});

	test("make a file reachable twice, and it loads once, from the first place", async () => {
		disk.file("w/.brood/plugins/one.ts");
		disk.link("c/amp/plugins/two.ts", disk.path("w/.brood/plugins/one.ts"));
		disk.link("c/brood/plugins", disk.path("w/.brood/plugins"));
		const found = await discover();
		expect(paths(found)).toEqual(["w/.brood/plugins/one.ts"]);
		for (const path of ["c/brood/plugins/one.ts", "c/amp/plugins/two.ts"]) {
			expect(reasonFor(found, path)).toContain(`the same file as ${disk.path("w/.brood/plugins/one.ts")}`);
		}
	});

	test("may bring a file under another name when its own name is shadowed", async () => {
		disk.file("w/.brood/plugins/taken.ts");
		disk.file("w/.amp/plugins/taken.ts");
		disk.link("c/amp/plugins/free.ts", disk.path("w/.amp/plugins/taken.ts"));
		const found = await discover();
		expect(paths(found)).toEqual(["w/.brood/plugins/taken.ts", "w/.amp/plugins/taken.ts", "c/amp/plugins/free.ts"]);
	});
});

describe("explicit paths", () => {
	test("may name a file, also a hidden one, a test or a .cjs", async () => {
		const files = ["x/a.ts", "x/b.cjs", "x/c.test.ts", "x/.d.js"].map((path) => disk.file(path));
		expect(names(await discover(files))).toEqual(["a", "b", "c.test", ".d"]);
	});

	test("may name a plugin directory or a directory of plugins", async () => {
		disk.file("x/whole/index.ts");
		disk.file("x/many/b.ts");
		disk.file("x/many/a/index.ts");
		disk.file("x/many/README.md");
		const found = await discover([disk.path("x/whole"), `${disk.path("x/many")}/`]);
		expect(found.plugins.map(({ name, kind, scope }) => [name, kind, scope])).toEqual([
			["whole", "directory", "explicit"],
			["a", "directory", "explicit"],
			["b", "file", "explicit"],
		]);
		expect(reasonFor(found, "x/many/README.md")).toBeDefined();
	});

	test("win over the place that the same file lies in", async () => {
		const path = disk.file("w/.brood/plugins/mine.ts");
		const found = await discover([path, path]);
		expect(found.plugins.map(({ scope }) => scope)).toEqual(["explicit"]);
		expect(found.skipped).toHaveLength(2);
	});

	test("may be relative to the working directory", async () => {
		const found = await discover([join("test", "unit", "host", "temporary.ts")]);
		expect(found.plugins[0]?.path).toBe(join(process.cwd(), "test/unit/host/temporary.ts"));
	});

	test("through a link that leads nowhere are errors that name the link", async () => {
		disk.link("x/dead.ts", "gone.ts");
		disk.link("x/dead", "lost");
		await expect(discover([disk.path("x/dead.ts")])).rejects.toThrow(
			`${disk.path("x/dead.ts")} is no plugin: it is a link that leads nowhere: it does not exist.`,
		);
		await expect(discover([disk.path("x/dead/one.ts")])).rejects.toThrow(
			`one.ts is no plugin: ${disk.path("x/dead")} is a link that leads nowhere: it does not exist.`,
		);
	});

	test("that cannot be a plugin are errors that name the path and what is expected", async () => {
		disk.file("x/notes.md");
		disk.file("x/types.d.ts");
		disk.folder("x/empty");
		disk.file("x/docs/README.md");
		disk.fifo("x/pipe.ts");
		disk.fifo("x/piped/index.ts");
		disk.link("x/dead.ts", "gone.ts");
		const wrong = {
			gone: "does not exist",
			"notes.md": "does not end like",
			"types.d.ts": "declaration",
			empty: "no plugin",
		};
		const odd = { docs: "no plugin", "pipe.ts": "a FIFO", piped: "a FIFO", "dead.ts": "does not exist" };
		for (const [name, reason] of Object.entries({ ...wrong, ...odd })) {
			const message = await usageError(disk.path("x", name));
			expect(message).toContain(disk.path("x", name));
			expect(message).toContain(reason);
			expect(message).toContain("Give a plugin file (.ts, .tsx, .mts, .js, .mjs, .cjs), a directory with an index.ts");
		}
	});
});

test("what is no list of paths is refused before anything is looked at", async () => {
	for (const explicit of [[""], [5], "plugin.ts", null]) {
		const error: unknown = await discover(explicit as never).catch((thrown) => thrown);
		expect(isBroodError(error, "usage")).toBe(true);
	}
});
