import { describe, expect, test } from "bun:test";
import { createBench } from "../support/host.ts";
import { createSite, skippedByName, statesByName, toolPlugin } from "./modules-support.ts";

const bench = createBench();

/** Starts plugins that each have one tool of their own name, and calls all of them. */
async function answersOf(files: Record<string, string>, plugins: string[], tools: string[]) {
	const site = createSite(bench);
	site.write(files);
	const { host } = await site.start(plugins);
	const answers = await Promise.all(tools.map(async (tool) => [tool, (await host.tools.call(tool, {})).text]));
	return Object.fromEntries(answers);
}

describe("packages of a plugin", () => {
	// A folder named node_modules is not kept with the cases.
	const packages = {
		"withdeps/node_modules/by-main/package.json":
			'{ "name": "by-main", "version": "1.0.0", "type": "module", "main": "./lib/x.js" }',
		"withdeps/node_modules/by-main/lib/x.js": 'export default "main"',
		"withdeps/node_modules/by-exports/package.json":
			'{ "name": "by-exports", "version": "1.0.0", "exports": { ".": "./lib/x.mjs", "./sub": "./lib/s.mjs" } }',
		"withdeps/node_modules/by-exports/lib/x.mjs": 'export default "exports"',
		"withdeps/node_modules/by-exports/lib/s.mjs": 'export default "sub"',
		"withdeps/node_modules/by-cjs/package.json": '{ "name": "by-cjs", "version": "1.0.0", "main": "index" }',
		"withdeps/node_modules/by-cjs/index.js": 'module.exports = "cjs"',
	};

	test("resolve by main, by exports, by subpath and as CommonJS", async () => {
		const site = createSite(bench);
		site.copy("078-own-node-modules/withdeps", "withdeps");
		site.write(packages);
		const { host } = await site.start(["withdeps"]);
		expect(await host.tools.call("deps", {})).toMatchObject({ ok: true, text: "main exports sub cjs" });
	});

	test("lie beside the target where the plugin's folder, or its file, is a link", async () => {
		const site = createSite(bench);
		site.write({
			"real/tool/index.ts": toolPlugin("folder", "[dep, near, import.meta.dir].join()", imports("./near.ts")),
			"real/tool/near.ts": 'export const near = "near";',
			"real/tool/node_modules/dep/index.js": 'export const dep = "beside the target";',
			"real/one.ts": toolPlugin("file", "[dep, near, import.meta.path].join()", imports("./tool/near.ts")),
			"real/node_modules/dep/index.js": 'export const dep = "above the target";',
			".amp/node_modules/dep/index.js": 'export const dep = "beside the link";',
		});
		site.link(".amp/plugins/linked", "../../real/tool");
		site.link(".amp/plugins/alias.ts", "../../real/one.ts");
		const running = await site.start([], { places: true });
		expect(statesByName(running)).toEqual({ alias: "ready", linked: "ready" });
		const text = async (tool: string) => (await running.host.tools.call(tool, {})).text;
		expect(await text("folder")).toBe(`beside the target,near,${site.path("real/tool")}`);
		expect(await text("file")).toBe(`above the target,near,${site.path("real/one.ts")}`);
	});

	test("that are missing fail the load at once: nothing is asked for over the network", async () => {
		let asked = 0;
		using registry = Bun.serve({
			port: 0,
			fetch() {
				asked += 1;
				return new Response(null, { status: 404 });
			},
		});
		const site = createSite(bench);
		site.write({ "needy.ts": 'import pad from "left-pad-of-nobody";\nexport default () => pad;' });
		const url = registry.url.href;
		const env = { ...site.environment(), BUN_CONFIG_REGISTRY: url, npm_config_registry: url, NPM_CONFIG_REGISTRY: url };
		const { host } = await site.start(["needy.ts"], { env });
		const { state, error } = host.plugins.get("needy");
		expect({ state, code: error?.code, stage: error?.stage }).toEqual({
			state: "failed",
			code: "load_failed",
			stage: "import",
		});
		expect(error?.message).toContain("'left-pad-of-nobody'");
		expect(error?.hint).toContain('"bun add left-pad-of-nobody"');
		expect(error?.frame ?? "").toContain('import pad from "left-pad-of-nobody"');
		expect(asked).toBe(0);
	});

	test("are the plugin's own: the host's copy of a package is neither used nor handed out", async () => {
		const site = createSite(bench);
		site.write({
			"own/index.ts": `import { ZodError, version } from "zod";\n${toolPlugin(
				"own",
				'{ if (version !== "0.0.1-own") return version; throw new ZodError("mine"); }',
			)}`,
			"own/node_modules/zod/index.js": `export const version = "0.0.1-own";
				export class ZodError extends Error { name = "ZodError"; issues = [{ message: this.message }]; }`,
			"none.ts": 'import { z } from "zod";\nexport default () => z;',
		});
		const running = await site.start(["own", "none.ts"]);
		expect(statesByName(running)).toEqual({ own: "ready", none: "failed" });
		expect(running.host.plugins.get("none").error?.message).toContain("'zod'");
		// The error crosses by its name and text, whatever classes either side has.
		const { ok, error } = await running.host.tools.call("own", {});
		expect({ ok, name: error?.name, message: error?.message }).toEqual({
			ok: false,
			name: "ZodError",
			message: "mine",
		});
	});
});

function imports(near: string): string {
	return `import { dep } from "dep";\nimport { near } from "${near}";`;
}

describe("the author package", () => {
	test("resolves for types, for imports that nobody uses and for values, under both names, however they are imported", async () => {
		const use = "define({ name: 'kept' }).name";
		const files = {
			"types.ts": toolPlugin("types", "'erased'", 'import type { PluginAPI } from "@ampcode/plugin";'),
			"unused.js": toolPlugin("unused", "'ignored'", 'import { defineTool, defineAgent } from "@ampcode/plugin";'),
			"values.ts": toolPlugin("values", use, 'import { defineTool as define } from "@ampcode/plugin";'),
			"brood.ts": toolPlugin("brood", use, 'import { defineAgent as define } from "brood/plugin";'),
			"all.ts": toolPlugin("all", "Object.keys(all).sort().join()", 'import * as all from "@ampcode/plugin";'),
			"later.ts": toolPlugin("later", "(await import('@ampcode/plugin')).defineTool('kept')"),
			"required.ts": toolPlugin("required", "require('@ampcode/plugin').defineTool('kept')"),
			// An author who has the types installed beside the plugin gets the same.
			"installed/index.ts": toolPlugin("installed", use, 'import { defineTool as define } from "@ampcode/plugin";'),
			"installed/node_modules/@ampcode/plugin/package.json": '{ "name": "@ampcode/plugin", "types": "index.d.ts" }',
			"installed/node_modules/@ampcode/plugin/index.d.ts": "export {};",
		};
		const tools = ["types", "unused", "values", "brood", "all", "later", "required", "installed"];
		const plugins = tools.map((name) =>
			name === "installed" ? name : name === "unused" ? `${name}.js` : `${name}.ts`,
		);
		expect(await answersOf(files, plugins, tools)).toEqual({
			types: "erased",
			unused: "ignored",
			values: "kept",
			brood: "kept",
			all: "defineAgent,defineTool",
			later: "kept",
			required: "kept",
			installed: "kept",
		});
	});

	test("says which name it does not have", async () => {
		const site = createSite(bench);
		site.write({ "odd.ts": 'import { defineNothing } from "@ampcode/plugin";\nexport default () => defineNothing();' });
		const { host } = await site.start(["odd.ts"]);
		expect(host.plugins.get("odd").error).toMatchObject({ code: "load_failed", stage: "import" });
		expect(host.plugins.get("odd").error?.message).toMatch(/'?defineNothing'?.*@ampcode\/plugin/);
	});
});

test("modules that import each other in a circle work as in plain Bun", async () => {
	const files = {
		"circle/index.ts": toolPlugin(
			"circle",
			"even(10) + ' ' + odd(10)",
			'import { even } from "./a.ts"; import { odd } from "./b.ts";',
		),
		"circle/a.ts":
			'import { odd } from "./b.ts";\nexport function even(n: number): boolean { return n === 0 || odd(n - 1); }',
		"circle/b.ts":
			'import { even } from "./a.ts";\nexport function odd(n: number): boolean { return n !== 0 && even(n - 1); }',
	};
	expect(await answersOf(files, ["circle"], ["circle"])).toEqual({ circle: "true false" });
});

test("a tsconfig.json that cannot be read beside a plugin does not keep it from loading", async () => {
	const site = createSite(bench);
	site.copy("080-broken-tsconfig-next-to-plugin/tsc", "tsc");
	const running = await site.start(["tsc"]);
	expect(await running.host.tools.call("tsc", {})).toMatchObject({ ok: true, text: "loaded" });
	expect(running.host.plugins.get("tsc")).toMatchObject({ state: "ready", launches: 1, warnings: [] });
	expect(running.host.plugins.log("tsc").filter(({ level }) => level === "error")).toEqual([]);
});

test("each default export is told what it is and what is expected, and a function of either kind loads", async () => {
	const site = createSite(bench);
	const folder = site.copy("082-default-export-shapes", "plugins");
	const running = await site.start(["plugins"]);
	const { host } = running;
	expect(statesByName(running)).toEqual({
		asyncfn: "ready",
		cls: "failed",
		none: "failed",
		num: "failed",
		obj: "failed",
	});
	expect(host.plugins.get("asyncfn").commands).toMatchObject([{ id: "asyncfn", title: "A" }]);
	const found = { none: "it exports only register", obj: "of type object", num: "of type number", cls: "a class" };
	for (const [name, text] of Object.entries(found)) {
		const { error, launches } = host.plugins.get(name);
		expect({ code: error?.code, stage: error?.stage, launches }).toEqual({
			code: "no_default_export",
			stage: "import",
			launches: 1,
		});
		expect(error?.message).toContain(`Plugin "${name}" must export a default function: `);
		expect(error?.message).toContain(text);
		expect(error?.message).not.toContain("cannot be invoked without");
		expect(error?.hint).toContain("export default function");
	}
	expect(skippedByName(running)).toEqual({ "cjs.cjs": expect.stringContaining("path is given explicitly") });

	const named = await bench.start({}, { plugins: [`${folder}/cjs.cjs`] });
	expect(named.host.plugins.get("cjs")).toMatchObject({ state: "ready", commands: [{ id: "cjs", title: "Cjs" }] });
});

test("a plugin and what it starts see the PATH of the host, without node_modules/.bin in front", async () => {
	const site = createSite(bench);
	const path = `${site.path("bin")}:/usr/bin:/bin`;
	const run = `[process.env.PATH, (await amp.$\`own-tool\`).stdout, Bun.spawnSync(["own-tool"]).stdout.toString()].join("|")`;
	const script = (text: string) => `#!/bin/sh\necho ${text}\n`;
	site.write({
		"p/index.ts": toolPlugin("p", run),
		"p/package.json": '{ "name": "p", "scripts": {} }',
		"p/node_modules/.bin/own-tool": script("from node_modules"),
		"bin/own-tool": script("from the PATH"),
	});
	Bun.spawnSync(["chmod", "+x", site.path("bin/own-tool"), site.path("p/node_modules/.bin/own-tool")]);
	const { host } = await site.start(["p"], { env: { ...site.environment(), PATH: path } });
	expect((await host.tools.call("p", {})).text).toBe(`${path}|from the PATH\n|from the PATH\n`);
});
