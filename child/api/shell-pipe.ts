import { dlopen, ptr } from "bun:ffi";

/** A pipe of the kernel, for one output of a command. */
export interface Pipe {
	/** The descriptor that the command writes to. */
	writeEnd: number;
	/** Closes the writing end here; the command has its own by then. */
	closeWriter(): void;
	/** What the command writes; the stream reads through a duplicate of its own, made by its first read. */
	stream(): ReadableStream<Uint8Array>;
	/** Closes the reading end here, after the first read or when there will be none. */
	closeReader(): void;
}

/**
 * Opens a pipe where "pipe" of Bun.spawn will not do: on Linux that is a socket, and a command cannot open
 * /dev/stdout or /dev/stderr on a socket. Gives undefined where it will do or where no pipe is to be had.
 */
export function openPipe(): Pipe | undefined {
	libc ??= process.platform === "linux" ? openLibc() : null;
	if (libc === null) return undefined;
	const { pipe2, close } = libc;
	const ends = new Int32Array(2);
	if (pipe2(ptr(ends), closeOnExec) !== 0) return undefined;
	const [readEnd = -1, writeEnd = -1] = ends;
	return {
		writeEnd,
		closeWriter: () => void close(writeEnd),
		stream: () => Bun.file(readEnd).stream(),
		closeReader: () => void close(readEnd),
	};
}

// O_CLOEXEC on Linux: no other process that is started meanwhile may hold the pipe open.
const closeOnExec = 0o2000000;
const libraries = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"];

let libc: ReturnType<typeof openLibc> | undefined;

function openLibc() {
	for (const library of libraries) {
		try {
			const { symbols } = dlopen(library, {
				pipe2: { args: ["ptr", "i32"], returns: "i32" },
				close: { args: ["i32"], returns: "i32" },
			});
			return symbols;
		} catch {
			// Not this library; the next one, or the fallback.
		}
	}
	return null;
}
