import { readFileSync, statSync } from "node:fs";

/**
 * The folder of the bundle that was recorded, when it is whole and none of its sources was touched since. One look at each
 * file, and none into it: this is on the way of every start.
 */
export function recallBundle(record: string): string | undefined {
	try {
		const [name = "", ...sources] = readFileSync(record, "utf8").split("\n");
		if (name === "" || !sources.every(isUntouched)) return undefined;
		const folder = record.slice(0, record.lastIndexOf("/") + 1) + name;
		return readBundle(folder) === undefined ? undefined : folder;
	} catch {
		return undefined;
	}
}

/** Whether the file that a line of stamps names is as it was. */
export function isUntouched(line: string): boolean {
	const path = line.slice(line.indexOf("/"));
	return line === `${stampOf(path)} ${path}`;
}

/** What tells one state of a file from another; undefined when it is not there, or was touched after that time. */
export function stampOf(path: string, untilMs = Number.POSITIVE_INFINITY): string | undefined {
	const facts = statSync(path, { throwIfNoEntry: false });
	if (facts === undefined || facts.ctimeMs > untilMs) return undefined;
	// A tool may set the time of a change back, but not that of the file's facts.
	return `${facts.size} ${facts.mtimeMs} ${facts.ctimeMs} ${facts.ino}`;
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
