import { closeSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { failure } from "../../runtime/errors.ts";
import { limits } from "../../runtime/limits.ts";

/**
 * Waits until no other program, and nobody else in this one, holds the lock of a folder, and takes it; the function it
 * resolves with gives it back. The lock is the kernel's: it leaves no file, and ends with the process however that ends.
 *
 * @throws BroodError `timeout`, or the error of the file system
 */
export async function lockFolder(
	path: string,
	waitMs: number = limits.configuration.lockMs,
): Promise<() => Promise<void>> {
	const folder = await open(path, "r");
	loading ??= loadFlock();
	const flock = await loading;
	const deadline = performance.now() + waitMs;
	// Without ffi there is no lock; who changes a file looks again before it replaces it.
	while (flock !== undefined && flock(folder.fd, exclusive | doNotBlock) !== 0) {
		if (performance.now() > deadline) {
			await folder.close();
			throw failure("timeout", { subject: `the lock of ${path}`, ms: waitMs, hint: "Another program holds it." });
		}
		await Bun.sleep(1 + Math.random() * 4);
	}
	return () => folder.close();
}

/**
 * Marks a folder as used by this program, beside others that may use it too, until the descriptor that it resolves with
 * is closed or the program ends. Undefined where that cannot be done: somebody is removing it, or there is no ffi.
 */
export async function shareFolder(path: string): Promise<number | undefined> {
	for (let tries = 0; tries < triesMax; tries += 1) {
		const taken = await take(path, shared);
		if (taken !== "used") return taken;
		await Bun.sleep(1 + Math.random() * 4);
	}
	return undefined;
}

// Whoever only looks whether a folder is used has it for less than a millisecond.
const triesMax = 20;

/**
 * Takes a folder that no program uses, so that none can begin to before the descriptor is closed; it resolves with
 * `used` when one does, and with undefined where nobody can tell.
 */
export async function claimFolder(path: string): Promise<number | "used" | undefined> {
	return await take(path, exclusive);
}

async function take(path: string, operation: number): Promise<number | "used" | undefined> {
	loading ??= loadFlock();
	const flock = await loading;
	if (flock === undefined) return undefined;
	const descriptor = openSync(path, "r");
	if (flock(descriptor, operation | doNotBlock) === 0) return descriptor;
	closeSync(descriptor);
	return "used";
}

const shared = 1;
const exclusive = 2;
const doNotBlock = 4;

type Flock = (descriptor: number, operation: number) => number;

let loading: Promise<Flock | undefined> | undefined;

async function loadFlock(): Promise<Flock | undefined> {
	const { dlopen } = await import("bun:ffi");
	for (const library of [
		"libc.so.6",
		"libc.so",
		"libc.musl-x86_64.so.1",
		"libc.musl-aarch64.so.1",
		"libSystem.B.dylib",
	]) {
		try {
			return dlopen(library, { flock: { args: ["i32", "i32"], returns: "i32" } }).symbols.flock;
		} catch {}
	}
	return undefined;
}
