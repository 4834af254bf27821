import { realpathSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { readTextFile } from "../base/text-file.ts";
import type { PluginSpec } from "../spec.ts";

/**
 * The files of a plugin that runs: those that it has loaded, its own file also where it is a link, and what decides how they
 * are read.
 *
 * @param modules as its process tells them
 */
export function watchedFiles(
	{ path, root }: Pick<PluginSpec, "path" | "root">,
	modules: readonly string[],
): Set<string> {
	return new Set([
		path,
		realPathOf(path),
		...modules,
		...["package.json", "tsconfig.json"].map((name) => join(root, name)),
	]);
}

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

const filesMax = 1_000;
const sourceBytesMax = 4 * 1024 * 1024;
const sourceSuffixes = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];

async function importsOf(file: string): Promise<string[]> {
	if (!sourceSuffixes.includes(extname(file))) return [];
	try {
		const { text, cut } = await readTextFile(file, sourceBytesMax);
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

function realPathOf(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}
