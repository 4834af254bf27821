import { closeSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { claimFolder } from "../base/folder-lock.ts";

/** Removes a folder of the cache that nobody uses. @returns false when somebody has begun to, or it has gone */
export async function removeUnused(path: string): Promise<boolean> {
	const claim = await claimFolder(path).catch(() => undefined);
	if (typeof claim !== "number") return false;
	try {
		// A host finds it whole or not at all; what is left of it if this is killed goes with the next build.
		const moved = basename(path).startsWith("building-") ? path : join(path, "..", `building-${Bun.randomUUIDv7()}`);
		await rename(path, moved);
		await rm(moved, { recursive: true, force: true });
		return true;
	} finally {
		closeSync(claim);
	}
}
