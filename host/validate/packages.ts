import { existsSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, resolve } from "node:path";
import { limits } from "../../runtime/limits.ts";
import type { Json } from "../../runtime/records.ts";
import { parseJsonc } from "../base/jsonc.ts";
import { readTextFile } from "../base/text-file.ts";

/** What a child itself answers, under Amp's name and our own. */
const virtualModules: readonly string[] = ["@ampcode/plugin", "brood/plugin"];

/** The name of the package that a specifier leads into; undefined for a path, a builtin and what only Bun can judge. */
export function packageNameOf(specifier: string): string | undefined {
	if (/^(?:[./#]|[a-z][a-z+.-]+:)/.test(specifier) || specifier === "bun") return undefined;
	if (virtualModules.includes(specifier) || isBuiltin(specifier)) return undefined;
	const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
	return /^(?:@[\w.~-]+\/)?[\w.~-]+$/.test(name) ? name : undefined;
}

/** Whether a package lies in a node_modules that is looked into from this folder. */
export function hasPackage(name: string, folder: string): boolean {
	return ancestorsOf(folder).some((ancestor) => existsSync(join(ancestor, "node_modules", name)));
}

/** Says of a specifier whether a tsconfig may give it a meaning, which only Bun can judge. */
export type OwnNames = (specifier: string) => boolean;

/** Reads the tsconfig that Bun takes for a folder. */
export async function readOwnNames(folder: string): Promise<OwnNames> {
	for (const ancestor of ancestorsOf(folder)) {
		for (const name of ["tsconfig.json", "jsconfig.json"]) {
			const path = join(ancestor, name);
			if (existsSync(path)) return await namesOf(path, extendsMax);
		}
	}
	return () => false;
}

// A longer chain is a circle.
const extendsMax = 16;

async function namesOf(path: string, left: number): Promise<OwnNames> {
	const configuration = await readObject(path);
	if (configuration === undefined || left === 0) return () => true;
	const { baseUrl, paths } = objectOf(configuration.compilerOptions);
	const patterns = Object.keys(objectOf(paths)).map((pattern) => pattern.split("*"));
	const base = typeof baseUrl === "string" ? resolve(dirname(path), baseUrl) : undefined;
	const parents = [configuration.extends ?? []].flat();
	const inherited = await Promise.all(
		parents.map((parent) => {
			// Where a package keeps its configuration is for Bun to find.
			if (typeof parent !== "string" || !/^[./]/.test(parent)) return () => true;
			const file = resolve(dirname(path), parent);
			return namesOf(existsSync(file) ? file : `${file}.json`, left - 1);
		}),
	);
	return (specifier) =>
		patterns.some(([start = "", end]) =>
			end === undefined ? specifier === start : specifier.startsWith(start) && specifier.endsWith(end),
		) ||
		(base !== undefined && existsSync(join(base, specifier.split("/", 1)[0] ?? ""))) ||
		inherited.some((isOwn) => isOwn(specifier));
}

function ancestorsOf(folder: string): string[] {
	const parent = dirname(folder);
	return parent === folder ? [folder] : [folder, ...ancestorsOf(parent)];
}

function objectOf(value: Json | undefined): { [name: string]: Json } {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

async function readObject(path: string): Promise<{ [name: string]: Json } | undefined> {
	try {
		return objectOf(parseJsonc((await readTextFile(path, limits.text.documentBytesMax)).text));
	} catch {
		// One that cannot be read decides nothing; Bun itself says what is wrong with it.
		return undefined;
	}
}
