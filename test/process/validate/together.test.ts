import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { validatePlugins } from "../../../host/validate/validate.ts";
import { layOutWorkspace, listSamples } from "../plugins/workspace.ts";
import { createWorkshop } from "./support.ts";

const shop = createWorkshop();

const tool = (name: string) =>
	`export default (amp) => {\n\tamp.registerTool({ name: "${name}", description: "d", inputSchema: { type: "object" }, execute() {} });\n};\n`;
const fine = "export default () => {};\n";

describe("plugins of one run", () => {
	test("are told what they take from each other, by the rules of a host", async () => {
		shop.write({
			"plugins/a.ts": tool("search"),
			"plugins/b.ts": tool("search"),
			"plugins/c.ts": tool("Search"),
			"other/A.ts": fine,
		});
		const { ok, plugins } = await shop.validate(["plugins", "other/A.ts"]);
		expect(Object.fromEntries(plugins.map((plugin) => [plugin.name, shop.lines(plugin)]))).toEqual({
			a: [],
			b: [
				'warning name_taken fetch plugins/b.ts:2:6 tool "search" belongs to plugin "a" (plugins/a.ts), which comes first, and is left out here',
			],
			c: ['warning case_clash fetch plugins/c.ts:2:6 tool "Search" differs from "search" of plugin "a" only by case'],
			A: ['warning case_clash fetch other/A.ts plugin "A" differs from "a" only by case'],
		});
		expect(ok).toBe(true);
	});

	test("of one name are all examined, and those that a host would not run are told so", async () => {
		shop.write({ "one/same.ts": fine, "two/same.ts": "export default 1;\n" });
		const { plugins } = await shop.validate(["one", "two"]);
		expect(plugins.map((plugin) => shop.lines(plugin))).toEqual([
			[],
			[
				'error no_default_export import two/same.ts:1:1 Plugin "same" must export a default function: its default export is of type number instead',
				"warning shadowed discover two/same.ts a host leaves it out: one/same.ts has the same name and comes first",
			],
		]);
	});

	test("do not hold each other up: what is wrong with one is no problem of the others", async () => {
		shop.write({ "plugins/a.ts": "await new Promise(() => {});\n", "plugins/b.ts": tool("b") });
		const { plugins } = await shop.validate(["plugins"], { limits: { load: { readyMs: 3_000 } } });
		expect(plugins.map(({ name, ok, tools }) => ({ name, ok, tools: tools.length }))).toEqual([
			{ name: "a", ok: false, tools: 0 },
			{ name: "b", ok: true, tools: 1 },
		]);
	});
});

describe("what is no plugin", () => {
	test("is told with the reason, and is a problem where it was named or looks like one", async () => {
		shop.write({
			"plugins/types.d.ts": "export {};\n",
			"plugins/a.test.ts": "",
			"plugins/notes.md": "",
			"plugins/lib/x.ts": "",
			"plugins/Twin.ts": fine,
			"plugins/twin.ts": fine,
			"plugins/good.ts": fine,
			"empty/b.d.ts": "",
		});
		symlinkSync("nowhere.ts", shop.path("plugins/dead.ts"));
		mkdirSync(shop.path("void"));
		const { ok, plugins, skipped } = await shop.validate(["plugins", "empty", "void", "gone.ts", "plugins/notes.md"]);
		const told = plugins.filter(({ name }) => name !== "good").flatMap((plugin) => shop.lines(plugin));
		expect(told).toEqual([
			"warning file_skipped discover plugins/Twin.ts plugins/Twin.ts is left out: only the case of its name differs from plugins/twin.ts; rename one",
			"warning file_skipped discover plugins/dead.ts plugins/dead.ts is left out: it is a link to nowhere.ts, which leads nowhere: it does not exist",
			"warning file_skipped discover plugins/twin.ts plugins/twin.ts is left out: only the case of its name differs from plugins/Twin.ts; rename one",
			`error not_a_plugin discover ${"empty"} ${"empty"} is no plugin: it is a directory without index.ts, and no plugin lies in it`,
			"error not_a_plugin discover void void is no plugin: it is a directory without index.ts, and no plugin lies in it",
			"error not_a_plugin discover gone.ts gone.ts is no plugin: it does not exist",
			"error not_a_plugin discover plugins/notes.md plugins/notes.md is no plugin: its name does not end like a plugin's",
		]);
		expect(skipped.map(({ path, reason }) => `${path.replace(shop.path("/"), "")}: ${reason}`)).toEqual([
			"plugins/a.test.ts: it is a test",
			"plugins/lib: the directory has no index.ts (nor .tsx, .mts, .js, .mjs)",
			"plugins/notes.md: its name does not end in one of .ts, .tsx, .mts, .js, .mjs",
			"plugins/types.d.ts: a declaration file has nothing to run",
			"empty/b.d.ts: a declaration file has nothing to run",
		]);
		expect(ok).toBe(false);
	});

	test("does not matter where nothing is named: the places of the workspace and the user are examined", async () => {
		shop.write({ ".amp/plugins/a.ts": tool("a"), ".brood/plugins/b.ts": fine });
		const { plugins } = await validatePlugins([], { cwd: shop.path() });
		expect(plugins.map(({ name, scope, ok }) => ({ name, scope, ok }))).toEqual([
			{ name: "b", scope: "project", ok: true },
			{ name: "a", scope: "project", ok: true },
		]);
	});
});

describe("imports", () => {
	test("that a tsconfig, a manifest or a folder of packages explains are no problem", async () => {
		shop.write({
			"tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./lib/*"] } } }\n',
			"lib/a.ts": "export const a = 1;\n",
			"node_modules/there/package.json": '{ "name": "there", "main": "main.js" }\n',
			"node_modules/there/main.js": "module.exports = 1;\n",
			"plugins/p.ts":
				'import type { X } from "only-types";\nimport { unused } from "never-used";\nimport { a } from "@/a";\nimport there from "there";\nimport { defineTool } from "@ampcode/plugin";\nimport "./side.js";\nexport default () => [a, there, defineTool];\n',
			"plugins/side.ts": "export default () => {};\n",
		});
		const { plugins } = await shop.validate(["plugins/p.ts"]);
		expect(plugins.flatMap((plugin) => shop.lines(plugin))).toEqual([]);
		expect(plugins.map(({ loads }) => loads)).toEqual([true]);
	});

	test("that only Bun can judge are left to it, and packages that are missing are told all the same", async () => {
		shop.write({
			"tsconfig.json": '{ "extends": "./base.json" }\n',
			"base.json": '{ "compilerOptions": { "paths": { "lib/*": ["./lib/*"] } } }\n',
			"p.ts": 'import b from "left-out";\nimport { a } from "lib/gone";\nexport default () => [a, b];\n',
			"q.ts": 'import { a } from "lib/gone";\nexport default () => [a];\n',
		});
		const { plugins } = await shop.validate(["p.ts", "q.ts"]);
		const told = plugins.map(({ problems }) => problems.map(({ code, line, message }) => `${code} ${line} ${message}`));
		expect(told).toEqual([
			['missing_package 1 the package "left-out" is not installed'],
			[expect.stringContaining("missing_package 1 Plugin \"q\" failed to load: Cannot find package 'lib'")],
		]);
	});
});

test("plugins as they are in the wild are not refused", async () => {
	layOutWorkspace(shop.path());
	const limits = { load: { readyMs: 30_000 }, stop: { interruptMs: 300 } };
	const { plugins } = await validatePlugins([], { cwd: shop.path(), limits });
	const refused = plugins.filter(({ ok }) => !ok).map((plugin) => shop.lines(plugin));
	expect(refused).toEqual([]);
	expect(plugins.map(({ name }) => name)).toEqual(expect.arrayContaining(listSamples()));
}, 60_000);
