import { sep } from "node:path";
import { wayOf } from "./links.ts";

/** What has to be watched so that no change of some paths goes unheard. */
export interface Aim {
	/** Files, each with the paths that lead to it. */
	files: ReadonlyMap<string, ReadonlySet<string>>;
	/** Symbolic links, each with the paths that lead through it. */
	links: ReadonlyMap<string, ReadonlySet<string>>;
	/** Each folder on the way to one of them, or to a place. */
	onTheWay: ReadonlySet<string>;
}

/** Takes aim at files, each under its name and where that leads, and at folders. */
export function takeAim(wanted: ReadonlySet<string>, places: readonly string[]): Aim {
	const [files, links] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
	for (const path of new Set([...wanted, ...places])) {
		const way = wayOf(path);
		for (const link of way.links) note(links, link, path);
		if (wanted.has(path)) for (const file of new Set([path, way.end])) note(files, file, path);
	}
	const onTheWay = new Set([...files.keys(), ...links.keys(), ...places].flatMap(foldersOf));
	return { files, links, onTheWay };
}

/** The folders in which a path lies. */
export function foldersOf(path: string): string[] {
	const folders: string[] = [sep];
	for (let end = path.lastIndexOf(sep); end > 0; end = path.lastIndexOf(sep, end - 1)) folders.push(path.slice(0, end));
	return folders;
}

function note(to: Map<string, Set<string>>, key: string, path: string): void {
	const paths = to.get(key);
	if (paths === undefined) to.set(key, new Set([path]));
	else paths.add(path);
}
