import type { Stats } from "node:fs";
import { lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type BroodError, failure, isBroodError } from "../../../runtime/errors.ts";
import { describeFileError, describeFileType } from "../../base/text-file.ts";

/**
 * Makes a folder with all that is in it, and the folders above it. A new one comes in one step: it is filled under another
 * name beside. One that is there and empty is filled where it lies, since it may be a mount or somebody's working directory;
 * the data of git count as nothing. Of what cannot be filled nothing stays, and nothing that is there is touched.
 *
 * @param fill gets the folder, a new one under its first name
 * @throws BroodError `usage` when something is in the way or it cannot be written; what `fill` throws, and why `signal` aborted
 */
export async function makeFolder(
	path: string,
	fill: (draft: string) => Promise<void>,
	signal: AbortSignal,
): Promise<void> {
	const before = await entriesOf(path);
	let made: string | undefined;
	const draft =
		before === undefined ? join(dirname(path), `.${basename(path)}-${Bun.randomUUIDv7().slice(-12)}`) : path;
	try {
		if (before === undefined) made = (await mkdir(dirname(path), { recursive: true })) ?? draft;
		if (before === undefined) await mkdir(draft);
		await fill(draft);
		signal.throwIfAborted();
		if (before !== undefined) return;
		// Renaming would replace an empty folder that somebody has made meanwhile.
		if ((await entriesOf(path)) !== undefined) throw inTheWay(path, "a directory");
		await rename(draft, path);
	} catch (error) {
		await (before === undefined ? remove(made) : empty(path, before));
		if (isBroodError(error)) throw error;
		throw failure("usage", { reason: `${path} cannot be made: ${describeFileError(error, "write")}`, cause: error });
	}
}

/** The entries of an empty folder, those of git at most; undefined where nothing is. @throws BroodError `usage` */
async function entriesOf(path: string): Promise<string[] | undefined> {
	const facts = await lstat(path).catch(() => undefined);
	if (facts === undefined) return undefined;
	const entries = facts.isDirectory() ? await readdir(path).catch(() => undefined) : undefined;
	if (entries === undefined || entries.some((name) => name !== ".git")) throw inTheWay(path, describe(facts, entries));
	return entries;
}

export function inTheWay(path: string, what: string): BroodError {
	const hint = "Take another name, or move it away.";
	return failure("usage", { reason: `${path} is in the way: it is ${what}`, hint });
}

function describe(facts: Stats, entries: readonly string[] = []): string {
	if (facts.isSymbolicLink()) return "a link";
	if (!facts.isDirectory()) return describeFileType(facts);
	if (entries.length === 0) return "a directory that cannot be read";
	const named = [...entries].sort().slice(0, entriesMax);
	const more = entries.length - named.length;
	return `a directory with ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""} in it`;
}

// They say what kind of folder it is.
const entriesMax = 3;

async function remove(path: string | undefined): Promise<void> {
	if (path !== undefined) await rm(path, { recursive: true, force: true }).catch(() => {});
}

/** Leaves what was there before. */
async function empty(path: string, before: readonly string[]): Promise<void> {
	const entries = await readdir(path).catch(() => []);
	await Promise.all(entries.filter((name) => !before.includes(name)).map((name) => remove(join(path, name))));
}
