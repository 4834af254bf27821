import { closeSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheHome, contentsFile, readBundle, stampsOf } from "./bundle-recall.ts";
import { type ChildOrigin, currentOrigin, sourceOrigin } from "./child-origin.ts";

/** The bundle as the launches of one host use it. */
export interface ChildBundle {
	/** What to run for a launch: what the origin has instead while the bundle is not as it was, which is then built again meanwhile. */
	entry(): string;
	/** A child ended without a word; if the contents of the bundle are wrong, no host uses it any more. */
	suspect(): void;
	/** Resolves when no build is under way. */
	settled(): Promise<void>;
}

/**
 * Opens the bundle for a host, which may outlive the cache that it lies in. One that is not there is built; that is waited
 * for where what there is instead is slow.
 */
export async function openBundle(
	environment: Record<string, string | undefined> = process.env,
	origin: ChildOrigin = sourceOrigin(),
): Promise<ChildBundle> {
	const { instead, isSlow } = origin;
	let file = instead;
	let names: string[] = [];
	let stamps = "";
	let building: Promise<void> | undefined;

	function take(found: string): void {
		file = found;
		names = file === instead ? [] : (readBundle(dirname(file)) ?? []);
		stamps = names.length === 0 ? "" : stampsOf(dirname(file), names);
	}

	async function find(): Promise<void> {
		take(await bundledChild(environment, origin));
		building = undefined;
	}

	function entry(): string {
		if (file === instead) return file;
		if (stamps !== "" && stampsOf(dirname(file), names) === stamps) {
			markUsed(dirname(file));
			return file;
		}
		building ??= find();
		return instead;
	}

	const known = knownChild(environment, origin);
	if (known === undefined) building = find();
	else take(known);
	if (isSlow) await building;
	return {
		entry,
		suspect() {
			if (file === instead || readBundle(dirname(file), "thoroughly") !== undefined) return;
			rmSync(join(dirname(file), contentsFile), { force: true });
			stamps = "";
			entry();
		},
		settled: async () => building,
	};
}

/**
 * The child as a bundle with bytecode, which starts in half the time of its sources. Kept in the user's cache for this
 * version of Bun and these sources; built when it is not there, by several hosts at once if need be.
 *
 * @returns the path of the file to run, or what the origin has instead where there is no cache to write to
 */
export async function bundledChild(
	environment: Record<string, string | undefined> = process.env,
	origin: ChildOrigin = sourceOrigin(),
): Promise<string> {
	try {
		const cache = cacheHome(environment);
		if (cache === undefined) return origin.instead;
		const known = knownChild(environment, origin);
		return known ?? join(await origin.make(cache), "entry.js");
	} catch {
		// A cache that cannot be written, or sources that are not there, as in a bundled host: the sources tell more.
		return origin.instead;
	}
}

/** Where the bundle of this program lies; undefined without one, or without a cache. @throws Error when there are no sources */
export function bundleFolder(environment: Record<string, string | undefined>): string | undefined {
	const cache = cacheHome(environment);
	return cache === undefined ? undefined : currentOrigin()?.folder(cache);
}

/** Keeps others from removing a bundle as long as this program runs; it costs the launch under way nothing. */
export function markUsed(folder: string, afterMs = 0): void {
	setTimeout(async () => {
		// Hosts of one program share one mark.
		if (marking.has(folder)) return;
		marking.add(folder);
		try {
			await mark(folder);
		} catch {
			// A bundle that has gone is noticed at the next launch, which also tries again what failed otherwise.
		}
		marking.delete(folder);
	}, afterMs).unref();
}

async function mark(folder: string): Promise<void> {
	const { ino } = statSync(folder);
	const known = used.get(folder);
	if (known?.ino === ino) return;
	// Another folder lies there now, and the mark of the former one keeps nothing.
	used.delete(folder);
	if (known !== undefined) closeSync(known.descriptor);
	const { shareFolder } = await import("../base/folder-lock.ts");
	const descriptor = await shareFolder(folder);
	if (descriptor !== undefined) used.set(folder, { ino, descriptor });
}

const used = new Map<string, { ino: number; descriptor: number }>();
const marking = new Set<string>();

function knownChild(environment: Record<string, string | undefined>, origin: ChildOrigin): string | undefined {
	const cache = cacheHome(environment);
	const folder = cache === undefined ? undefined : origin.known(cache);
	return folder === undefined ? undefined : join(folder, "entry.js");
}
