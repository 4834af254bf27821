import { statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { type FSWatcher, watch } from "chokidar";
import { messageOf } from "../../runtime/errors.ts";
import { Aim, type Difference, foldersOf } from "./aim.ts";
import { isDenied, isForAll, isUnreadable } from "./refusals.ts";

/** Hears of changes of files, each of which may be missing, be replaced, or be behind links; and of the entries of folders. */
export interface Watcher {
	/** Watches these files for somebody, in place of those that it watched for them before. */
	watch(whose: string, files: Iterable<string>): void;
	/** Resolves when changes of what is watched now are heard. */
	ready(): Promise<void>;
	close(): Promise<void>;
}

export interface WatcherParts {
	/** Folders that are watched as such, with the folders in them; each may be missing. */
	places: readonly string[];
	/** Paths of plugins that were named; each may be missing. */
	named: readonly string[];
	/** A file that is watched was written, appeared, went away or leads elsewhere, or may have done so. */
	changed(path: string): void;
	/** What was named, an entry of a place, or one of a folder there appeared or went away. */
	moved(): void;
	/** Watching goes on in a slower way, for this reason. */
	slowed(reason: string): void;
}

/** Makes a watcher of single files, so that a folder beside them costs nothing, however large. */
export function createWatcher(parts: WatcherParts): Watcher {
	return new FileWatcher(parts);
}

class FileWatcher implements Watcher {
	readonly #parts: WatcherParts;
	readonly #wanted = new Map<string, ReadonlySet<string>>();
	#aim: Aim;
	#inner: Inner;
	/** What is watched no more. What comes to lie in it is not heard of, until all is watched anew. */
	readonly #left = new Set<string>();
	#renewal: NodeJS.Timeout | undefined;
	/** What may not be watched, as nobody may read it; what lies in it is looked at from time to time. */
	readonly #denied = new Set<string>();
	#nextLook: NodeJS.Timeout | undefined;
	#isPolling = false;
	#isClosed = false;

	constructor(parts: WatcherParts) {
		this.#parts = parts;
		this.#aim = this.#takeAim();
		this.#inner = this.#open();
	}

	watch(whose: string, files: Iterable<string>): void {
		if (this.#isClosed) return;
		const [before, now] = [this.#wanted.get(whose) ?? [], new Set(files)];
		if (now.size > 0) this.#wanted.set(whose, now);
		else this.#wanted.delete(whose);
		const difference = this.#aim.exchange(before, now);
		this.#exchange(this.#inner.files, difference.files);
		this.#exchange(this.#inner.links, difference.links);
		if ([...this.#left].some((path) => this.#aim.isOnTheWay(path))) this.#renewSoon();
	}

	async ready(): Promise<void> {
		for (let inner: Inner | undefined; inner !== this.#inner; await inner.ready) inner = this.#inner;
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		clearTimeout(this.#renewal);
		clearTimeout(this.#nextLook);
		await this.#inner.close();
	}

	#takeAim(): Aim {
		const { named, places } = this.#parts;
		const aim = new Aim(places);
		for (const paths of [named, ...this.#wanted.values()]) aim.exchange([], paths);
		return aim;
	}

	#exchange(inner: FSWatcher, { added, removed }: Difference): void {
		// A place goes on to tell of its entries.
		const left = removed.filter((path) => !this.#isInPlace(path));
		for (const path of left) this.#left.add(path);
		for (const path of added) this.#left.delete(path);
		if (left.length > 0) inner.unwatch(left);
		if (added.length > 0) inner.add(added);
	}

	#open(): Inner {
		const options = {
			persistent: false,
			ignoreInitial: true,
			// What comes right after a file went may be a folder; that many saves are one change is found out elsewhere.
			atomic: false,
			...(this.#isPolling ? { usePolling: true, interval: pollEveryMs } : {}),
		};
		// A folder on the way to a file may hold a whole tree of others.
		const files = watch([...this.#parts.places, ...this.#aim.files.keys()], {
			...options,
			ignored: (path) => !this.#aim.files.has(path) && !this.#aim.isOnTheWay(path) && !this.#isInPlace(path),
		});
		const links = watch([...this.#aim.links.keys()], {
			...options,
			followSymlinks: false,
			ignored: (path) => !this.#aim.links.has(path) && !this.#aim.isOnTheWay(path),
		});
		files.on("all", (event, path) => this.#heard(event, path));
		links.on("all", (_event, path) => this.#switched(path));
		// That a folder took the place of a file or a link, or that a file may be read now, is told in this way alone.
		files.on("raw", (event, name, about) => pathsOf(name, about).forEach((path) => void this.#noticed(event, path)));
		links.on("raw", (_event, name, about) => pathsOf(name, about).forEach((path) => void this.#switched(path)));
		for (const watcher of [files, links]) watcher.on("error", (error) => this.#failed(error));
		const closed = Promise.withResolvers<void>();
		const ready = Promise.all([files, links].map((watcher) => new Promise<void>((done) => watcher.on("ready", done))));
		return {
			files,
			links,
			// One that is closed is never ready, and somebody may wait for it.
			ready: Promise.race([ready, closed.promise]),
			async close() {
				closed.resolve();
				await Promise.all([files.close(), links.close()]);
			},
		};
	}

	#heard(event: string, path: string): void {
		if (this.#isClosed) return;
		this.#changed(this.#aim.files.get(path) ?? [path]);
		if (event === "change") return;
		if (this.#isInPlace(path) || this.#parts.named.includes(path)) this.#parts.moved();
		// Where a folder is now, what watches goes on to look for a file, and for a folder where a file or a link is.
		const isFolderNow = event.endsWith("Dir") && this.#aim.files.has(path);
		const isInFile = foldersOf(path).some((folder) => this.#aim.files.has(folder));
		if (isFolderNow || isInFile || this.#aim.isOnTheWay(path)) this.#renewSoon();
	}

	/** Something appeared under this name, or went away, or is otherwise than it was. */
	#noticed(event: string, path: string): void {
		const paths = this.#aim.files.get(path);
		if (this.#isClosed || paths === undefined) return;
		if (event !== "rename") this.#changed(paths);
		else if (isFolder(path)) this.#renewSoon();
	}

	/** A link leads elsewhere, came or went: what is behind it is other files now. */
	#switched(link: string): void {
		const paths = this.#aim.links.get(link);
		if (this.#isClosed || paths === undefined) return;
		this.#changed(paths);
		const { named, places } = this.#parts;
		if ([...named, ...places].some((path) => paths.has(path))) this.#parts.moved();
		this.#renewSoon();
	}

	#changed(paths: Iterable<string>): void {
		for (const path of paths) this.#parts.changed(path);
	}

	/** A place, an entry of it, or an entry of a folder in it. */
	#isInPlace(path: string): boolean {
		return this.#parts.places.some((place) => {
			if (path === place) return true;
			const names = path.startsWith(place + sep) ? path.slice(place.length + 1).split(sep) : [];
			return names.length > 0 && names.length <= 2 && !names.some(isHidden);
		});
	}

	/** Where the system lets nobody watch any more files, looking at them from time to time always works. */
	#failed(error: unknown): void {
		if (this.#isClosed) return;
		if (isDenied(error)) this.#lookLater(error.path);
		if (this.#isPolling || !isForAll(error)) return;
		this.#isPolling = true;
		this.#renew();
		this.#parts.slowed(messageOf(error));
	}

	#lookLater(denied: string): void {
		this.#denied.add(denied);
		this.#nextLook ??= setTimeout(() => this.#look(), lookEveryMs).unref();
	}

	/** A folder that nobody may list may have files that everybody may read. */
	#look(): void {
		this.#nextLook = undefined;
		const denied = [...this.#denied];
		this.#denied.clear();
		if (!denied.every(isUnreadable)) return this.#renew();
		for (const path of denied) this.#lookLater(path);
		for (const [file, paths] of this.#aim.files) {
			if (this.#denied.has(file) || this.#denied.has(dirname(file))) this.#changed(paths);
		}
	}

	/** A move is seldom one alone. */
	#renewSoon(): void {
		this.#renewal ??= setTimeout(() => this.#renew(), renewAfterMs).unref();
	}

	/** Watches all as if for the first time, and takes for changed whatever may have changed while nobody heard. */
	#renew(): void {
		clearTimeout(this.#renewal);
		this.#renewal = undefined;
		this.#left.clear();
		this.#aim = this.#takeAim();
		void this.#inner.close();
		const inner = this.#open();
		this.#inner = inner;
		void inner.ready.then(() => {
			if (this.#isClosed || inner !== this.#inner) return;
			for (const paths of this.#aim.files.values()) this.#changed(paths);
			this.#parts.moved();
		});
	}
}

/** What the system tells of changes. */
interface Inner {
	/** Of what files hold, and of which there are. */
	files: FSWatcher;
	/** Of where links lead. */
	links: FSWatcher;
	ready: Promise<unknown>;
	close(): Promise<void>;
}

const pollEveryMs = 200;
const renewAfterMs = 50;
const lookEveryMs = 1_000;

/**
 * The paths that an event of the system may be about: an entry of what is watched, or that itself; none while files are
 * looked at from time to time, which needs none.
 */
function pathsOf(name: string | null, about: unknown): string[] {
	if (typeof about !== "object" || about === null || !("watchedPath" in about)) return [];
	const watched = String(about.watchedPath);
	const isItself = name === null || name === basename(watched);
	return [...(isItself ? [watched] : []), ...(name === null ? [] : [join(watched, name)])];
}

function isFolder(path: string): boolean {
	try {
		return statSync(path).isDirectory();
	} catch {
		// It is gone, or what it lies in is no folder, or may not be looked into.
		return false;
	}
}

function isHidden(name: string): boolean {
	return name.startsWith(".") || name === "node_modules";
}
