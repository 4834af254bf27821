import { closeSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";

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
	let stamps = "";
	let isBuilding = false;

	async function find(): Promise<void> {
		isBuilding = true;
		file = await bundledChild(environment, sources);
		stamps = file === sources ? "" : stampsOf(dirname(file));
		isBuilding = false;
	}

	function entry(): string {
		if (file === sources) return file;
		if (stamps !== "" && stampsOf(dirname(file)) === stamps) {
			markUsed(dirname(file));
			return file;
		}
		if (!isBuilding) void find();
		return sources;
	}

	await find();
	return {
		entry,
		suspect() {
			if (file === sources || isWhole(dirname(file), "thoroughly")) return;
			rmSync(join(dirname(file), contentsFile), { force: true });
			stamps = "";
			entry();
		},
	};
}

/**
 * The child as one file with bytecode, which starts in half the time of its sources. Kept in the user's cache for this
 * version of Bun and these sources; built when it is not there, by several hosts at once if need be.
 *
 * @returns the path of the file, or of the sources where there is no cache to write to
 */
export async function bundledChild(
	environment: Record<string, string | undefined> = process.env,
	entry: string = childEntry,
): Promise<string> {
	try {
		const folder = bundleFolder(environment, entry);
		if (folder === undefined) return entry;
		const bundle = join(folder, "entry.js");
		if (!isWhole(folder)) await build(entry, folder);
		return bundle;
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
	return cache === undefined ? undefined : join(cache, "brood", `child-${Bun.version}-${fingerprint(entry)}`);
}

/** `$XDG_CACHE_HOME`, or else `~/.cache`; undefined where neither is an absolute path. */
export function cacheHome({ XDG_CACHE_HOME, HOME }: Record<string, string | undefined>): string | undefined {
	if (XDG_CACHE_HOME?.startsWith("/")) return XDG_CACHE_HOME;
	return HOME?.startsWith("/") ? join(HOME, ".cache") : undefined;
}

/** The contents of every file that the child may consist of, so that equal sources share a bundle. */
function fingerprint(entry: string): string {
	const hash = new Bun.CryptoHasher("sha1").update(contentsFile);
	for (const room of ["..", "../../runtime"]) {
		const folder = join(entry, room);
		for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
			if (name.endsWith(".ts")) hash.update(name).update(readFileSync(join(folder, name)));
		}
	}
	return hash.digest("hex").slice(0, 16);
}

/** Keeps others from removing a bundle as long as this program runs; it costs the launch under way nothing. */
function markUsed(folder: string): void {
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
	}, 0).unref();
}

const used = new Map<string, { ino: number; descriptor?: number }>();

// What the files were when they were built: a line of stamps, one of hashes.
const contentsFile = "contents";

/** Whether both files are what was built. Those that kept their stamps are hashed only when it is asked for. */
function isWhole(folder: string, how?: "thoroughly"): boolean {
	try {
		const [stamps, hashes] = readFileSync(join(folder, contentsFile), "utf8").split("\n");
		return (how === undefined && stamps !== "" && stamps === stampsOf(folder)) || hashes === hashesOf(folder);
	} catch {
		return false;
	}
}

/** Sizes and times of both files; empty when one cannot be used. */
function stampsOf(folder: string): string {
	try {
		const facts = files.map((name) => statSync(join(folder, name)));
		return facts.map(({ size, mtimeMs }) => `${size} ${mtimeMs}`).join();
	} catch {
		return "";
	}
}

function hashesOf(folder: string): string {
	return files.map((name) => Bun.hash(readFileSync(join(folder, name))).toString(36)).join();
}

const files = ["entry.js", "entry.js.jsc"];

async function build(entry: string, folder: string): Promise<void> {
	const parent = join(folder, "..");
	await sweep(parent);
	await mkdir(parent, { recursive: true, mode: 0o700 });
	const temporary = await mkdtemp(join(parent, "building-"));
	try {
		const built = await Bun.build({
			entrypoints: [entry],
			outdir: temporary,
			target: "bun",
			format: "cjs",
			bytecode: true,
			minify: true,
		});
		if (!built.success) throw new AggregateError(built.logs, "the child was not bundled");
		await Bun.write(join(temporary, contentsFile), `${stampsOf(temporary)}\n${hashesOf(temporary)}`);
		if (!isWhole(folder)) await rm(folder, { recursive: true, force: true });
		await rename(temporary, folder);
	} catch (error) {
		// Another host may have put the same bundle there first.
		if (!isWhole(folder)) throw error;
	} finally {
		await rm(temporary, { recursive: true, force: true });
	}
}

/** Removes what builds that were killed have left; one under way is younger than this. */
async function sweep(parent: string): Promise<void> {
	const names = await readdir(parent).catch(() => []);
	for (const name of names.filter((entry) => entry.startsWith("building-"))) {
		const { mtimeMs } = await stat(join(parent, name)).catch(() => ({ mtimeMs: Date.now() }));
		if (Date.now() - mtimeMs > leftoverMs) await rm(join(parent, name), { recursive: true, force: true });
	}
}

export const leftoverMs = 60_000;
