import { lstat, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { isLeftover } from "../base/change-file.ts";
import { lockFolder } from "../base/folder-lock.ts";
import { describeFileError } from "../base/text-file.ts";
import { count, type Finding, type FindingDetail, finding } from "./finding.ts";
import { barePrefix } from "./load.ts";

/** What hosts that were killed have left beside the files that they were writing. With `fix` it is removed. */
export async function checkLeftovers(files: readonly string[], fix: boolean): Promise<Finding[]> {
	const left = [...(await Promise.all(files.map(leftoversOf))), await bareFolders()].flat();
	if (left.length === 0) return [finding("leftovers", "ok", "Nothing that was killed has left a temporary file.")];
	const details = left.map((path): FindingDetail => ({ text: path, path }));
	if (!fix) {
		const message = `${count(left.length, "temporary file")} of what was killed ${left.length === 1 ? "is" : "are"} left.`;
		return [finding("leftovers", "note", message, { hint: "Remove them with: brood doctor --fix", details })];
	}
	const outcomes = await Promise.all(left.map(removeLeftover));
	const failed = outcomes.filter((outcome) => outcome !== undefined).length;
	const told = left.map((path, index): FindingDetail => {
		const reason = outcomes[index];
		return {
			text: `${path}: ${reason === undefined ? "removed" : `kept: ${reason}`}`,
			path,
			removed: reason === undefined,
		};
	});
	const message = `${count(left.length - failed, "temporary file")} of ${left.length} that were left ${left.length - failed === 1 ? "was" : "were"} removed.`;
	return [finding("leftovers", failed === 0 ? "ok" : "warning", message, { details: told })];
}

async function leftoversOf(file: string): Promise<string[]> {
	const folder = dirname(file);
	const names = await readdir(folder).catch(() => []);
	const left = names.filter((name) => isLeftover(name, basename(file))).map((name) => join(folder, name));
	const ages = await Promise.all(left.map(ageOf));
	return left.filter((_, index) => (ages[index] ?? 0) > writingMs);
}

// Whoever writes one now has just made it.
const writingMs = 60_000;

async function ageOf(path: string): Promise<number> {
	return Date.now() - (await lstat(path).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
}

/** What a diagnosis that was killed has left. */
async function bareFolders(): Promise<string[]> {
	const names = await readdir(tmpdir()).catch(() => []);
	const paths = names.filter((name) => name.startsWith(barePrefix)).map((name) => join(tmpdir(), name));
	const facts = await Promise.all(paths.map((path) => lstat(path).catch(() => undefined)));
	return paths.filter((_, index) => {
		const fact = facts[index];
		const isOwn = fact?.isDirectory() === true && fact.uid === process.getuid?.();
		return isOwn && Date.now() - fact.mtimeMs > diagnosisMs;
	});
}

// None takes as long.
const diagnosisMs = 60 * 60_000;

/** @returns why it stays, as a clause */
async function removeLeftover(path: string): Promise<string | undefined> {
	try {
		if (basename(path).startsWith(barePrefix)) {
			await rm(path, { recursive: true, force: true });
			return undefined;
		}
		// Whoever writes such a file holds the lock.
		const unlock = await lockFolder(dirname(path));
		await rm(path, { force: true }).finally(unlock);
		return undefined;
	} catch (error) {
		return describeFileError(error);
	}
}
