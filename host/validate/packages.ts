import { existsSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { ancestorsOf, readImportSettings } from "../base/import-settings.ts";

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
	const settings = await readImportSettings(folder);
	if (settings === undefined) return () => false;
	// Of what cannot be read here, Bun itself says what is wrong.
	const isUnclear = settings.isUnclear || settings.fault !== undefined;
	return (specifier) => isUnclear || settings.meaningOf(specifier) !== undefined;
}
