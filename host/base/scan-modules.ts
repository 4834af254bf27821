import { existsSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import type { PluginSpec } from "../spec.ts";
import { realPathOf } from "./paths.ts";
import { readTextFile } from "./text-file.ts";

/**
 * What a plugin that does not load would load, read from its sources without running them: a module that is missing is
 * there with the names that it may get.
 */
export async function scanModules({ path }: Pick<PluginSpec, "path">): Promise<Set<string>> {
	const found = new Set<string>();
	const waiting = [realPathOf(path)];
	for (let file = waiting.shift(); file !== undefined && found.size < filesMax; file = waiting.shift()) {
		if (found.has(file)) continue;
		found.add(file);
		for (const specifier of await importsOf(file)) {
			const target = resolved(specifier, file);
			if (target === undefined) for (const name of possibleNames(specifier, file)) found.add(name);
			else if (isOwn(target)) waiting.push(target);
		}
	}
	return found;
}

/**
 * The names under which modules import one another through links, and so not by the names that they are known by once
 * loaded.
 *
 * @param modules those that are loaded, each where it really is
 */
export async function linkedImports(modules: readonly string[]): Promise<Set<string>> {
	const known = new Set(modules);
	const found = new Set<string>();
	for (const module of modules) {
		for (const specifier of await importsOf(module)) {
			const names = possibleNames(specifier, module);
			if (names.some((name) => known.has(name))) continue;
			for (const name of names) if (existsSync(name) && known.has(realPathOf(name))) found.add(name);
		}
	}
	return found;
}

const filesMax = 1_000;
const sourceBytesMax = 4 * 1024 * 1024;
const sourceSuffixes = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];

async function importsOf(file: string): Promise<string[]> {
	if (!sourceSuffixes.includes(extname(file))) return [];
	try {
		// As much memory as may be read is taken for each.
		const { text, cut } = await readTextFile(file, Math.min(sourceBytesMax, Bun.file(file).size));
		if (cut) return [];
		const loader = /x$/.test(file) ? "tsx" : "ts";
		return new Bun.Transpiler({ loader }).scanImports(text).map(({ path }) => path);
	} catch {
		// It is broken, or gone.
		return [];
	}
}

function resolved(specifier: string, from: string): string | undefined {
	try {
		return Bun.resolveSync(specifier, dirname(from));
	} catch {
		return undefined;
	}
}

function isOwn(file: string): boolean {
	return file.startsWith("/") && !file.includes("/node_modules/");
}

function possibleNames(specifier: string, from: string): string[] {
	if (!/^\.{0,2}\//.test(specifier)) return [];
	const base = resolve(dirname(from), specifier);
	const suffixes = ["", ...sourceSuffixes, ".json"];
	return [...suffixes.map((suffix) => base + suffix), ...sourceSuffixes.map((suffix) => join(base, `index${suffix}`))];
}
