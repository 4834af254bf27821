import { existsSync, readFileSync } from "node:fs";
import { errorCode } from "./text-file.ts";

/** Whether the main thread of a process waits for something, or has ended; false where the system does not tell. */
export function isAsleep(pid: number | null): boolean {
	return pid !== null && "SZX".includes(stateOf(pid));
}

/** Whether a process has ended, although this program may not have heard of it yet; false where the system does not tell. */
export function hasEnded(pid: number): boolean {
	return "ZX".includes(stateOf(pid));
}

/** The letter of /proc for the state of a process, `X` for one that has gone; `?` where there is none, or it cannot be read. */
function stateOf(pid: number): string {
	if (process.platform !== "linux") return "?";
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
		// The name in parentheses may hold anything.
		return stat.charAt(stat.lastIndexOf(")") + 2);
	} catch (error) {
		return goneCodes.has(errorCode(error)) && existsSync("/proc/self/stat") ? "X" : "?";
	}
}

/** That there is no such file, or that the process went away while it was read. */
const goneCodes: ReadonlySet<unknown> = new Set(["ENOENT", "ESRCH"]);
