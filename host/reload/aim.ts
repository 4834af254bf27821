import { sep } from "node:path";
import { type Way, wayOf } from "./links.ts";

/** What has to be watched so that no change of some paths goes unheard: each under its name, and where that leads. */
export class Aim {
	readonly #files = new Targets();
	readonly #links = new Targets();
	/** How it gets to each path, and how many want that. */
	readonly #ways = new Map<string, { way: Way; wanted: number }>();
	/** Of each folder, how much of what is watched lies in it. */
	readonly #onTheWay = new Map<string, number>();

	constructor(places: readonly string[]) {
		for (const place of places) {
			for (const link of wayOf(place).links) this.#links.add(link, place);
			this.#count([place], 1);
		}
		for (const link of this.#links.difference().added) this.#count([link], 1);
	}

	/** Files, each with the paths that lead to it. */
	get files(): ReadonlyMap<string, ReadonlySet<string>> {
		return this.#files.paths;
	}

	/** Symbolic links, each with the paths that lead through it. */
	get links(): ReadonlyMap<string, ReadonlySet<string>> {
		return this.#links.paths;
	}

	/** Whether it is a folder on the way to a file, a link or a place. */
	isOnTheWay(path: string): boolean {
		return this.#onTheWay.has(path);
	}

	/** Takes aim at paths in place of others, wherever they lead now; costs as much as they do, not as all that is watched. */
	exchange(before: Iterable<string>, now: Iterable<string>): Record<"files" | "links", Difference> {
		for (const path of before) this.#drop(path);
		for (const path of now) this.#add(path);
		const [files, links] = [this.#files.difference(), this.#links.difference()];
		for (const { added, removed } of [files, links]) {
			this.#count(added, 1);
			this.#count(removed, -1);
		}
		return { files, links };
	}

	#add(path: string): void {
		const wanted = this.#ways.get(path)?.wanted ?? 0;
		this.#forget(path);
		const way = wayOf(path);
		this.#ways.set(path, { way, wanted: wanted + 1 });
		for (const link of way.links) this.#links.add(link, path);
		for (const file of [path, way.end]) this.#files.add(file, path);
	}

	#drop(path: string): void {
		const known = this.#ways.get(path);
		if (known === undefined) return;
		known.wanted -= 1;
		if (known.wanted > 0) return;
		this.#forget(path);
		this.#ways.delete(path);
	}

	#forget(path: string): void {
		const way = this.#ways.get(path)?.way;
		if (way === undefined) return;
		for (const link of way.links) this.#links.remove(link, path);
		for (const file of [path, way.end]) this.#files.remove(file, path);
	}

	#count(paths: Iterable<string>, by: 1 | -1): void {
		for (const folder of [...paths].flatMap(foldersOf)) {
			const count = (this.#onTheWay.get(folder) ?? 0) + by;
			if (count > 0) this.#onTheWay.set(folder, count);
			else this.#onTheWay.delete(folder);
		}
	}
}

/** The folders in which a path lies. */
export function foldersOf(path: string): string[] {
	const folders: string[] = [sep];
	for (let end = path.lastIndexOf(sep); end > 0; end = path.lastIndexOf(sep, end - 1)) folders.push(path.slice(0, end));
	return folders;
}

/** What is watched now and was not before, and the other way round. */
export interface Difference {
	added: string[];
	removed: string[];
}

/** What paths lead to or through, each with those paths. */
class Targets {
	readonly paths = new Map<string, Set<string>>();
	/** What was touched since the difference was asked for, and whether it was there then. */
	readonly #touched = new Map<string, boolean>();

	add(target: string, path: string): void {
		this.#touch(target);
		const paths = this.paths.get(target);
		if (paths === undefined) this.paths.set(target, new Set([path]));
		else paths.add(path);
	}

	remove(target: string, path: string): void {
		this.#touch(target);
		const paths = this.paths.get(target);
		paths?.delete(path);
		if (paths?.size === 0) this.paths.delete(target);
	}

	/** What came and went since this was asked last. */
	difference(): Difference {
		const touched = [...this.#touched];
		this.#touched.clear();
		return {
			added: touched.filter(([target, wasThere]) => !wasThere && this.paths.has(target)).map(([target]) => target),
			removed: touched.filter(([target, wasThere]) => wasThere && !this.paths.has(target)).map(([target]) => target),
		};
	}

	#touch(target: string): void {
		if (!this.#touched.has(target)) this.#touched.set(target, this.paths.has(target));
	}
}
