import { readdirSync, readFileSync } from "node:fs";

/** One line of the system's process table. */
export interface ProcessEntry {
	pid: number;
	parent: number;
	group: number;
	name: string;
}

/** Remembers which processes a program brought about, and finds those of them that are left. */
export interface Census {
	/** Counts all that run below this program now, or in the group of one that did. */
	look(): void;
	/** All that were ever counted. */
	readonly seen: ReadonlySet<number>;
	/** Those that still run. */
	left(): ProcessEntry[];
	/** Waits until none is left. @returns those that are left all the same */
	settle(timeoutMs: number): Promise<ProcessEntry[]>;
}

/** Begins a census of the processes below `root`. */
export function createCensus(root: number = process.pid): Census {
	const seen = new Set<number>();
	const left = () => {
		const table = listProcesses();
		const below = descendants(table, root);
		// A child leads a group of its own, so a process in it belongs to the child even when its parent is gone.
		return table.filter(({ pid, group }) => pid !== root && (below.has(pid) || seen.has(pid) || seen.has(group)));
	};
	return {
		seen,
		left,
		look() {
			for (const { pid } of left()) seen.add(pid);
		},
		async settle(timeoutMs) {
			const deadline = performance.now() + timeoutMs;
			let remaining = left();
			while (remaining.length > 0 && performance.now() < deadline) {
				await Bun.sleep(pollMs);
				remaining = left();
			}
			return remaining;
		},
	};
}

const pollMs = 10;

function descendants(table: ProcessEntry[], root: number): Set<number> {
	const found = new Set([root]);
	for (let before = 0; before !== found.size; ) {
		before = found.size;
		for (const { pid, parent } of table) if (found.has(parent)) found.add(pid);
	}
	return found;
}

/** All processes of the system but those that have ended and only wait for their parent to notice. */
function listProcesses(): ProcessEntry[] {
	return process.platform === "linux" ? readProc() : askPs();
}

function readProc(): ProcessEntry[] {
	const entries: ProcessEntry[] = [];
	for (const name of readdirSync("/proc")) {
		if (!/^\d+$/.test(name)) continue;
		const entry = readStat(name);
		if (entry !== undefined) entries.push(entry);
	}
	return entries;
}

function readStat(pid: string): ProcessEntry | undefined {
	try {
		// The name stands in parentheses and may hold any character.
		const text = readFileSync(`/proc/${pid}/stat`, "latin1");
		const end = text.lastIndexOf(")");
		const [state = "", parent, group] = text.slice(end + 2).split(" ");
		return entryOf(pid, parent, group, state, text.slice(text.indexOf("(") + 1, end));
	} catch {
		// It ended meanwhile.
		return undefined;
	}
}

function askPs(): ProcessEntry[] {
	const ps = Bun.spawnSync(["ps", "-A", "-o", "pid=,ppid=,pgid=,stat=,comm="]);
	return ps.stdout
		.toString()
		.split("\n")
		.flatMap((line) => {
			const [pid, parent, group, state = "", ...name] = line.trim().split(/\s+/);
			const entry = entryOf(pid, parent, group, state, name.join(" "));
			return entry === undefined || entry.pid === ps.pid ? [] : [entry];
		});
}

function entryOf(
	pid: string | undefined,
	parent: string | undefined,
	group: string | undefined,
	state: string,
	name: string,
): ProcessEntry | undefined {
	const entry = { pid: Number(pid), parent: Number(parent), group: Number(group), name };
	return /^[ZX]/.test(state) || !(entry.pid > 0) ? undefined : entry;
}
