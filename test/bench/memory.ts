import { readdirSync, readFileSync } from "node:fs";

/** What a process keeps. */
export interface Kept {
	/** Memory that only it has, in MB: what ending it would free. */
	privateMB: number;
	/** Memory that it sees, in MB, however many share it. */
	residentMB: number;
}

/** Whether the system tells what this file reads. */
export const canLook = process.platform === "linux";

/** @throws Error for a process that is gone */
export function keptBy(pid: number): Kept {
	const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
	return { privateMB: sumMB(text, /^Private_\w+: +(\d+) kB$/gm), residentMB: sumMB(text, /^Rss: +(\d+) kB$/gm) };
}

/** Of each of its threads how often it has waited and was woken, since it began. @throws Error for a process that is gone */
export function wakeUpsOf(pid: number): Map<string, number> {
	return new Map(readdirSync(`/proc/${pid}/task`).map((thread) => [thread, switchesOf(pid, thread)]));
}

/** How many came to that since; a thread that has ended meanwhile takes its own along. */
export function wakeUpsSince(before: ReadonlyMap<string, number>, pid: number): number {
	return [...wakeUpsOf(pid)].reduce((sum, [thread, count]) => sum + count - (before.get(thread) ?? 0), 0);
}

function switchesOf(pid: number, thread: string): number {
	try {
		const status = readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8");
		return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1] ?? 0);
	} catch {
		// It has ended after it was listed.
		return 0;
	}
}

/** Lines such as `Private_Dirty:      1024 kB`, in MB of a million bytes. */
function sumMB(text: string, pattern: RegExp): number {
	return [...text.matchAll(pattern)].reduce((sum, [, kB]) => sum + Number(kB), 0) * (1_024 / 1_000_000);
}
