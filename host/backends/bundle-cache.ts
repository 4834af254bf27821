import { closeSync, lstatSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { claimFolder } from "../base/folder-lock.ts";
import { leftoverMs } from "./bundle-folder.ts";
import { cacheHome, knownCLI } from "./bundle-recall.ts";
import { removeUnused } from "./bundle-removal.ts";
import { bundleFolder } from "./child-bundle.ts";

/** A folder that brood has left in its cache. */
export interface CachedFolder {
	path: string;
	/**
	 * `current`: this program uses it; `used`: another one does, or may be building it; `unused`: nobody does;
	 * `unknown`: nobody can tell here.
	 */
	state: "current" | "used" | "unused" | "unknown";
	bytes: number;
}

/** What lies in the cache of brood: bundles of the child and of the command line, and what builds that were killed have left. */
export async function cachedFolders(
	environment: Record<string, string | undefined> = process.env,
): Promise<CachedFolder[]> {
	const cache = cacheHome(environment);
	if (cache === undefined) return [];
	const folder = join(cache, "brood");
	const current = currentFolders(environment);
	const names = await readdir(folder).catch(() => []);
	const found = names.filter((name) => bundleName.test(name) || name.startsWith("building-")).sort();
	const folders = await Promise.all(found.map((name) => describeFolder(join(folder, name), current)));
	return folders.filter((one) => one !== undefined);
}

const bundleName = /^(?:child|cli)-[\w.+-]+-[0-9a-f]{16}$/;

/** Removes what nobody uses. @returns false when somebody has begun to, or it has gone */
export async function removeCached({ path }: CachedFolder): Promise<boolean> {
	return await removeUnused(path);
}

/** What this program, and the command line beside it, would run. */
function currentFolders(environment: Record<string, string | undefined>): (string | undefined)[] {
	try {
		return [bundleFolder(environment), Bun.isStandaloneExecutable ? undefined : knownCLI(environment)];
	} catch {
		return [];
	}
}

/** Undefined for what is no folder, or has gone: brood has not made it. */
async function describeFolder(path: string, current: (string | undefined)[]): Promise<CachedFolder | undefined> {
	const facts = await lstat(path).catch(() => undefined);
	if (facts === undefined || !facts.isDirectory()) return undefined;
	const bytes = (await readdir(path).catch(() => [])).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
	if (current.includes(path)) return { path, bytes, state: "current" };
	// A build under way holds no lock.
	const isFresh = basename(path).startsWith("building-") && Date.now() - facts.mtimeMs < leftoverMs;
	return { path, bytes, state: isFresh ? "used" : await stateOf(path) };
}

async function stateOf(path: string): Promise<CachedFolder["state"]> {
	const claim = await claimFolder(path).catch(() => undefined);
	if (claim === undefined) return "unknown";
	if (claim === "used") return "used";
	closeSync(claim);
	return "unused";
}

function sizeOf(path: string): number {
	return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
