import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import manifest from "../../package.json";
import { hasEntry, linkProblems, unnamed, unnamedFolders } from "./support/docs.ts";
import { readText, root } from "./support/tree.ts";

describe("the pages", () => {
	test.each(["README.md", "ARCHITECTURE.md", "DECISIONS.md", "CHANGELOG.md"])(
		"%s links only to what is there",
		(page) => {
			expect(linkProblems(page, readText(page), (path) => existsSync(resolve(root, path)))).toEqual([]);
		},
	);

	test("DECISIONS.md names each dependency", () => {
		const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
		expect(unnamed(names, readText("DECISIONS.md"))).toEqual([]);
	});

	test("ARCHITECTURE.md names each folder of the rooms", () => {
		const folders = ["runtime", "child", "host"].flatMap((room) =>
			readdirSync(resolve(root, room), { withFileTypes: true })
				.filter((entry) => entry.isDirectory() && readdirSync(resolve(root, room, entry.name)).length > 0)
				.map((entry) => `${room}/${entry.name}`),
		);
		expect(unnamedFolders(folders, readText("ARCHITECTURE.md"))).toEqual([]);
	});

	test("CHANGELOG.md has an entry for this version", () => {
		expect(hasEntry(manifest.version, readText("CHANGELOG.md"))).toBe(true);
	});
});

describe("the page gates", () => {
	test("see a link that leads nowhere and leave addresses, anchors and code alone", () => {
		const text = [
			"[a](here.md) [b](gone.md#part) ![c](<pic.png>) [d](https://x.y/z) [e](#part) [f](mailto:a@b.c)",
			"`[g](code.md)` [h][1]",
			"```md\n[i](block.md)\n```",
			'[1]: ../up.md "title"',
		];
		expect(linkProblems("docs/page.md", text.join("\n"), (path) => path === "docs/here.md")).toEqual([
			"docs/page.md links to gone.md, which is not there",
			"docs/page.md links to pic.png, which is not there",
			"docs/page.md links to ../up.md, which is not there",
		]);
	});

	test("take a name only as a word of its own", () => {
		expect(unnamed(["ajv", "zod", "@clack/prompts", "tar"], "`zod`, @clack/prompts, ajv-formats, start")).toEqual([
			"ajv",
			"tar",
		]);
		const folders = ["host/backends", "host/ui", "runtime/codec", "child/api"];
		expect(unnamedFolders(folders, "host/backends, codec/ and gui/ or apis/")).toEqual(["host/ui", "child/api"]);
	});

	test("find a version only in a heading and only whole", () => {
		expect(hasEntry("0.1.0", "# Changes\n\n## 0.1.0 (today)\n")).toBe(true);
		expect(hasEntry("0.1.0", "## 10.1.0\n## 0.1.0-beta\n## 0.1.0.1\nSince 0.1.0 …")).toBe(false);
	});
});
