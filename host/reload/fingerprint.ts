import { readFile, stat } from "node:fs/promises";

/** What tells one content of a file from another. */
export type Fingerprint = string;

/** Of a file that is not there, or cannot be read. */
export const absent: Fingerprint = "absent";
/** Of a file without content, which some editors leave for a moment. */
export const empty: Fingerprint = "empty";

/** Reads each file; a touch, or a save of the same text, leaves its fingerprint as it was. */
export async function fingerprintsOf(files: Iterable<string>): Promise<Map<string, Fingerprint>> {
	return new Map(await Promise.all([...files].map(async (file) => [file, await fingerprintOf(file)] as const)));
}

async function fingerprintOf(file: string): Promise<Fingerprint> {
	try {
		const facts = await stat(file);
		if (!facts.isFile()) return absent;
		// Hardly a source; reading it at every change would take longer than a reload.
		if (facts.size > readBytesMax) return `${facts.size} ${facts.mtimeMs}`;
		const content = await readFile(file);
		return content.byteLength === 0 ? empty : String(Bun.hash(content));
	} catch {
		return absent;
	}
}

const readBytesMax = 16 * 1024 * 1024;

/** The files whose fingerprints differ, or that only one of them has. */
export function differing(before: ReadonlyMap<string, Fingerprint>, after: ReadonlyMap<string, Fingerprint>): string[] {
	return [...after].filter(([file, fingerprint]) => before.get(file) !== fingerprint).map(([file]) => file);
}
