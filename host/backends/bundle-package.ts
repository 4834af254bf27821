import { readFileSync } from "node:fs";
import { isUntouched } from "./bundle-recall.ts";

let folder = "";

/** Says where the bundle lies that runs, and its packages beside it. */
export function openPackages(bundle: string): void {
	folder = bundle;
}

/** Loads a package for a bundle, out of the file beside it while its sources are as they were, else out of these. */
export function loadPackage(name: string, source: string, load: NodeJS.Require): unknown {
	if (!isCurrent(`${folder}/${name}.sources`)) return load(source);
	const entries: Record<string, unknown> = load(`${folder}/${name}`);
	return entries[source];
}

function isCurrent(stamps: string): boolean {
	try {
		return readFileSync(stamps, "utf8").split("\n").every(isUntouched);
	} catch {
		return false;
	}
}
