import { rmSync } from "node:fs";
import { cacheHome, contentsFile, readBundle, recallBundle, recordOf } from "./bundle-recall.ts";

/** What the command line runs, as sources. */
export const cliEntry = Bun.fileURLToPath(new URL("../cli/start.ts", import.meta.url));

/** The folder of the bundle of the command line as it is now; undefined while there is none for these sources. */
export function knownCLI(
	environment: Record<string, string | undefined> = process.env,
	entry: string = cliEntry,
): string | undefined {
	const cache = cacheHome(environment);
	return cache === undefined ? undefined : recallBundle(recordOf(cache, cliKind, entry));
}

/** Loads a bundle; undefined, and never again, when it is not what was built. @throws what its code throws */
export function loadCLI<Module>(folder: string, load: (path: string) => Module): Module | undefined {
	try {
		return load(`${folder}/${cliFile}`);
	} catch (error) {
		if (readBundle(folder, "thoroughly") !== undefined) throw error;
		rmSync(`${folder}/${contentsFile}`, { force: true });
		return undefined;
	}
}

export const cliKind = "cli";
export const cliFile = "start.js";
