import { existsSync, readdirSync } from "node:fs";
import { lstat, mkdir, readlink, rm, symlink } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";

/** The folder with the link to a package of types; hidden, so that nothing takes it for a plugin. */
export const typeRoot = ".brood-types";

/** Finds installed types of Bun, from a folder upwards: as `types` and `typeRoots` of a tsconfig in it name them. */
export function installedBunTypes(folder: string): { name: string; root: string } | undefined {
	const found = findPackage(folder, "bun-types") ?? findPackage(folder, "@types/bun");
	if (found === undefined) return undefined;
	const root = relative(folder, dirname(found)).replaceAll("\\", "/");
	return { name: basename(found), root: root.startsWith(".") ? root : `./${root}` };
}

/** The types of Bun that this brood has for itself, where it has them. */
export function ownBunTypes(): string | undefined {
	return findPackage(import.meta.dir, "bun-types");
}

/**
 * Whether a brood that a folder finds, or one of its plugins, is without declarations, as a linked checkout is: TypeScript
 * then has to be told to read its sources.
 */
export function hasBroodSources(folder: string, include: readonly string[] = []): boolean {
	const plugins = include.flatMap((place) => entriesOf(join(folder, place)));
	return [folder, ...plugins].some((from) => {
		const brood = findPackage(from, "brood");
		return brood !== undefined && !existsSync(join(brood, "dist/types"));
	});
}

function entriesOf(folder: string): string[] {
	try {
		return readdirSync(folder).map((name) => join(folder, name));
	} catch {
		return [];
	}
}

/** Whether a link leads to types of Bun. */
export function isLinked(folder: string): boolean {
	return existsSync(join(folder, typeRoot, "bun-types/package.json"));
}

/** Links a package of types into a folder. */
export async function linkBunTypes(folder: string, target: string): Promise<void> {
	const link = join(await makeTypeRoot(folder), "bun-types");
	const facts = await lstat(link).catch(() => undefined);
	// One that leads nowhere any more is replaced; whatever else stands there is a person's.
	if (facts?.isSymbolicLink() === true && (await readlink(link)) !== target) await rm(link);
	else if (facts !== undefined) return;
	await symlink(target, link, "dir");
}

/** Makes the folder for what is of this machine, and kept from version control. @returns its path */
export async function makeTypeRoot(folder: string): Promise<string> {
	const root = join(folder, typeRoot);
	await mkdir(root, { recursive: true });
	await Bun.write(join(root, ".gitignore"), "*\n");
	return root;
}

/** The nearest folder of a package that is installed, from a folder upwards. */
export function findPackage(from: string, name: string): string | undefined {
	for (let folder = from; ; folder = dirname(folder)) {
		const candidate = join(folder, "node_modules", name);
		if (existsSync(join(candidate, "package.json"))) return candidate;
		if (folder === dirname(folder)) return undefined;
	}
}
