import { type CachedFolder, cachedFolders, removeCached } from "../backends/bundle-cache.ts";
import { describeFileError } from "../base/text-file.ts";
import { count, type Finding, type FindingDetail, finding, orElse } from "./finding.ts";

/** Old code of children in the cache. With `fix` it is removed where no running host uses it. */
export async function checkCache(environment: Record<string, string | undefined>, fix: boolean): Promise<Finding[]> {
	const folders = await cachedFolders(environment);
	const stale = folders.filter(({ state }) => state === "unused");
	const kept = folders.filter(({ state }) => state === "used" || state === "unknown");
	const findings: Finding[] = [];
	if (stale.length > 0) findings.push(fix ? await removeAll(stale) : describeStale(stale));
	if (kept.length > 0) {
		const message = `${count(kept.length, "folder")} of the cache ${kept.length === 1 ? "is" : "are"} kept, since a running host uses ${kept.length === 1 ? "it" : "them"}, or may.`;
		findings.push(finding("cache", "ok", message, { details: kept.map(describeCached) }));
	}
	return orElse(findings, "cache", "The cache holds nothing that is not needed.");
}

function describeStale(stale: CachedFolder[]): Finding {
	const message = `The cache holds ${count(stale.length, "folder")}, ${sizeOf(stale)} in all, that no running host uses.`;
	const hint = "Remove them with: brood doctor --fix (an older version of brood builds its own again when it is used)";
	return finding("cache", "note", message, { hint, details: stale.map(describeCached) });
}

async function removeAll(stale: CachedFolder[]): Promise<Finding> {
	const details: FindingDetail[] = [];
	const removed: CachedFolder[] = [];
	for (const folder of stale) {
		const outcome = await removeCached(folder).catch(describeFileError);
		if (outcome === true) removed.push(folder);
		const said = outcome === true ? "removed" : `kept: ${outcome === false ? "a host has begun to use it" : outcome}`;
		details.push({ ...describeCached(folder), text: `${folder.path}: ${said}`, removed: outcome === true });
	}
	const message = `${count(removed.length, "folder")} of ${stale.length} in the cache ${removed.length === 1 ? "was" : "were"} removed, ${sizeOf(removed)} in all.`;
	return finding("cache", removed.length === stale.length ? "ok" : "warning", message, { details });
}

function describeCached({ path, state, bytes }: CachedFolder): FindingDetail {
	return { text: `${path}: ${state}`, path, state, bytes };
}

function sizeOf(folders: CachedFolder[]): string {
	const bytes = folders.reduce((sum, folder) => sum + folder.bytes, 0);
	return `${Math.ceil(bytes / 1024)} kB`;
}
