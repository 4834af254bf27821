import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isBuilding, makeBundle } from "./bundle-folder.ts";
import { cacheHome, cliEntry, cliKind, knownCLI, placeOf, recordOf, stampOf } from "./bundle-recall.ts";
import { recordBundle, stampsOfFiles, writeRecord } from "./bundle-record.ts";
import { buildCLI } from "./cli-build.ts";

/**
 * Builds the bundle of a command line that has just run from its sources, when it did so before with the same ones: for
 * one that runs once, or whose sources are being worked on, it does not pay. What fails leaves the sources in use.
 *
 * @returns the folder, when the next command runs from it
 */
export async function prepareCLI(
	environment: Record<string, string | undefined> = process.env,
	entry: string = cliEntry,
	now: () => number = Date.now,
): Promise<string | undefined> {
	try {
		const cache = cacheHome(environment);
		// Another program may have built it meanwhile.
		if (cache === undefined || knownCLI(environment, entry) !== undefined) return undefined;
		const nowMs = now();
		const record = recordOf(cache, cliKind, entry);
		const print = fingerprint(entry);
		const note = `\n${print}`;
		if (readNote(record) !== note) {
			writeRecord(record, note);
			return undefined;
		}
		const parent = join(cache, "brood");
		// What was touched just now may be touched again.
		if (stampsOfFiles(sourcesOf(entry), nowMs) === undefined || isBuilding(parent)) return undefined;
		const folder = join(parent, `${cliKind}-${Bun.version}-${placeOf(entry)}${print}`);
		let sources: string[] = [];
		const build = async (outdir: string) => {
			const built = await buildCLI(entry, outdir, nowMs);
			sources = built.sources;
			return built.names;
		};
		await makeBundle(folder, build, () => fingerprint(entry) === print);
		if (!recordBundle(record, folder, sources, nowMs)) return undefined;
		await removeOlder(folder);
		return folder;
	} catch {
		return undefined;
	}
}

/** Every file of brood that the command line may consist of, and what says which packages it has. */
function sourcesOf(entry: string): string[] {
	const root = join(entry, "../../..");
	const rooms = ["host", "runtime"].flatMap((room) => {
		const names = readdirSync(join(root, room), { recursive: true, encoding: "utf8" }).sort();
		return names.filter((name) => name.endsWith(".ts")).map((name) => join(root, room, name));
	});
	return [...rooms, join(root, "package.json")];
}

/** Eight hexadecimal digits that are others once a source was touched. */
function fingerprint(entry: string): string {
	const stamps = sourcesOf(entry).map((path) => stampOf(path) ?? path);
	return Bun.hash.wyhash(JSON.stringify(stamps)).toString(16).padStart(16, "0").slice(0, 8);
}

function readNote(record: string): string {
	try {
		return readFileSync(record, "utf8");
	} catch {
		return "";
	}
}

/** Removes the bundles of earlier sources at the same place that no program uses. */
async function removeOlder(folder: string): Promise<void> {
	const parent = join(folder, "..");
	const own = folder.slice(parent.length + 1);
	const older = readdirSync(parent).filter((name) => name !== own && name.startsWith(own.slice(0, -8)));
	const { removeUnused } = await import("./bundle-removal.ts");
	for (const name of older) await removeUnused(join(parent, name));
}
