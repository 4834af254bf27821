import { expect, test } from "bun:test";
import { hostStartProblems } from "./support/start.ts";
import { readSources } from "./support/tree.ts";

const sources = readSources("{runtime,child,host}/**/*.{ts,tsx,js}");

test.each([
	["host/index.ts", []],
	["host/cli/main.ts", []],
	["host/cli/start.ts", ["commander"]],
])("%s loads at its start no package but %j", (entry, allowed: string[]) => {
	expect(sources.has(entry)).toBe(true);
	expect(hostStartProblems(entry, sources, allowed)).toEqual([]);
});

test("the gate sees a package behind static imports, and neither types nor what is loaded when used", () => {
	const files = new Map([
		["host/index.ts", 'import { createHost } from "./host.ts"; export type { Schema } from "zod";'],
		["host/host.ts", 'import "commander"; export * from "./base/settings.ts"; const ajv = () => import("ajv");'],
		["host/base/settings.ts", 'import { parse } from "yaml"; import { log } from "@clack/prompts";'],
	]);
	expect(hostStartProblems("host/index.ts", files, ["commander"]).sort()).toEqual([
		"host/base/settings.ts loads @clack/prompts at the start of host/index.ts; import() it where it is used",
		"host/base/settings.ts loads yaml at the start of host/index.ts; import() it where it is used",
	]);
});
