import { readFileSync, rmSync, statSync } from "node:fs";

// One file, with all that is on the way of every start before a bundle runs: each file more takes half a millisecond.

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

/**
 * The folder of the bundle that was recorded, when it is whole and none of its sources was touched since. One look at each
 * file, and none into it.
 */
export function recallBundle(record: string): string | undefined {
	try {
		const text = readFileSync(record, "utf8");
		const end = text.indexOf("\n");
		if (end < 1 || !areUntouched(text.slice(end + 1))) return undefined;
		const folder = record.slice(0, record.lastIndexOf("/") + 1) + text.slice(0, end);
		return readBundle(folder) === undefined ? undefined : folder;
	} catch {
		return undefined;
	}
}

/** Whether the files that stamps name are as they were. @throws SyntaxError for what are no stamps */
export function areUntouched(stamps: string): boolean {
	const all: unknown = JSON.parse(stamps);
	if (!Array.isArray(all) || all.length === 0) return false;
	// Numbers are compared as such, since to write three for each of hundreds of files takes longer than to look at them.
	for (let at = 0; at < all.length; at += 5) {
		const facts = statSync(String(all[at]), { throwIfNoEntry: false });
		if (facts === undefined || facts.size !== all[at + 1] || facts.mtimeMs !== all[at + 2]) return false;
		// A tool may set the time of a change back, but not that of the file's facts.
		if (facts.ctimeMs !== all[at + 3] || facts.ino !== all[at + 4]) return false;
	}
	return true;
}

/** What tells one state of a file from another; undefined when it is not there, or was touched after that time. */
export function stampOf(path: string, untilMs = Number.POSITIVE_INFINITY): [string, ...number[]] | undefined {
	const facts = statSync(path, { throwIfNoEntry: false });
	if (facts === undefined || facts.ctimeMs > untilMs) return undefined;
	return [path, facts.size, facts.mtimeMs, facts.ctimeMs, facts.ino];
}

/**
 * The names of the files of a bundle, or undefined when they are not what was built. Those that kept their stamps are
 * hashed only when it is asked for.
 */
export function readBundle(folder: string, how?: "thoroughly"): string[] | undefined {
	try {
		const [list = "", stamps, hashes] = readFileSync(`${folder}/${contentsFile}`, "utf8").split("\n");
		const names = list.split(" ");
		const isKept = how === undefined && stamps !== "" && stamps === stampsOf(folder, names);
		return isKept || hashes === hashesOf(folder, names) ? names : undefined;
	} catch {
		return undefined;
	}
}

/** Sizes and times of the files of a bundle; empty when one cannot be used. */
export function stampsOf(folder: string, names: readonly string[]): string {
	try {
		const facts = names.map((name) => statSync(`${folder}/${name}`));
		return facts.map(({ size, mtimeMs }) => `${size} ${mtimeMs}`).join();
	} catch {
		return "";
	}
}

export function hashesOf(folder: string, names: readonly string[]): string {
	return names.map((name) => Bun.hash(readFileSync(`${folder}/${name}`)).toString(36)).join();
}

/** What the files of a bundle were when they were built: a line of names, one of stamps, one of hashes. */
export const contentsFile = "contents";

/** Where the cache says which bundle the sources at one place have, for this version of Bun. */
export function recordOf(cache: string, kind: string, entry: string): string {
	return `${cache}/brood/${recordPrefix}${kind}-${placeOf(entry)}`;
}

/** Tells the sources at one place, under one version of Bun, from those at another: eight hexadecimal digits. */
export function placeOf(entry: string): string {
	return (Bun.hash.wyhash(`${Bun.version} ${entry}`) & 0xffffffffn).toString(16).padStart(8, "0");
}

/** The first part of the name of a record. */
export const recordPrefix = "known-";

/** `$XDG_CACHE_HOME`, or else `~/.cache`; undefined where neither is an absolute path. */
export function cacheHome({ XDG_CACHE_HOME, HOME }: Record<string, string | undefined>): string | undefined {
	if (XDG_CACHE_HOME?.startsWith("/")) return XDG_CACHE_HOME;
	return HOME?.startsWith("/") ? `${HOME.replace(/\/$/, "")}/.cache` : undefined;
}

export const cliKind = "cli";
export const cliFile = "start.js";
