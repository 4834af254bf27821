import { constants, type Stats } from "node:fs";
import { access, lstat, mkdir, open, readdir, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { lockFolder } from "./folder-lock.ts";
import { describeFileType, isMissing, readStart } from "./text-file.ts";

/**
 * Changes a text file so that a reader, and a crash at any moment, finds the old text or the new one. `change` gets
 * the text as it is, undefined where no file is, and gives the new one, or undefined to leave all as it is. Programs
 * that change it like this one after the other lose nothing; what another one wrote meanwhile makes `change` run again.
 * A link stays a link, the mode stays; a new file can be read by its user alone. Others that change it are waited for at
 * most `lockMs` milliseconds, by default `limits.configuration.lockMs`.
 *
 * @throws what `change` throws, or an error of the file system; the file is then as it was
 */
export async function changeFile(
	path: string,
	bytesMax: number,
	change: (text: string | undefined) => string | undefined,
	lockMs?: number,
): Promise<void> {
	const target = await followLinks(path);
	const folder = dirname(target);
	await mkdir(folder, { recursive: true });
	const unlock = await lockFolder(folder, lockMs);
	try {
		await removeLeftovers(folder, basename(target));
		for (;;) {
			const before = await read(target, bytesMax);
			const text = change(before?.text);
			if (text === undefined || text === before?.text) return;
			if (await replace(target, text, before, bytesMax)) return;
		}
	} finally {
		await unlock();
	}
}

interface Content {
	text: string;
	facts: Stats;
}

async function read(path: string, bytesMax: number): Promise<Content | undefined> {
	try {
		const { bytes, cut } = await readStart(path, bytesMax);
		if (cut) throw new Error(`it is larger than ${bytesMax} bytes`);
		return { text: decode(bytes), facts: await stat(path) };
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}

// Bytes that are no UTF-8 would be replaced, and lost as the text is written.
function decode(bytes: Uint8Array): string {
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch (error) {
		throw new Error("it is not UTF-8", { cause: error });
	}
}

/** Puts the text in the place of the file, unless somebody else has changed the file since. */
async function replace(path: string, text: string, before: Content | undefined, bytesMax: number): Promise<boolean> {
	// Without this a file that its user made read-only would be replaced.
	if (before !== undefined) await access(path, constants.W_OK);
	const temporary = join(dirname(path), `${leftoverPrefix(basename(path))}${Bun.randomUUIDv7()}`);
	try {
		const file = await open(temporary, "wx", 0o600);
		try {
			await file.writeFile(text);
			if (before !== undefined) {
				// Only the superuser can give a file away; for everybody else it is theirs already, or becomes so.
				await file.chown(before.facts.uid, before.facts.gid).catch(() => {});
				await file.chmod(before.facts.mode & 0o7777);
			}
			await file.sync();
		} finally {
			await file.close();
		}
		const now = await read(path, bytesMax);
		if (now?.text !== before?.text) return false;
		await rename(temporary, path);
	} finally {
		await rm(temporary, { force: true });
	}
	await syncFolder(dirname(path));
	return true;
}

/** Until the folder is on disk too, a loss of power could bring the old text back. */
async function syncFolder(path: string): Promise<void> {
	const folder = await open(path, "r");
	// Some file systems cannot; the text is whole either way.
	await folder.sync().catch(() => {});
	await folder.close();
}

/** Removes what a process left that was killed while it wrote: whoever holds the lock is the only one to write. */
async function removeLeftovers(folder: string, name: string): Promise<void> {
	const left = (await readdir(folder)).filter((entry) => isLeftover(entry, name));
	await Promise.all(left.map((entry) => rm(join(folder, entry), { force: true })));
}

/** Whether an entry of a folder is what was to become the file of that name beside it. */
export function isLeftover(entry: string, name: string): boolean {
	return entry.startsWith(leftoverPrefix(name));
}

function leftoverPrefix(name: string): string {
	return `.${name}.new-`;
}

/** The file that a path leads to, also where it does not exist yet. */
async function followLinks(path: string): Promise<string> {
	let at = path;
	for (let links = 0; links < linksMax; links += 1) {
		const existing = await realpath(at).catch((error: unknown) => {
			if (isMissing(error)) return undefined;
			throw error;
		});
		if (existing !== undefined) {
			const facts = await stat(existing);
			if (!facts.isFile()) throw new Error(`it is ${describeFileType(facts)}, not a file`);
			return existing;
		}
		const facts = await lstat(at).catch(() => undefined);
		if (facts?.isSymbolicLink() !== true) return at;
		at = resolve(dirname(at), await readlink(at));
	}
	throw new Error("its links form a loop");
}

// As many as Linux follows.
const linksMax = 40;
