import { realpath } from "node:fs/promises";
import { sep } from "node:path";
import { watch } from "chokidar";
import { messageOf } from "../../runtime/errors.ts";
import type { JsonObject } from "../../runtime/records.ts";
import { layerPaths, type SettingsPlaces } from "../base/settings.ts";

/** Hears of settings files; each of them may be missing, be replaced, or be a link. */
export interface SettingsWatch {
	/** Reads now; resolves when listeners have heard what changed. */
	refresh(): Promise<void>;
	close(): Promise<void>;
}

interface WatchParts {
	/** All layers merged. */
	read(): Promise<JsonObject>;
	/** Hears the settings as they are, and anew when they may have changed. */
	next(settings: JsonObject): void;
	/** Hears once why the settings cannot be read, when that lasts. */
	error(reason: unknown): void;
}

/** Watches the settings files, in whatever way an editor saves them. */
export function watchSettings(places: SettingsPlaces, { read, next, error }: WatchParts): SettingsWatch {
	const wanted = new Set(layerPaths(places));
	// A folder on the way to a file may hold a whole tree of others.
	const ignored = (path: string) => path !== sep && ![...wanted].some((file) => `${file}${sep}`.startsWith(path + sep));
	// That a file was found is told once it is watched; what changed before is then read.
	const watcher = watch([...wanted], { persistent: false, ignoreInitial: false, ignored });
	let lastProblem: string | undefined;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let isSettling = false;
	let reading: Promise<void> | undefined;
	let isClosed = false;

	async function readOnce(isRetry: boolean): Promise<void> {
		try {
			const settings = await read();
			if (isClosed) return;
			lastProblem = undefined;
			next(settings);
		} catch (reason) {
			if (isClosed) return;
			// Some editors empty a file before they fill it.
			if (!isRetry) return later(brokenMs, true);
			if (messageOf(reason) === lastProblem) return;
			lastProblem = messageOf(reason);
			error(reason);
		}
	}

	/** Reads one after the other, so that no value comes after a newer one. */
	function refresh(isRetry = false): Promise<void> {
		reading = (reading ?? Promise.resolve()).then(() => readOnce(isRetry));
		return reading;
	}

	function later(ms: number, isRetry: boolean): void {
		clearTimeout(timer);
		timer = setTimeout(() => {
			isSettling = false;
			void refresh(isRetry).then(followLinks);
		}, ms);
		timer.unref();
	}

	/** A file that is written without pause is read all the same. */
	function changed(): void {
		if (isSettling) return;
		isSettling = true;
		later(settleMs, false);
	}

	async function followLinks(): Promise<void> {
		for (const target of await targetsOf(layerPaths(places))) {
			if (isClosed || wanted.has(target)) continue;
			wanted.add(target);
			watcher.add(target);
		}
	}

	watcher.on("all", changed);
	watcher.on("error", error);
	watcher.on("ready", changed);
	return {
		refresh,
		close() {
			isClosed = true;
			clearTimeout(timer);
			return watcher.close();
		},
	};
}

/** A change of what a link leads to is none of the link. */
function targetsOf(paths: string[]): Promise<string[]> {
	return Promise.all(paths.map((path) => realpath(path).catch(() => path)));
}

// A save is several events: a file is away for a moment, or empty.
const settleMs = 20;

// Nobody needs longer from the first to the last byte of a settings file.
const brokenMs = 300;
