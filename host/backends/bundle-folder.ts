import { readdirSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { contentsFile, hashesOf, readBundle, recordPrefix, stampsOf } from "./bundle-recall.ts";

/** Makes the files of a bundle in a folder. @returns their names; the first one is what is run */
export type BuildBundle = (folder: string) => Promise<string[]>;

/**
 * Builds a bundle into its folder, which several programs may do at once. Whoever is killed meanwhile leaves nothing that
 * anybody uses; the next build removes it.
 *
 * @param isCurrent whether the sources are still those that the folder is named after, asked when the build is over
 * @throws Error when the cache cannot be written, the sources do not bundle or have changed meanwhile
 */
export async function makeBundle(folder: string, build: BuildBundle, isCurrent: () => boolean): Promise<void> {
	const parent = join(folder, "..");
	await sweep(parent);
	await mkdir(parent, { recursive: true, mode: 0o700 });
	const temporary = await mkdtemp(join(parent, "building-"));
	try {
		const names = await build(temporary);
		if (!isCurrent()) throw new Error("the sources were changed while they were bundled");
		const contents = [names.join(" "), stampsOf(temporary, names), hashesOf(temporary, names)];
		await Bun.write(join(temporary, contentsFile), contents.join("\n"));
		if (readBundle(folder) === undefined) await rm(folder, { recursive: true, force: true });
		await rename(temporary, folder);
	} catch (error) {
		// Another program may have put the same bundle there first.
		if (readBundle(folder) === undefined) throw error;
	} finally {
		await rm(temporary, { recursive: true, force: true });
	}
}

/** Whether a program builds one there now, or was killed at it a short while ago. */
export function isBuilding(parent: string): boolean {
	return readdirSync(parent).some((name) => {
		if (!name.startsWith("building-")) return false;
		const facts = statSync(join(parent, name), { throwIfNoEntry: false });
		return facts?.isDirectory() === true && Date.now() - facts.mtimeMs < leftoverMs;
	});
}

/** Milliseconds after which a build is over or was killed. */
export const leftoverMs = 60_000;

/** Removes what builds that were killed have left, and records of bundles that have gone. */
async function sweep(parent: string): Promise<void> {
	const names: string[] = await readdir(parent).catch(() => []);
	for (const name of names.filter((entry) => entry.startsWith("building-"))) {
		const { mtimeMs } = await stat(join(parent, name)).catch(() => ({ mtimeMs: Date.now() }));
		// One under way is younger.
		if (Date.now() - mtimeMs > leftoverMs) await rm(join(parent, name), { recursive: true, force: true });
	}
	for (const name of names.filter((entry) => entry.startsWith(recordPrefix))) {
		const [folder = ""] = (await readFile(join(parent, name), "utf8").catch(() => "")).split("\n", 1);
		if (folder !== "" && !names.includes(folder)) await rm(join(parent, name), { force: true });
	}
}
