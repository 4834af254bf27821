import { describe, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { toolPlugin } from "../cases/modules-support.ts";
import { createShop } from "./support.ts";

const shop = createShop();

const auto = { install: "auto" } as const;
const usesPad = (name: string) => toolPlugin(name, "version", 'import { version } from "pad-of-nobody";');

describe("a plugin whose packages may be fetched", () => {
	test("loads with the newest version, which lies in Bun's cache; its own folder stays as it is", async () => {
		const { site, registry, start, files, cached } = shop();
		site.write({ "one/index.ts": usesPad("one") });
		const before = files();
		const { host } = await start(["one"], auto);
		expect((await host.tools.call("one", {})).text).toBe("2.0.0");
		expect(registry.requests).toEqual(["/pad-of-nobody", "/pad-of-nobody/-/pad-of-nobody-2.0.0.tgz"]);
		expect(files()).toEqual(before);
		expect(cached()).toEqual(["pad-of-nobody@2.0.0"]);
	});

	test("gets the version of its package.json, and that of its lockfile within it", async () => {
		const { site, registry, start, files } = shop();
		const lock = {
			lockfileVersion: 1,
			workspaces: { "": { name: "locked", dependencies: { "pad-of-nobody": "^1.0.0" } } },
			packages: { "pad-of-nobody": ["pad-of-nobody@1.0.0", "", {}, ""] },
		};
		site.write({
			"ranged/index.ts": usesPad("ranged"),
			"ranged/package.json": '{ "name": "ranged", "dependencies": { "pad-of-nobody": "^1.0.0" } }',
			"locked/index.ts": usesPad("locked"),
			"locked/package.json": '{ "name": "locked", "dependencies": { "pad-of-nobody": "^1.0.0" } }',
			"locked/bun.lock": JSON.stringify(lock),
			"written.ts": toolPlugin("written", "version", 'import { version } from "pad-of-nobody@1.2.0";'),
		});
		const before = files();
		const { host } = await start(["ranged", "locked", "written.ts"], auto);
		const tools = ["ranged", "locked", "written"];
		const texts = await Promise.all(tools.map(async (tool) => (await host.tools.call(tool, {})).text));
		expect(texts).toEqual(["1.2.0", "1.0.0", "1.2.0"]);
		expect(registry.requests.some((path) => path.endsWith("2.0.0.tgz"))).toBe(false);
		expect(files()).toEqual(before);
	});

	test("gets the packages of its packages, a subpath, a scope, and what a tool imports later", async () => {
		const { site, start, cached } = shop();
		site.write({
			"deep.ts": toolPlugin("deep", "version", 'import { version } from "pad-of-nobody/deep.js";'),
			"scoped.ts": toolPlugin("scoped", "version", 'import { version } from "@nobody/pad";'),
			"needs.ts": toolPlugin("needs", "needs.version", 'import needs from "needs-pad";'),
			"later.ts": toolPlugin("later", '(await import("pad-of-nobody")).version'),
			"required.ts": toolPlugin("required", 'require("pad-of-nobody").version'),
		});
		const tools = ["deep", "scoped", "needs", "later", "required"];
		const { host } = await start(
			tools.map((name) => `${name}.ts`),
			auto,
		);
		const texts = await Promise.all(tools.map(async (tool) => (await host.tools.call(tool, {})).text));
		expect(texts).toEqual(["deep 2.0.0", "3.1.0", "needs 1.0.0", "2.0.0", "2.0.0"]);
		expect(cached()).toEqual(["@nobody", "needs-pad@1.0.0", "pad-of-nobody@1.0.0", "pad-of-nobody@2.0.0"]);
	});

	test("takes from node_modules what is there, and fetches what is not", async () => {
		const { site, registry, start } = shop();
		site.write({
			"node_modules/pad-of-nobody/index.js": 'exports.version = "near";',
			"near.ts": usesPad("near"),
			"far.ts": toolPlugin("far", "version", 'import { version } from "@nobody/pad";'),
		});
		const { host } = await start(["near.ts", "far.ts"], auto);
		expect((await host.tools.call("near", {})).text).toBe("near");
		expect((await host.tools.call("far", {})).text).toBe("3.1.0");
		expect(registry.requests.some((path) => path.includes("pad-of-nobody"))).toBe(false);
	});

	test("loads a second time with no registry at all", async () => {
		const { site, registry, start } = shop();
		site.write({ "one.ts": usesPad("one") });
		const first = await start(["one.ts"], auto);
		await first.host.stop();
		const asked = registry.requests.length;
		await registry[Symbol.asyncDispose]();
		const { host } = await start(["one.ts"], auto);
		expect((await host.tools.call("one", {})).text).toBe("2.0.0");
		expect(registry.requests.length).toBe(asked);
	});

	test("gets the author package from brood, never from a registry, under both names and however it is imported", async () => {
		const { site, registry, start } = shop();
		const use = "define({ name: 'ours' }).name";
		site.write({
			"amp.ts": toolPlugin("amp", use, 'import { defineTool as define } from "@ampcode/plugin";'),
			"brood.ts": toolPlugin("brood", use, 'import { defineTool as define } from "brood/plugin";'),
			"types.ts": toolPlugin("types", "'ours'", 'import type { PluginAPI } from "@ampcode/plugin";'),
			"later.ts": toolPlugin("later", "(await import('@ampcode/plugin')).defineTool('ours')"),
			"required.ts": toolPlugin("required", "require('@ampcode/plugin').defineTool('ours')"),
			"part/index.ts": toolPlugin("part", "ours", 'import { ours } from "./lib.js";'),
			"part/lib.js": 'import { defineTool } from "@ampcode/plugin";\nexport const ours = defineTool("ours");',
			"pinned/index.ts": toolPlugin("pinned", use, 'import { defineTool as define } from "@ampcode/plugin";'),
			"pinned/package.json": '{ "name": "pinned", "devDependencies": { "@ampcode/plugin": "*" } }',
			"builtins.ts": toolPlugin(
				"builtins",
				"'ours'",
				'import fs from "fs";\nimport "node:path";\nimport "bun:sqlite";\nimport { $ } from "bun";\nimport "stream/promises";',
			),
		});
		const tools = ["amp", "brood", "types", "later", "required", "part", "pinned", "builtins"];
		const { host } = await start(
			tools.map((name) => (["part", "pinned"].includes(name) ? name : `${name}.ts`)),
			auto,
		);
		const texts = await Promise.all(tools.map(async (tool) => [tool, (await host.tools.call(tool, {})).text]));
		expect(texts).toEqual(tools.map((tool) => [tool, "ours"]));
		expect(registry.requests).toEqual([]);
	});

	test("takes the registry that .npmrc names, in the home or beside it", async () => {
		const { site, registry, start, environment } = shop();
		const { BUN_CONFIG_REGISTRY: _, ...env } = environment();
		const none = "http://127.0.0.1:9/";
		site.write({
			"one/index.ts": usesPad("one"),
			"one/.npmrc": `registry=${registry.url}\n`,
			"two.ts": usesPad("two"),
		});
		await Bun.write(`${env.HOME}/.npmrc`, `registry=${none}\n`);
		const { host } = await start(["one"], { ...auto, env });
		expect((await host.tools.call("one", {})).text).toBe("2.0.0");
		await Bun.write(`${env.HOME}/.npmrc`, `registry=${registry.url}\n`);
		const { host: other } = await start(["two.ts"], { ...auto, env });
		expect((await other.tools.call("two", {})).text).toBe("2.0.0");
	});
});

describe("a registry that gives nothing", () => {
	test("because it has no such package, or no version that fits: the hint says so", async () => {
		const { site, start, cached } = shop();
		site.write({
			"gone.ts": 'import "nobody-has-this";\nexport default () => {};',
			"range/index.ts": usesPad("range"),
			"range/package.json": '{ "name": "range", "dependencies": { "pad-of-nobody": "^7.0.0" } }',
		});
		const { host } = await start(["gone.ts", "range"], auto);
		for (const name of ["gone", "range"]) {
			const { state, error } = host.plugins.get(name);
			expect({ state, code: error?.code, stage: error?.stage }).toEqual({
				state: "failed",
				code: "load_failed",
				stage: "import",
			});
			expect(error?.hint).toContain("Check its name");
			expect(error?.hint).toContain("bun add");
		}
		expect(cached()).toEqual([]);
	});

	test("because it fails or is not there: the message says what Bun met, and nothing is left", async () => {
		const { site, registry, start, environment, files, cached } = shop();
		site.write({ "one.ts": usesPad("one"), "two.ts": usesPad("two") });
		const before = files();
		registry.behave(500);
		const { host } = await start(["one.ts"], auto);
		expect(host.plugins.get("one").error).toMatchObject({
			code: "load_failed",
			stage: "import",
			message: expect.stringMatching(/'pad-of-nobody': GET .* - 500 /),
			hint: expect.stringContaining("Try again when the registry answers"),
		});
		const env = environment({ BUN_CONFIG_REGISTRY: "http://127.0.0.1:9/" });
		const { host: other } = await start(["two.ts"], { ...auto, env });
		expect(other.plugins.get("two").error?.message).toContain("ConnectionRefused");
		expect({ files: files(), cached: cached() }).toEqual({ files: before, cached: [] });
	});

	test.each(["hang", "hang on archives"] as const)(
		"because it would %s: the load ends at the deadline for both, and a later one works",
		async (behaviour) => {
			const { site, registry, start, environment, cached } = shop();
			site.write({ "one.ts": usesPad("one") });
			registry.behave(behaviour);
			const limits = { load: { readyMs: 1_000, installMs: 500 } };
			const { host } = await start(["one.ts"], { ...auto, limits });
			expect(host.plugins.get("one").error).toMatchObject({
				code: "ready_timeout",
				stage: "import",
				message: expect.stringContaining("within 1500 ms"),
				hint: expect.stringContaining("raise limits.load.installMs"),
			});
			expect(cached()).toEqual([]);
			registry.behave("answer");
			await host.reload("one");
			expect((await host.tools.call("one", {})).text).toBe("2.0.0");
			const cache = environment().BUN_INSTALL_CACHE_DIR ?? "";
			expect(existsSync(cache)).toBe(true);
			rmSync(cache, { recursive: true });
		},
	);
});
