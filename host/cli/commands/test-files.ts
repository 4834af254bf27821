import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";

/** Whether a file is a test by its name, as plugin places judge it too; others in them are plugins. */
export function isTest(name: string): boolean {
	return /\.test\.[cm]?[jt]sx?$/.test(name) && !name.startsWith(".");
}

/**
 * Finds the tests of a folder, sorted; each is found once, whatever links lead to it.
 *
 * @param depth how far the folders in it are looked into: all of them unless it says `shallow`
 * @throws Error of the file system when the folder cannot be read; one further down that cannot be is left out
 */
export function testsIn(folder: string, depth: "deep" | "shallow" = "deep"): string[] {
	const found = new Map<string, string>();
	const visited = new Set<string>();
	function visit(path: string, entries: Dirent[]): void {
		visited.add(realpathSync(path));
		for (const entry of entries) {
			const inner = join(path, entry.name);
			const facts = factsOf(inner, entry);
			if (facts?.isFile() && isTest(entry.name)) found.set(realpathSync(inner), inner);
			if (depth === "shallow" || !facts?.isDirectory() || isLeftOut(entry.name)) continue;
			const deeper = visited.has(realpathSync(inner)) ? undefined : read(inner);
			if (deeper !== undefined) visit(inner, deeper);
		}
	}
	visit(folder, readdirSync(folder, { withFileTypes: true }));
	return [...found.values()].sort();
}

function isLeftOut(name: string): boolean {
	return name === "node_modules" || name.startsWith(".");
}

/** What an entry is, or what it leads to; undefined for a link that leads nowhere. */
function factsOf(path: string, entry: Dirent): Dirent | Stats | undefined {
	return entry.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : entry;
}

function read(folder: string): Dirent[] | undefined {
	try {
		return readdirSync(folder, { withFileTypes: true });
	} catch {
		return undefined;
	}
}
