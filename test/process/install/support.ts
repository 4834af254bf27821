import { afterEach, beforeEach } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { CreateHostOptions } from "../../../host/host.ts";
import { createSite, type Site } from "../cases/modules-support.ts";
import { createBench, type Running } from "../support/host.ts";
import { openRegistry, type PackageRegistry } from "../support/package-registry.ts";

/** Plugins, a home, a cache and a registry of packages, all of them of one test. */
export interface Shop {
	site: Site;
	registry: PackageRegistry;
	/** What plugins get as their environment: Bun asks the registry of the test, and keeps packages in its cache. */
	environment(more?: Record<string, string>): Record<string, string>;
	start(plugins: string[], options?: CreateHostOptions): Promise<Running>;
	/** All files and folders below a folder of the site, sorted. */
	files(path?: string): string[];
	/** What lies in the cache of packages, without what Bun keeps for itself. */
	cached(): string[];
}

/** Must be called at the top of a test file. */
export function createShop(): () => Shop {
	const bench = createBench();
	let shop: Shop | undefined;
	beforeEach(async () => {
		const registry = await openRegistry({
			"pad-of-nobody": versions("1.0.0", "1.2.0", "2.0.0"),
			"@nobody/pad": versions("3.1.0"),
			"@ampcode/plugin": versions("9.9.9"),
			"needs-pad": {
				"1.0.0": {
					"package.json": '{"name":"needs-pad","version":"1.0.0","dependencies":{"pad-of-nobody":"1.0.0"}}',
					"index.js": 'module.exports = { version: "needs " + require("pad-of-nobody").version };',
				},
			},
		});
		const site = createSite(bench);
		const [home, cache] = [bench.path("home"), bench.path("cache")];
		for (const folder of [home, cache]) mkdirSync(folder);
		const environment = (more: Record<string, string> = {}) => ({
			PATH: process.env.PATH ?? "",
			HOME: home,
			BUN_INSTALL_CACHE_DIR: cache,
			BUN_CONFIG_REGISTRY: registry.url,
			...more,
		});
		const start: Shop["start"] = (plugins, options = {}) => site.start(plugins, { env: environment(), ...options });
		const files = (path = "") => readdirSync(join(site.path(), path), { recursive: true }).map(String).sort();
		const cached = () =>
			readdirSync(cache)
				.filter((name) => name.includes("@"))
				.map((name) => name.replace(/@@.*$/, ""))
				.sort();
		shop = { site, registry, environment, start, files, cached };
	});
	afterEach(async () => {
		await shop?.registry[Symbol.asyncDispose]();
		shop = undefined;
	});
	return () => {
		if (shop === undefined) throw new Error("there is a shop within a test alone");
		return shop;
	};
}

function versions(...names: string[]): Record<string, Record<string, string>> {
	return Object.fromEntries(
		names.map((version) => [
			version,
			{ "index.js": `exports.version = "${version}";`, "deep.js": `exports.version = "deep ${version}";` },
		]),
	);
}
