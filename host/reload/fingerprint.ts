import { lstat, readFile, realpath, stat } from "node:fs/promises";
import { wayOf } from "./links.ts";

/** What tells one content of a file from another. */
export type Fingerprint = string;

/** Of a file that is not there, or cannot be read. */
export const absent: Fingerprint = "absent";
/** Of a file without content, which some editors leave for a moment. */
export const empty: Fingerprint = "empty";

/**
 * Reads each file. A touch, or a save of the same text, leaves its fingerprint as it was; that of a file behind a link tells
 * also where it is, since what it imports lies there.
 */
export async function fingerprintsOf(files: Iterable<string>): Promise<Map<string, Fingerprint>> {
	return new Map(await Promise.all([...files].map(async (file) => [file, await fingerprintOf(file)] as const)));
}

async function fingerprintOf(file: string): Promise<Fingerprint> {
	try {
		const facts = await stat(file);
		if (!facts.isFile()) return absent;
		if (facts.size === 0) return empty;
		const end = await realpath(file);
		const place = end === file ? "" : `${end} `;
		// Hardly a source; reading it at every change would take longer than a reload.
		if (facts.size > readBytesMax) return `${place}${facts.size} ${facts.mtimeMs}`;
		const content = await readFile(file);
		return content.byteLength === 0 ? empty : place + String(Bun.hash(content));
	} catch {
		return absent;
	}
}

/** When a file got the content that it has, or came to lie behind a link, in milliseconds since 1970; 0 when that is unknown. */
export async function writtenAt(file: string): Promise<number> {
	try {
		const links = await Promise.all(wayOf(file).links.map((link) => lstat(link)));
		// What was renamed into its place is as old as ever by its other times.
		return Math.max(...[await stat(file), ...links].map(({ ctimeMs }) => ctimeMs));
	} catch {
		return 0;
	}
}

const readBytesMax = 16 * 1024 * 1024;

/** The files whose fingerprints differ, or that only one of them has. */
export function differing(before: ReadonlyMap<string, Fingerprint>, after: ReadonlyMap<string, Fingerprint>): string[] {
	return [...after].filter(([file, fingerprint]) => before.get(file) !== fingerprint).map(([file]) => file);
}
