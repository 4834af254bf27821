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

/** Whether a process group has a member that runs. */
export function groupLives(group: number): boolean {
	try {
		process.kill(-group, 0);
	} catch {
		return false;
	}
	// A dead member that its parent has not asked about answers as well.
	return process.platform !== "linux" || statesIn(group).some((state) => state !== "Z" && state !== "X");
}

function statesIn(group: number): string[] {
	const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
	return processes.flatMap((pid) => {
		const [state, , inGroup] = readStat(pid);
		return state !== undefined && inGroup === String(group) ? [state] : [];
	});
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
