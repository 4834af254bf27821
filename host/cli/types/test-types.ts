import { existsSync } from "node:fs";
import { join } from "node:path";
import { ownPackage } from "../own-package.ts";
import { findPackage, makeTypeRoot, typeRoot } from "./bun-types.ts";

/** Where the types of `brood/test` come from: an installed brood, this one by a file that leads to it, or nowhere. */
export type TestTypes = "installed" | "linked" | "missing";

export function testTypesOf(folder: string): TestTypes {
	if (findPackage(folder, "brood") !== undefined) return "installed";
	return existsSync(join(folder, typeRoot, linkName)) ? "linked" : "missing";
}

/** The module of this brood that declares `brood/test`; its source where it has no declarations, as in a checkout. */
export function ownTestTypes(): { path: string; isSource: boolean } | undefined {
	const root = ownPackage();
	if (root === undefined) return undefined;
	const isSource = !existsSync(join(root, "dist/types/test/kit/index.d.ts"));
	// TypeScript looks for the declaration beside what would be run.
	return { path: join(root, isSource ? "test/kit/index.ts" : "dist/types/test/kit/index.js"), isSource };
}

/** Lets TypeScript find `brood/test` where no brood is installed: what is in no package is looked for in the type roots. */
export async function linkTestTypes(folder: string, path: string): Promise<void> {
	const file = Bun.file(join(await makeTypeRoot(folder), linkName));
	const text = `export * from ${JSON.stringify(path.replaceAll("\\", "/"))};\n`;
	if (!(await file.exists()) || (await file.text()) !== text) await file.write(text);
}

const linkName = "brood/test.d.ts";
