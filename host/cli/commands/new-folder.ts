import type { Stats } from "node:fs";
import { lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type BroodError, failure, isBroodError } from "../../../runtime/errors.ts";
import { describeFileError, describeFileType } from "../../base/text-file.ts";

/**
 * Makes a folder with all that is in it in one step: it is filled under another name beside. Nothing stays of one that
 * cannot be filled, and nothing that is there is touched.
 *
 * @param fill gets the folder under its first name
 * @throws BroodError `usage` when something is in the way or it cannot be written; what `fill` throws, and why `signal` aborted
 */
export async function makeFolder(
	path: string,
	fill: (draft: string) => Promise<void>,
	signal: AbortSignal,
): Promise<void> {
	await refuseExisting(path);
	const draft = join(dirname(path), `.${basename(path)}-${Bun.randomUUIDv7().slice(-12)}`);
	try {
		await mkdir(draft);
		await fill(draft);
		signal.throwIfAborted();
		// Renaming would replace an empty folder that somebody has made meanwhile.
		await refuseExisting(path);
		await rename(draft, path);
	} catch (error) {
		await rm(draft, { recursive: true, force: true }).catch(() => {});
		if (isBroodError(error)) throw error;
		throw failure("usage", { reason: `${path} cannot be made: ${describeFileError(error, "write")}`, cause: error });
	}
}

/** @throws BroodError `usage` that says what is in the way */
async function refuseExisting(path: string): Promise<void> {
	const facts = await lstat(path).catch(() => undefined);
	if (facts !== undefined) throw inTheWay(path, await describe(path, facts));
}

export function inTheWay(path: string, what: string): BroodError {
	const hint = "Take another name, or move it away.";
	return failure("usage", { reason: `${path} is in the way: it is ${what}`, hint });
}

async function describe(path: string, facts: Stats): Promise<string> {
	if (facts.isSymbolicLink()) return "a link";
	if (!facts.isDirectory()) return describeFileType(facts);
	const names = await readdir(path).catch(() => []);
	if (names.length === 0) return "a directory";
	const more = names.length > 1 ? ` and ${names.length - 1} more` : "";
	return `a directory with ${names.sort()[0]}${more} in it`;
}
