import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { type Finding, type FindingDetail, finding, quote } from "./finding.ts";

/** What everybody on this machine may write to although brood runs or obeys what is in it. */
export async function checkPermissions(paths: readonly string[]): Promise<Finding[]> {
	const own = [...new Set(paths)];
	const above = [...new Set(own.flatMap(ancestors))].filter((path) => !own.includes(path));
	const open = await Promise.all([
		...own.map((path) => whyOpen(path, true)),
		...above.map((path) => whyOpen(path, false)),
	]);
	const details = open.filter((detail) => detail !== undefined);
	if (details.length === 0) {
		return [finding("permissions", "ok", "Plugins and settings can be changed only by those who are meant to.")];
	}
	const message = "Everybody on this machine can change what brood runs as you.";
	const hint = `Take that right away: chmod o-w ${details.length === 1 ? quote(String(details[0]?.path)) : "PATH, for each"}`;
	return [finding("permissions", "warning", message, { hint, details })];
}

/** A folder that is sticky protects what others have put in, so that it matters only where new entries count. */
async function whyOpen(path: string, newEntriesCount: boolean): Promise<FindingDetail | undefined> {
	const facts = await stat(path).catch(() => undefined);
	if (facts === undefined || !isOpen(facts.mode, facts.isDirectory(), newEntriesCount)) return undefined;
	const mode = (facts.mode & 0o7777).toString(8).padStart(4, "0");
	return { text: `${path}: mode ${mode}`, path, mode };
}

/** Whether everybody may change a file, or a folder so that another file stands in its place. */
export function isOpen(mode: number, isDirectory: boolean, newEntriesCount: boolean): boolean {
	const writable = (mode & 0o002) !== 0;
	const sticky = isDirectory && (mode & 0o1000) !== 0;
	return writable && (newEntriesCount || !sticky);
}

function ancestors(path: string): string[] {
	const parent = dirname(path);
	return parent === path ? [] : [parent, ...ancestors(parent)];
}
