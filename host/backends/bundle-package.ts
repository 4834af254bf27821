import { readFileSync, rmSync } from "node:fs";
import { areUntouched, contentsFile } from "./bundle-recall.ts";

let folder = "";

/** Says where the bundle lies that runs, and its parts beside it. */
export function openPackages(bundle: string): void {
	folder = bundle;
}

/** Loads a package for a bundle, out of the file beside it while its sources are as they were, else out of these. */
export function loadPackage(name: string, source: string, load: NodeJS.Require): unknown {
	if (!isCurrent(`${folder}/${name}.sources`)) return load(source);
	const entries: Record<string, unknown> = load(`${folder}/${name}`);
	return entries[source];
}

/** Likewise a module of brood itself, which the bundle has in a file of its own with all that it uses. */
export function loadPart(name: string, source: string, load: NodeJS.Require): unknown {
	if (!isCurrent(`${folder}/${name}.sources`)) {
		// Nothing else would have it built anew.
		rmSync(`${folder}/${contentsFile}`, { force: true });
		return load(source);
	}
	const part: { open(folder: string): void; entries: Record<string, () => unknown> } = load(`${folder}/${name}`);
	part.open(folder);
	return part.entries[source]?.();
}

function isCurrent(stamps: string): boolean {
	try {
		return areUntouched(readFileSync(stamps, "utf8"));
	} catch {
		return false;
	}
}
