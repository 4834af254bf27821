import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findImports } from "../../../../host/devtools/imports.ts";

let folder = "";
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "brood-imports-"));
	const files = {
		"own.ts": "export const own = 1;",
		"again.ts": "export const again = 1;",
		"types.ts": "export type Only = 1;",
		"text.ts": "throw new Error('run');",
		"node_modules/pack/package.json": '{"main":"main.js"}',
		"node_modules/pack/main.js": "module.exports = 1;",
		"node_modules/required/index.js": "module.exports = 1;",
	};
	for (const [path, text] of Object.entries(files)) await Bun.write(join(folder, path), text);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function importsOf(source: string, name = "plugin.ts") {
	await Bun.write(join(folder, name), source);
	return (await findImports({ path: join(folder, name) })).map(({ specifier, kind }) => `${kind} ${specifier}`);
}

test("direct imports are told in the order in which they are loaded, each once and by its kind", async () => {
	const source = `
		const required = require("required");
		import { own } from "./own.ts";
		import pack from "pack";
		import { readFileSync } from "node:fs";
		import { own as same } from "./own";
		export * from "./again.ts";
		export default () => [own, pack, readFileSync, same, required];
	`;
	expect(await importsOf(source)).toEqual([
		"file ./own.ts",
		"package pack",
		"builtin node:fs",
		"file ./again.ts",
		"package required",
	]);
});

test("types, names that nobody uses, what brood answers, lazy imports, data and what is not there do not count", async () => {
	const source = `
		import type { Only } from "./types.ts";
		import { type Only as Other } from "./types.ts";
		import { again } from "./again.ts";
		import { defineTool } from "@ampcode/plugin";
		import words from "./text.ts" with { type: "text" };
		import { own } from "./own.ts";
		const missing = () => require("not-there");
		export default () => [defineTool, words, own, missing, import("pack")];
	`;
	expect(await importsOf(source)).toEqual(["file ./own.ts"]);
});

test("a plugin that cannot be read, or parsed, has none", async () => {
	expect(await importsOf("const = ;")).toEqual([]);
	expect(await findImports({ path: join(folder, "nowhere.ts") })).toEqual([]);
});
