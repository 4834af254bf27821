import { closeSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { cacheHome, contentsFile, readBundle, recallBundle, recordOf, stampsOf } from "./bundle-recall.ts";

/** The file that a host runs to make a child. */
export const childEntry = Bun.fileURLToPath(new URL("../../child/entry.ts", import.meta.url));

/** The bundle as the launches of one host use it. */
export interface ChildBundle {
	/** What to run for a launch: the sources while the bundle is not as it was, which is then built again meanwhile. */
	entry(): string;
	/** A child ended without a word; if the contents of the bundle are wrong, no host uses it any more. */
	suspect(): void;
}

/** Opens the bundle for a host, which may outlive the cache that it lies in. */
export async function openBundle(
	environment: Record<string, string | undefined> = process.env,
	sources: string = childEntry,
): Promise<ChildBundle> {
	let file = "";
	let names: string[] = [];
	let stamps = "";
	let isBuilding = false;

	function take(found: string): void {
		file = found;
		names = file === sources ? [] : (readBundle(dirname(file)) ?? []);
		stamps = names.length === 0 ? "" : stampsOf(dirname(file), names);
	}

	async function find(): Promise<void> {
		isBuilding = true;
		take(await bundledChild(environment, sources));
		isBuilding = false;
	}

	function entry(): string {
		if (file === sources) return file;
		if (stamps !== "" && stampsOf(dirname(file), names) === stamps) {
			markUsed(dirname(file));
			return file;
		}
		if (!isBuilding) void find();
		return sources;
	}

	const known = knownChild(environment, sources);
	if (known === undefined) await find();
	else take(known);
	return {
		entry,
		suspect() {
			if (file === sources || readBundle(dirname(file), "thoroughly") !== undefined) return;
			rmSync(join(dirname(file), contentsFile), { force: true });
			stamps = "";
			entry();
		},
	};
}

/**
 * The child as a bundle with bytecode, which starts in half the time of its sources. Kept in the user's cache for this
 * version of Bun and these sources; built when it is not there, by several hosts at once if need be.
 *
 * @returns the path of the file to run, or of the sources where there is no cache to write to
 */
export async function bundledChild(
	environment: Record<string, string | undefined> = process.env,
	entry: string = childEntry,
): Promise<string> {
	try {
		const cache = cacheHome(environment);
		if (cache === undefined) return entry;
		const known = knownChild(environment, entry);
		if (known !== undefined) return known;
		const sinceMs = Date.now();
		const files = sourcesOf(entry);
		const folder = folderOf(cache, fingerprint(entry, files));
		if (readBundle(folder) === undefined) {
			const { makeBundle } = await import("./bundle-folder.ts");
			const { buildChild } = await import("./child-build.ts");
			const isCurrent = () => folderOf(cache, fingerprint(entry, sourcesOf(entry))) === folder;
			await makeBundle(folder, (outdir) => buildChild(entry, outdir), isCurrent);
		}
		const { recordBundle } = await import("./bundle-record.ts");
		recordBundle(recordOf(cache, kind, entry), folder, files, sinceMs);
		return join(folder, "entry.js");
	} catch {
		// A cache that cannot be written, or sources that are not there, as in a bundled host: the sources tell more.
		return entry;
	}
}

/** Where the bundle of these sources lies; undefined without a cache. @throws Error when there are no sources */
export function bundleFolder(
	environment: Record<string, string | undefined>,
	entry: string = childEntry,
): string | undefined {
	const cache = cacheHome(environment);
	return cache === undefined ? undefined : folderOf(cache, fingerprint(entry, sourcesOf(entry)));
}

/** Keeps others from removing a bundle as long as this program runs; it costs the launch under way nothing. */
export function markUsed(folder: string, afterMs = 0): void {
	setTimeout(async () => {
		try {
			const { ino } = statSync(folder);
			const known = used.get(folder);
			if (known?.ino === ino) return;
			// Hosts of one program share one mark.
			used.set(folder, { ino });
			const { shareFolder } = await import("../base/folder-lock.ts");
			const descriptor = await shareFolder(folder);
			if (known?.descriptor !== undefined) closeSync(known.descriptor);
			if (descriptor === undefined) used.delete(folder);
			else used.set(folder, { ino, descriptor });
		} catch {
			// A bundle that has gone is noticed at the next launch.
		}
	}, afterMs).unref();
}

const used = new Map<string, { ino: number; descriptor?: number }>();
const kind = "child";

function knownChild(environment: Record<string, string | undefined>, entry: string): string | undefined {
	const cache = cacheHome(environment);
	const folder = cache === undefined ? undefined : recallBundle(recordOf(cache, kind, entry));
	return folder === undefined ? undefined : join(folder, "entry.js");
}

function folderOf(cache: string, print: string): string {
	return join(cache, "brood", `${kind}-${Bun.version}-${print}`);
}

/** Every file that the child may consist of. @throws Error when they are not there */
function sourcesOf(entry: string): string[] {
	return ["..", "../../runtime"].flatMap((room) => {
		const folder = join(entry, room);
		const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
		return names.filter((name) => name.endsWith(".ts")).map((name) => join(folder, name));
	});
}

/** The names and contents of the sources, wherever they lie, so that equal ones share a bundle. */
function fingerprint(entry: string, files: readonly string[]): string {
	// The layout of what is built may change with the host alone.
	const hash = new Bun.CryptoHasher("sha1").update("a list of files");
	const root = join(entry, "../..");
	for (const path of files) hash.update(path.slice(root.length)).update(readFileSync(path));
	return hash.digest("hex").slice(0, 16);
}
