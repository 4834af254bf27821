import { open } from "node:fs/promises";
import { failure } from "../../runtime/errors.ts";

/**
 * Waits until no other program, and nobody else in this one, holds the lock of a folder, and takes it; the function it
 * resolves with gives it back. The lock is the kernel's: it leaves no file, and ends with the process however that ends.
 *
 * @throws BroodError `timeout`, or the error of the file system
 */
export async function lockFolder(path: string, waitMs = defaultWaitMs): Promise<() => Promise<void>> {
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

// Who holds it writes one small file.
const defaultWaitMs = 5_000;
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
