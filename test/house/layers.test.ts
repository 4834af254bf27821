import { describe, expect, test } from "bun:test";
import { importsOf } from "./support/imports.ts";
import { cycleProblems, exampleProblems, layerProblems } from "./support/layers.ts";
import { readSources } from "./support/tree.ts";

const sources = [...readSources("{runtime,child,host,examples,test}/**/*.{ts,tsx,js}")];
const rooms = new Map(sources.filter(([path]) => /^(?:runtime|child|host|test\/kit)\//.test(path)));
const examples = new Map(sources.filter(([path]) => path.startsWith("examples/")));

describe("the house", () => {
	test("imports only what is lower or in its own folder", () => {
		expect(layerProblems(rooms)).toEqual([]);
	});

	test("has no circle of imports", () => {
		expect(cycleProblems(rooms)).toEqual([]);
	});

	test("shows in its examples only what an author can import", () => {
		expect(exampleProblems(examples)).toEqual([]);
	});
});

describe("the layer gate", () => {
	const problemsOf = (files: Record<string, string>) => layerProblems(new Map(Object.entries(files)));

	test.each([
		["a value import", 'import { host } from "./host.ts";'],
		["a type import", 'import type { Host } from "./host.ts";'],
		["a type export", 'export type { Host } from "./host.ts";'],
		["an export of everything", 'export * from "./host.ts";'],
		["an export of all types", 'export type * from "./host.ts";'],
		["a bare import", 'import "./host.ts";'],
		["an import with a comment within", 'import { /* from "x" */ host } from "./host.ts";'],
		["an import() of a value", 'const load = () => import("./host.ts");'],
		["an import() within a type", 'type Host = import("./host.ts").Host;'],
		["a require()", 'const host = require("./host.ts");'],
		["our own name for the file", 'import { createHost } from "brood";'],
	])("sees %s that leads up", (_, line) => {
		expect(problemsOf({ "host/registry.ts": `const a = 1;\n${line}\n` })).toEqual([
			"host/registry.ts:2 (L5) imports host/host.ts (L7): not lower, not its own folder".replace(
				"host/host.ts",
				line.includes('"brood"') ? "host/index.ts" : "host/host.ts",
			),
		]);
	});

	test("sees a neighbour of the same layer, and lets one folder be", () => {
		const files = {
			"host/backends/amp.ts": 'import "../sources/amp.ts"; import "./process/spawn.ts"; import "../base/log.ts";',
			"runtime/peer.ts": 'import "./channel.ts"; import "./errors.ts"; import "./codec/ndjson.ts";',
		};
		expect(problemsOf(files)).toEqual([
			"host/backends/amp.ts:1 (L4) imports host/sources/amp.ts (L4): not lower, not its own folder",
		]);
	});

	test("keeps child and host apart in both directions", () => {
		const files = {
			"child/main.ts": 'import type { Spec } from "../host/spec.ts";',
			"host/backends/amp.ts": 'import { defineTool } from "@ampcode/plugin";',
			"test/kit/graph.ts": 'import "../../child/main.ts"; import "../../host/index.ts";',
		};
		expect(problemsOf(files)).toEqual([
			"child/main.ts:1 imports host/spec.ts: child and host never meet",
			"host/backends/amp.ts:1 imports child/plugin.ts: child and host never meet",
		]);
	});

	test("sees a schema that the child reaches through another file", () => {
		const files = {
			"child/main.ts": 'import "../runtime/peer.ts";',
			"runtime/peer.ts": 'export const check = () => import("./schema/wire.ts");',
		};
		expect(problemsOf(files)).toEqual(["runtime/peer.ts brings runtime/schema/wire.ts into the child"]);
	});

	test("asks for a layer for each file", () => {
		expect(problemsOf({ "runtime/extra.ts": "" })).toEqual([
			"runtime/extra.ts has no layer; give it one in test/house/support/layers.ts",
		]);
		expect(problemsOf({ "runtime/errors.ts": 'import "../test/house/x.ts";' })).toEqual([
			"runtime/errors.ts:1 imports test/house/x.ts, which has no layer",
		]);
	});
});

test("the cycle gate names the way around, through types as well", () => {
	const files = {
		"host/ui/a.ts": 'import "./b.ts";',
		"host/ui/b.ts": 'import type { C } from "./c.ts"; import "./d.ts";',
		"host/ui/c.ts": 'export const a = () => import("./a.ts");',
		"host/ui/d.ts": 'export { d } from "../../runtime/limits.ts";',
	};
	expect(cycleProblems(new Map(Object.entries(files)))).toEqual([
		"host/ui/a.ts → host/ui/b.ts → host/ui/c.ts → host/ui/a.ts",
	]);
});

test("the example gate lets authors' names and own files pass and nothing else", () => {
	const own = 'import "brood/plugin"; import type { P } from "@ampcode/plugin"; import "node:fs"; import "./part.ts";';
	const foreign = 'import "zod"; import "../other/tool.ts"; import "../../host/index.ts";';
	const files = {
		"examples/hello/good.ts": `${own} import { test } from "bun:test";`,
		"examples/hello/bad.ts": foreign,
	};
	expect(exampleProblems(new Map(Object.entries(files)))).toEqual([
		'examples/hello/bad.ts:1 may not import "zod"',
		'examples/hello/bad.ts:1 may not import "../other/tool.ts"',
		'examples/hello/bad.ts:1 may not import "../../host/index.ts"',
	]);
});

describe("the import scanner", () => {
	test("tells what loads with a file from what loads later or never", () => {
		const source = `
			import type { A } from "a"; import { type B } from "b"; import { type C, c } from "c"; import type, { D } from "d";
			export type * from "e"; export * as f from "f"; import g, { h } from "g"; import text from "./h.txt" with { type: "text" };
			const i = () => import("i"); const j = require("j"); const k = require.resolve("k"); const l = import.meta.require("l");
		`;
		expect(importsOf(source).map(({ specifier, kind }) => `${specifier} ${kind}`)).toEqual([
			...["a type", "b type", "c static", "d static", "e type", "f static", "g static", "./h.txt static"],
			...["i dynamic", "j require", "k require", "l require"],
		]);
	});

	test("is not taken in by text that looks like an import", () => {
		const source = [
			'// import { a } from "a";',
			'/* import "b"; */',
			"const text = 'import { c } from \"c\";';",
			`const template = \`import { d } from "d"; \${text} import "e"\`;`,
			'const pattern = /import "f"/;',
			'const from = "g"; log.import("h"); reimport("i");',
			"const later = (name: string) => import(name);",
		];
		expect(importsOf(source.join("\n"))).toEqual([]);
	});
});
