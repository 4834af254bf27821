import { readdirSync, readFileSync } from "node:fs";

/** Waits a second at most for a process group to end. */
export function groupEnds(group: number): Promise<boolean> {
	return comesTrue(() => !groupLives(group), 1_000);
}

/** Looks again and again at what nobody tells of; whether it came true in this time. */
export async function comesTrue(check: () => boolean, ms: number): Promise<boolean> {
	for (const end = performance.now() + ms; ; ) {
		if (check()) return true;
		if (performance.now() > end) return false;
		await Bun.sleep(5);
	}
}

/** Waits a second at most for processes to end; gives those that have not. */
export async function survivorsOf(pids: number[]): Promise<number[]> {
	await comesTrue(() => !pids.some(processLives), 1_000);
	return pids.filter(processLives);
}

/** The processes that a process has started and that still run as its children; Linux only. */
export function childrenOf(parent: number): number[] {
	return processIDs()
		.filter((pid) => readStat(pid)[1] === String(parent))
		.map(Number);
}

/** Whether a process runs; one that has ended and that its parent has not asked about does not. */
export function processLives(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch {
		return false;
	}
	return process.platform !== "linux" || isRunning(readStat(String(pid))[0]);
}

/** Whether a process group has a member that runs. */
export function groupLives(group: number): boolean {
	try {
		process.kill(-group, 0);
	} catch {
		return false;
	}
	// A dead member that its parent has not asked about answers as well.
	return process.platform !== "linux" || statesIn(group).some(isRunning);
}

function isRunning(state: string | undefined): boolean {
	return state !== undefined && state !== "Z" && state !== "X";
}

function statesIn(group: number): string[] {
	return processIDs().flatMap((pid) => {
		const [state, , inGroup] = readStat(pid);
		return state !== undefined && inGroup === String(group) ? [state] : [];
	});
}

function processIDs(): string[] {
	return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
}

/** State, parent and group of a process; nothing when it has gone meanwhile. */
function readStat(pid: string): string[] {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
		// The name in parentheses may hold anything.
		return stat.slice(stat.lastIndexOf(")") + 2).split(" ", 3);
	} catch {
		return [];
	}
}
