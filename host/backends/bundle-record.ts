import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { stampOf } from "./bundle-recall.ts";

/**
 * Records which bundle the sources have, unless one of them was touched so late that it may not be what was bundled, or
 * may be changed once more within the same tick of the file system's clock.
 *
 * @param sinceMs when the bundle was begun, or looked for; since the epoch
 * @returns whether it is recorded
 */
export function recordBundle(record: string, folder: string, sources: readonly string[], sinceMs: number): boolean {
	const stamps = stampsOfFiles(sources, sinceMs);
	if (stamps === undefined) return false;
	writeRecord(record, `${basename(folder)}\n${stamps}`);
	return true;
}

/** Stamps that `areUntouched` understands; undefined when a file was touched less than a while before. */
export function stampsOfFiles(sources: readonly string[], nowMs: number): string | undefined {
	const stamps: (string | number)[] = [];
	for (const path of sources) {
		const stamp = stampOf(path, nowMs - settledMs);
		if (stamp === undefined) return undefined;
		stamps.push(...stamp);
	}
	return JSON.stringify(stamps);
}

// Many file systems tell times in ticks of milliseconds, some in seconds.
const settledMs = 2_000;

/** Writes a record as one step, so that others read it whole. */
export function writeRecord(record: string, text: string): void {
	mkdirSync(dirname(record), { recursive: true, mode: 0o700 });
	// What is left of it when this is killed goes as an unfinished build does.
	const temporary = join(dirname(record), `building-${Bun.randomUUIDv7()}`);
	writeFileSync(temporary, text);
	renameSync(temporary, record);
}
