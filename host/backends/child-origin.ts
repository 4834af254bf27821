import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CarriedChild, InstalledChild } from "../../runtime/installed-child.ts";
import { childSwitchInstalled } from "../../runtime/protocol.ts";
import { readBundle, recallBundle, recordOf } from "./bundle-recall.ts";

/** What the child is bundled from. */
export interface ChildOrigin {
	/** What is run where there is no bundle: a path, or nothing where the program can become a child itself. */
	readonly instead: string;
	/** Whether that is so slow that the first children wait for the bundle. */
	readonly isSlow: boolean;
	/** The folder of the bundle, when it is there and current. */
	known(cache: string): string | undefined;
	/** The folder that a bundle of what is there now belongs to. @throws Error when nothing is */
	folder(cache: string): string;
	/** Bundles it, unless somebody else has meanwhile. @returns the folder @throws Error what does not bundle, or cannot be written */
	make(cache: string): Promise<string>;
}

/** The file that a host runs to make a child. */
export const childEntry = Bun.fileURLToPath(new URL("../../child/entry.ts", import.meta.url));

/** What this program can bundle the child from; undefined for a compiled one that does not carry it. */
export function currentOrigin(): ChildOrigin | undefined {
	if (!Bun.isStandaloneExecutable) return sourceOrigin();
	// Another version of brood may have left it.
	const installed: Partial<InstalledChild> | undefined = Reflect.get(globalThis, childSwitchInstalled);
	const carried = installed?.carried?.();
	return carried === undefined ? undefined : carriedOrigin(carried);
}

/** The sources of the child in a folder, which may be changed at any time. */
export function sourceOrigin(entry: string = childEntry): ChildOrigin {
	const folder = (cache: string, files = sourcesOf(entry)) => folderOf(cache, fingerprint(entry, files));
	return {
		instead: entry,
		isSlow: true,
		known: (cache) => recallBundle(recordOf(cache, kind, entry)),
		folder,
		async make(cache) {
			const sinceMs = Date.now();
			const files = sourcesOf(entry);
			const place = folder(cache, files);
			await makeOnce(place, { bundle: "buildChild", of: entry, isCurrent: () => folder(cache) === place });
			const { recordBundle } = await import("./bundle-record.ts");
			recordBundle(recordOf(cache, kind, entry), place, files, sinceMs);
			return place;
		},
	};
}

/** The sources of the child that a compiled program carries inside. */
export function carriedOrigin({ sources, print }: CarriedChild): ChildOrigin {
	const folder = (cache: string) => folderOf(cache, print);
	return {
		instead: "",
		isSlow: false,
		known: (cache) => (readBundle(folder(cache)) === undefined ? undefined : folder(cache)),
		folder,
		async make(cache) {
			await makeOnce(folder(cache), { bundle: "buildCarriedChild", of: sources, isCurrent: () => true });
			return folder(cache);
		},
	};
}

interface Making {
	bundle: "buildChild" | "buildCarriedChild";
	of: string;
	isCurrent(): boolean;
}

async function makeOnce(folder: string, { bundle, of, isCurrent }: Making): Promise<void> {
	if (readBundle(folder) !== undefined) return;
	const { makeBundle } = await import("./bundle-folder.ts");
	const builders = await import("./child-build.ts");
	await makeBundle(folder, (outdir) => builders[bundle](of, outdir), isCurrent);
}

const kind = "child";

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
