import { sep } from "node:path";
import { type FSWatcher, watch } from "chokidar";
import { messageOf } from "../../runtime/errors.ts";

/** Hears of changes of files, each of which may be missing, be replaced, or be a link; and of the entries of folders. */
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
	/** A file that is watched was written, appeared or went away, or may have. */
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
	/** Each folder on the way to a file or a place. */
	#onTheWay: ReadonlySet<string>;
	#files: ReadonlySet<string>;
	#inner: FSWatcher;
	#isReady: Promise<void>;
	#nowReady: () => void = () => {};
	#isPolling = false;
	#isClosed = false;

	constructor(parts: WatcherParts) {
		this.#parts = parts;
		this.#files = new Set(parts.named);
		this.#onTheWay = new Set([...parts.named, ...parts.places].flatMap(foldersOf));
		[this.#inner, this.#isReady] = this.#open();
	}

	watch(whose: string, files: Iterable<string>): void {
		this.#wanted.set(whose, new Set(files));
		const before = this.#files;
		const { named, places } = this.#parts;
		this.#files = new Set([named, ...this.#wanted.values()].flatMap((wanted) => [...wanted]));
		this.#onTheWay = new Set([...this.#files, ...places].flatMap(foldersOf));
		const added = [...this.#files].filter((file) => !before.has(file));
		const removed = [...before].filter((file) => !this.#files.has(file));
		if (removed.length > 0) this.#inner.unwatch(removed);
		if (added.length > 0) this.#inner.add(added);
	}

	ready(): Promise<void> {
		return this.#isReady;
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		await this.#inner.close();
	}

	#open(): [FSWatcher, Promise<void>] {
		const ready = Promise.withResolvers<void>();
		this.#nowReady = ready.resolve;
		// A folder on the way to a file may hold a whole tree of others.
		const ignored = (path: string) => !this.#files.has(path) && !this.#onTheWay.has(path) && !this.#isInPlace(path);
		const inner = watch([...this.#parts.places, ...this.#files], {
			persistent: false,
			ignoreInitial: true,
			ignored,
			...(this.#isPolling ? { usePolling: true, interval: pollEveryMs } : {}),
		});
		inner.on("ready", ready.resolve);
		inner.on("all", (event, path) => {
			if (this.#isClosed) return;
			this.#parts.changed(path);
			if (event !== "change" && (this.#isInPlace(path) || this.#parts.named.includes(path))) this.#parts.moved();
		});
		inner.on("error", (error) => this.#failed(error));
		return [inner, ready.promise];
	}

	/** A place, an entry of it, or an entry of a folder in it. */
	#isInPlace(path: string): boolean {
		return this.#parts.places.some((place) => {
			if (path === place) return true;
			const names = path.startsWith(place + sep) ? path.slice(place.length + 1).split(sep) : [];
			return names.length > 0 && names.length <= 2 && !names.some(isHidden);
		});
	}

	/** The system lets nobody watch any more files; looking at them from time to time always works. */
	#failed(error: unknown): void {
		if (this.#isPolling || this.#isClosed) return;
		this.#isPolling = true;
		void this.#inner.close();
		// One that is closed is never ready, and somebody may wait for it.
		const waiting = this.#nowReady;
		[this.#inner, this.#isReady] = this.#open();
		void this.#isReady.then(() => {
			waiting();
			this.#lookAtAll();
		});
		this.#parts.slowed(messageOf(error));
	}

	/** Whatever may have changed while nobody heard. */
	#lookAtAll(): void {
		if (this.#isClosed) return;
		for (const file of this.#files) this.#parts.changed(file);
		this.#parts.moved();
	}
}

const pollEveryMs = 200;

function isHidden(name: string): boolean {
	return name.startsWith(".") || name === "node_modules";
}

function foldersOf(file: string): string[] {
	const folders: string[] = [sep];
	for (let end = file.lastIndexOf(sep); end > 0; end = file.lastIndexOf(sep, end - 1)) folders.push(file.slice(0, end));
	return folders;
}
