import { describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { discoverAmp } from "../../../host/sources/amp.ts";
import { compareRank } from "../../../host/spec.ts";
import { limits } from "../../../runtime/limits.ts";
import { ampPlaces } from "./amp-support.ts";

const { disk, discover, paths, names, reasonFor } = ampPlaces();

describe("places", () => {
	test("that do not exist hold nothing, in silence", async () => {
		expect(await discover()).toEqual({ plugins: [], skipped: [] });
	});

	test("are searched in order of precedence, and all plugins of one name are returned", async () => {
		disk.file("c/amp/plugins/same.ts");
		disk.file("c/brood/plugins/same.ts");
		disk.file("w/.amp/plugins/same.ts");
		disk.file("w/.brood/plugins/same.ts");
		disk.file("extra/same.ts");
		const found = await discover([disk.path("extra/same.ts")]);
		expect(paths(found)).toEqual([
			"extra/same.ts",
			"w/.brood/plugins/same.ts",
			"w/.amp/plugins/same.ts",
			"c/brood/plugins/same.ts",
			"c/amp/plugins/same.ts",
		]);
		expect(found.plugins.map(({ scope }) => scope)).toEqual(["explicit", "project", "project", "user", "user"]);
		expect(found.plugins.map(({ rank }) => rank)).toEqual([0, 1, 2, 3, 4].map((place) => [3, place, "same"]));
		expect(found.skipped).toEqual([]);
	});

	test("keep their numbers without explicit paths, and make room for more than one", async () => {
		disk.file("w/.brood/plugins/p.ts");
		expect((await discover()).plugins[0]?.rank).toEqual([3, 1, "p"]);
		const explicit = ["x/z.ts", "x/a.ts", "x/m.ts"].map((path) => disk.file(path));
		const found = await discover(explicit);
		expect(names(found)).toEqual(["z", "a", "m", "p"]);
		expect(found.plugins.toSorted((a, b) => compareRank(a.rank, b.rank))).toEqual(found.plugins);
	});

	test("of the user are left out when there is no configuration home", async () => {
		disk.file("c/brood/plugins/user.ts");
		expect(await discoverAmp({ workspaceRoot: disk.path("w"), configHome: null, explicit: [] })).toEqual({
			plugins: [],
			skipped: [],
		});
	});

	test("may be links; one that is a file, or a dead or endless link, is reported", async () => {
		disk.file("elsewhere/linked.ts");
		disk.folder("w/.brood");
		disk.link("w/.brood/plugins", "../../elsewhere");
		disk.file("w/.amp/plugins", "not a folder");
		disk.link("c/brood/plugins", "nowhere");
		disk.link("c/amp/plugins", "plugins");
		const found = await discover();
		expect(paths(found)).toEqual(["w/.brood/plugins/linked.ts"]);
		expect(reasonFor(found, "w/.amp/plugins")).toContain("it is a file, not a directory");
		expect(reasonFor(found, "c/brood/plugins")).toContain("a link that leads nowhere");
		expect(reasonFor(found, "c/amp/plugins")).toContain("links form a loop");
	});
});

describe("entries", () => {
	test("are sorted by code unit, whatever the order on disk", async () => {
		for (const name of ["a-e", "20-c", "B-d", "03-b", "1-a"]) disk.file(`w/.amp/plugins/${name}.ts`);
		expect(names(await discover())).toEqual(["03-b", "1-a", "20-c", "B-d", "a-e"]);
	});

	test("of one name rank by ending, files before directories", async () => {
		disk.file("w/.amp/plugins/foo/index.ts");
		for (const ending of ["mjs", "js", "mts", "tsx", "ts"]) disk.file(`w/.amp/plugins/foo.${ending}`);
		expect(paths(await discover())).toEqual(
			["foo.ts", "foo.tsx", "foo.mts", "foo.js", "foo.mjs", "foo/index.ts"].map((path) => `w/.amp/plugins/${path}`),
		);
	});

	test("are described as files or directories, each with its own root", async () => {
		disk.file(
			"w/.amp/plugins/one.ts",
			'export const description = "First"\n// @amp-agent-mode {"key":"k","label":"L"}',
		);
		disk.file("w/.amp/plugins/two/index.js", "export const description = 2");
		expect((await discover()).plugins).toEqual([
			{
				system: "amp",
				name: "one",
				scope: "project",
				kind: "file",
				path: disk.path("w/.amp/plugins/one.ts"),
				root: disk.path("w/.amp/plugins"),
				rank: [3, 2, "one"],
				description: "First",
				announcedModes: [{ key: "k", label: "L", line: 2 }],
				warnings: [],
			},
			{
				system: "amp",
				name: "two",
				scope: "project",
				kind: "directory",
				path: disk.path("w/.amp/plugins/two/index.js"),
				root: disk.path("w/.amp/plugins/two"),
				rank: [3, 2, "two"],
				announcedModes: [],
				warnings: [expect.stringContaining("index.js:1: the description is ignored")],
			},
		]);
	});

	test("take the first index file that can be used", async () => {
		disk.link("w/.amp/plugins/a/index.ts", "gone.ts");
		disk.file("w/.amp/plugins/a/index.mjs");
		disk.file("w/.amp/plugins/b/index.tsx");
		disk.file("w/.amp/plugins/b/index.js");
		disk.fifo("w/.amp/plugins/c/index.ts");
		const found = await discover();
		expect(paths(found)).toEqual(["w/.amp/plugins/a/index.mjs", "w/.amp/plugins/b/index.tsx"]);
		expect(reasonFor(found, "w/.amp/plugins/c/index.ts")).toContain("a FIFO");
	});

	test("with awkward names are plugins like others", async () => {
		const awkward = ["#1", "percent%20", "query?x=1", "with space", "ünï"];
		for (const name of awkward) disk.file(`w/.amp/plugins/${name}.ts`);
		expect(names(await discover())).toEqual(awkward);
	});

	test("whose names look the same are used once", async () => {
		disk.file("w/.amp/plugins/cafe\u0301.ts");
		disk.file("w/.amp/plugins/caf\u00e9.ts");
		disk.file("w/.amp/plugins/Same.ts");
		disk.file("w/.amp/plugins/same.ts");
		const found = await discover();
		expect(names(found)).toEqual(["cafe\u0301"]);
		for (const name of ["Same", "same"]) {
			expect(reasonFor(found, `w/.amp/plugins/${name}.ts`)).toContain("only the case of its name differs");
		}
		expect(reasonFor(found, "w/.amp/plugins/caf\u00e9.ts")).toContain("cannot be told from");
	});

	test("are found among thousands of folders without a plugin", async () => {
		for (let index = 0; index < 300; index++) disk.folder(`w/.amp/plugins/f${index}`);
		disk.file("w/.amp/plugins/real.ts");
		const found = await discover();
		expect(names(found)).toEqual(["real"]);
		expect(found.skipped).toHaveLength(300);
	});

	test("larger than the head that is read still load", async () => {
		const filler = `// ${"x".repeat(limits.text.headBytesMax)}\n`;
		disk.file("w/.amp/plugins/early.ts", `export const description = "early";\n${filler}`);
		disk.file("w/.amp/plugins/late.ts", `${filler}export const description = "late";\n`);
		const [early, late] = (await discover()).plugins;
		expect(early?.description).toBe("early");
		expect(late).toBeDefined();
		expect(late?.description).toBeUndefined();
	});
});

describe("what is no plugin", () => {
	test.each([
		[".hidden.ts", "hidden"],
		[".#lock.ts", "hidden"],
		["real.d.ts", "declaration"],
		["real.d.mts", "declaration"],
		["real.test.ts", "a test"],
		["real.test.js", "a test"],
		["real.cjs", "explicitly"],
		["real.ts~", "does not end in"],
		["README.md", "does not end in"],
		["data.json", "does not end in"],
		["LICENSE", "does not end in"],
	])("%s is skipped with a reason", async (name, reason) => {
		disk.file(`w/.amp/plugins/${name}`);
		const found = await discover();
		expect(found.plugins).toEqual([]);
		expect(reasonFor(found, `w/.amp/plugins/${name}`)).toContain(reason);
		expect(found.skipped).toHaveLength(1);
	});

	test("folders are skipped when hidden, named node_modules or without an index file", async () => {
		disk.file("w/.amp/plugins/.staging/index.ts");
		disk.file("w/.amp/plugins/node_modules/index.ts");
		disk.file("w/.amp/plugins/lib/helper.ts");
		disk.file("w/.amp/plugins/typed/index.d.ts");
		const found = await discover();
		expect(found.plugins).toEqual([]);
		expect(reasonFor(found, "w/.amp/plugins/.staging")).toContain("hidden");
		expect(reasonFor(found, "w/.amp/plugins/node_modules")).toContain("packages");
		expect(reasonFor(found, "w/.amp/plugins/lib")).toContain("no index.ts");
		expect(reasonFor(found, "w/.amp/plugins/typed")).toContain("no index.ts");
	});

	test("a FIFO and a socket are skipped without being opened", async () => {
		disk.fifo("w/.amp/plugins/pipe.ts");
		using _server = Bun.listen({ unix: disk.path("w/.amp/plugins/sock.ts"), socket: { data() {} } });
		const found = await discover();
		expect(reasonFor(found, "w/.amp/plugins/pipe.ts")).toBe("it is a FIFO, not a file");
		expect(reasonFor(found, "w/.amp/plugins/sock.ts")).toBe("it is a socket, not a file");
		expect(found.plugins).toEqual([]);
	});

	test.skipIf(process.platform !== "linux")("a file whose reading fails is skipped", async () => {
		disk.link("w/.amp/plugins/broken.ts", "/proc/self/mem");
		disk.file("w/.amp/plugins/fine.ts");
		const found = await discover();
		expect(names(found)).toEqual(["fine"]);
		expect(reasonFor(found, "w/.amp/plugins/broken.ts")).toContain("EIO");
	});

	test.skipIf(process.getuid?.() === 0)("what may not be read is skipped", async () => {
		chmodSync(disk.file("w/.amp/plugins/secret.ts"), 0);
		chmodSync(disk.file("w/.amp/plugins/fine.ts"), 0o400);
		const found = await discover();
		expect(names(found)).toEqual(["fine"]);
		expect(reasonFor(found, "w/.amp/plugins/secret.ts")).toContain("denied");
	});
});
