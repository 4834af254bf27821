import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for the files of one measurement. */
export interface BenchFolder extends AsyncDisposable {
	/** Makes it, unless it is there. */
	open(): Promise<string>;
}

export function createBenchFolder(): BenchFolder {
	let made: Promise<string> | undefined;
	return {
		open() {
			made ??= mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
			return made;
		},
		async [Symbol.asyncDispose]() {
			if (made !== undefined) await rm(await made, { recursive: true, force: true });
		},
	};
}

/** Removes what measurements left that were killed. */
export async function removeLeftFolders(): Promise<void> {
	const names = await readdir(tmpdir()).catch(() => []);
	const left = names.filter((name) => {
		const [, pid] = name.match(pattern) ?? [];
		return pid !== undefined && !isRunning(Number(pid));
	});
	// That of another user stays.
	await Promise.all(left.map((name) => rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})));
}

const prefix = "brood-bench-";
const pattern = new RegExp(`^${prefix}(\\d+)-\\w{6}$`);

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		// It is somebody else's.
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}
