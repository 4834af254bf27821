import { readdir, realpath, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { confine } from "../base/confine.ts";
import { describeFileError, isMissing, readStart } from "../base/text-file.ts";
import { readSkillDocument, splitSkillDocument } from "./skill-document.ts";

/** A skill on disk: the folder of its plugin, and its own below that, both absolute. */
export interface SkillPlace {
	root: string;
	folder: string;
}

/** A file that a skill brings along. */
export interface SkillFile {
	/** Relative to the skill's folder, such as `scripts/check.sh`. */
	path: string;
	bytes: number;
}

/** The text after the front matter, without blank lines before it. @throws Error whose message is the reason */
export async function readSkillBody(place: SkillPlace): Promise<string> {
	const document = await readSkillDocument(place.root, await relativeFolder(place));
	return splitSkillDocument(document).body.replace(/^(?:[ \t]*\r?\n)+/, "");
}

/**
 * The files one level below the folders of a skill, by path; what is no file, or leads out of the plugin, is left out.
 *
 * @throws Error whose message is the reason
 */
export async function listSkillFiles(place: SkillPlace, filesMax: number): Promise<SkillFile[]> {
	const within = await relativeFolder(place);
	// The skill itself must be there: of one that has gone an empty list would be a lie.
	await confine(place.root, within);
	const files: SkillFile[] = [];
	for (const folder of folders) {
		for (const name of await namesIn(place.root, join(within, folder))) {
			if (files.length === filesMax) return files;
			const bytes = await sizeOf(place.root, join(within, folder, name));
			if (bytes !== undefined) files.push({ path: `${folder}/${name}`, bytes });
		}
	}
	return files;
}

/** The bytes of one of these files. @throws Error whose message is the reason */
export async function readSkillFile(place: SkillPlace, path: string, bytesMax: number): Promise<Uint8Array> {
	const [folder = "", name = "", ...deeper] = path.split("/");
	const known = folders.includes(folder) && name !== "" && name !== "." && name !== ".." && deeper.length === 0;
	if (!known) throw new Error(`${path}: it is no file directly in ${folders.join("/, ")}/`);
	try {
		const file = await confine(place.root, join(await relativeFolder(place), path));
		const { size } = await stat(file);
		if (size > bytesMax) throw new Error(`its ${size} bytes are more than the limit of ${bytesMax}`);
		const { bytes, cut } = await readStart(file, size);
		if (cut) throw new Error("it grew while it was read");
		return bytes;
	} catch (error) {
		throw new Error(`${path}: ${describeFileError(error)}`, { cause: error });
	}
}

// Those of the open skill format, sorted.
const folders = ["assets", "references", "scripts"];

async function relativeFolder({ root, folder }: SkillPlace): Promise<string> {
	return relative(await realpath(root), folder) || ".";
}

/** Sorted by code unit; none where there is no such folder in the plugin. */
async function namesIn(root: string, folder: string): Promise<string[]> {
	const path = await confine(root, folder).catch(() => undefined);
	if (path === undefined) return [];
	try {
		return (await readdir(path)).sort();
	} catch (error) {
		if (isMissing(error)) return [];
		throw new Error(`${folder}: ${describeFileError(error)}`, { cause: error });
	}
}

async function sizeOf(root: string, path: string): Promise<number | undefined> {
	try {
		const facts = await stat(await confine(root, path));
		return facts.isFile() ? facts.size : undefined;
	} catch {
		return undefined;
	}
}
