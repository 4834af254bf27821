import { describe, expect, test } from "bun:test";
import { toolPlugin } from "../cases/modules-support.ts";
import { createShop } from "./support.ts";

const shop = createShop();

/** What a plugin may write, and what its author is told; `folder` stands for the plugin's. */
const absent: [name: string, source: string, hint: string | undefined][] = [
	["package", 'import { version } from "pad-of-nobody";', 'Run "bun add pad-of-nobody", or "bun install"'],
	["scoped", 'import { version } from "@nobody/pad";', 'Run "bun add @nobody/pad"'],
	["subpath", 'import { version } from "pad-of-nobody/deep.js";', 'Run "bun add pad-of-nobody"'],
	["versioned", 'import { version } from "pad-of-nobody@1.0.0";', 'and import "pad-of-nobody"'],
	["required", 'const { version } = require("pad-of-nobody");', 'Run "bun add pad-of-nobody"'],
	["awaited", 'await import("pad-of-nobody");', 'Run "bun add pad-of-nobody"'],
	["npm", 'import "npm:pad-of-nobody@1.0.0";', 'Write "pad-of-nobody", and run "bun add pad-of-nobody@1.0.0"'],
	["typo", 'import "node:fss";', "has no builtin module of that name"],
	["bun-typo", 'import "bun:sqlit";', "has no builtin module of that name"],
	["bare-typo", 'import "fs/promise";', 'The builtin module "fs" has no "fs/promise"'],
	["alias", 'import "@/lib/x";', '"paths" in tsconfig.json'],
	["tilde", 'import "~/x";', '"paths" in tsconfig.json'],
	["hash", 'import "#x";', '"imports" in package.json'],
	["https", 'import "https://127.0.0.1/x.js";', "Bun imports nothing by its address"],
	["file", 'import "./gone.ts";', undefined],
];

describe("a plugin whose packages may not be fetched", () => {
	test("fails to load with the command that adds what is missing, and asks no registry for it", async () => {
		const { site, registry, start } = shop();
		site.write(
			Object.fromEntries(
				absent.map(([name, source]) => [`${name}.ts`, `// one\n\n${source}\nexport default () => typeof version;`]),
			),
		);
		const { host } = await start(absent.map(([name]) => `${name}.ts`));
		for (const [name, , hint] of absent) {
			const { state, error } = host.plugins.get(name);
			expect({ name, state, code: error?.code, stage: error?.stage }).toEqual({
				name,
				state: "failed",
				code: "load_failed",
				stage: "import",
			});
			if (hint === undefined) expect(error?.hint).toBeUndefined();
			else expect(error?.hint).toContain(hint);
			if (hint?.includes("bun add") === true) expect(error?.hint).toContain(`in ${site.path()}`);
			expect(error?.message).toContain(`${name}.ts:3:`);
		}
		expect(registry.requests).toEqual([]);
	});

	test("asks none either when a tool imports or requires, and the plugin lives on", async () => {
		const { site, registry, start } = shop();
		site.write({
			"later.ts": toolPlugin("later", '(await import("pad-of-nobody")).version'),
			"required.ts": toolPlugin("required", 'require("pad-of-nobody").version'),
			"resolved.ts": toolPlugin("resolved", 'import.meta.resolve("pad-of-nobody")'),
			"worker.ts": toolPlugin(
				"worker",
				`await new Promise((resolve) => {
					const url = URL.createObjectURL(new Blob(['import "pad-of-nobody"; postMessage("loaded")']));
					const worker = new Worker(url);
					worker.onmessage = ({ data }) => resolve(data);
					worker.onerror = ({ message }) => resolve("failed");
				})`,
			),
		});
		const { host } = await start(["later.ts", "required.ts", "resolved.ts", "worker.ts"]);
		for (const tool of ["later", "required"]) {
			const { ok, text } = await host.tools.call(tool, {});
			expect({ tool, ok }).toEqual({ tool, ok: false });
			expect(text).toContain("'pad-of-nobody'");
			expect(host.plugins.get(tool).state).toBe("ready");
		}
		await host.tools.call("resolved", {});
		expect((await host.tools.call("worker", {})).text).toBe("failed");
		expect(registry.requests).toEqual([]);
	});

	test("asks none whatever files and variables say: bunfig.toml, .npmrc, package.json, a lockfile, NODE_PATH", async () => {
		const { site, registry, start, environment } = shop();
		const force = `[install]\nauto = "force"\nregistry = "${registry.url}"\n`;
		const home = environment().HOME ?? "";
		for (const path of [".bunfig.toml", "bunfig.toml", ".config/.bunfig.toml"])
			await Bun.write(`${home}/${path}`, force);
		await Bun.write(`${home}/.npmrc`, `registry=${registry.url}\n`);
		const source = 'import { version } from "pad-of-nobody";\nexport default () => typeof version;';
		site.write({
			"bunfig.toml": force,
			".npmrc": `registry=${registry.url}\n`,
			"one/index.ts": source,
			"one/bunfig.toml": force,
			"one/package.json": '{ "name": "one", "dependencies": { "pad-of-nobody": "^1.0.0" } }',
			"one/bun.lock": '{ "lockfileVersion": 1, "workspaces": { "": { "name": "one" } }, "packages": {} }',
			"two.ts": source,
		});
		const env = environment({
			BUN_CONFIG_AUTO: "force",
			BUN_CONFIG_INSTALL: "force",
			BUN_INSTALL_AUTO: "force",
			BUN_OPTIONS: "--install=force",
			NODE_PATH: site.path(),
			XDG_CONFIG_HOME: `${home}/.config`,
			npm_config_registry: registry.url,
			NPM_CONFIG_REGISTRY: registry.url,
		});
		const { host } = await start(["one", "two.ts"], { env });
		for (const name of ["one", "two"]) expect(host.plugins.get(name).error?.message).toContain("'pad-of-nobody'");
		expect(host.plugins.get("one").error?.hint).toContain(`in ${site.path("one")}`);
		expect(registry.requests).toEqual([]);
	});

	test("is told apart: what is there and has no such file, and what a package of its folder lacks", async () => {
		const { site, start } = shop();
		site.write({
			"one/index.ts": 'import "held/none";\nexport default () => {};',
			"one/node_modules/held/package.json": '{ "name": "held", "exports": { ".": "./index.js" } }',
			"one/node_modules/held/index.js": "",
			"two/index.ts": 'import "needy";\nexport default () => {};',
			"two/node_modules/needy/index.js": 'require("pad-of-nobody");',
			"lib/part.ts": 'import "pad-of-nobody";',
			"three/index.ts": 'import "../lib/part.ts";\nexport default () => {};',
		});
		const { host } = await start(["one", "two", "three"]);
		const hint = (name: string) => host.plugins.get(name).error?.hint ?? "";
		expect(hint("one")).toContain('node_modules/held exists and has no "held/none"');
		expect(hint("two")).toContain(`in ${site.path("two")}`);
		expect(hint("three")).toContain(`in ${site.path("lib")}`);
	});

	test("is the default beside one that may fetch", async () => {
		const { site, start } = shop();
		const source = (name: string) => toolPlugin(name, "version", 'import { version } from "pad-of-nobody";');
		site.write({ "may.ts": source("may"), "not.ts": source("not"), "off.ts": source("off") });
		const { host } = await start(["may.ts", "not.ts", "off.ts"], {
			install: { may: "auto", off: "off", other: "auto" },
		});
		expect(host.plugins.list().map(({ name, state }) => [name, state])).toEqual([
			["may", "ready"],
			["not", "failed"],
			["off", "failed"],
		]);
		expect(host.plugins.get("not").error?.hint).toContain('install: "auto" (--install)');
	});
});

test.each([[true], ["force"], [null], [{ one: "yes" }], [7]])(
	"install: %p is refused before anything starts",
	async (install) => {
		const { site, start } = shop();
		site.write({ "one.ts": "export default () => {};" });
		const started = start(["one.ts"], { install: install as "auto" });
		expect(started).rejects.toMatchObject({
			code: "usage",
			message: expect.stringContaining('install is "auto", "off"'),
		});
		await started.catch(() => {});
	},
);
