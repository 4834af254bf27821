import { dlopen, ptr } from "bun:ffi";
import type { GuardKind } from "../runtime/protocol.ts";
import { readStream } from "../runtime/stream-reader.ts";
import { redirectConsole } from "./guard.ts";
import type { Ends } from "./line.ts";

/**
 * Makes a wire of stdin and stdout, and leaves an empty stdin and the log in their place, so that whatever a plugin or its
 * subprocesses do to them cannot touch the wire. Runs before any plugin code.
 */
export function standardEnds(): { ends: Ends; guard: GuardKind } {
	const moved = moveDescriptors();
	// What remains without ffi: other writers of stdout than the console can then break the wire.
	if (moved === undefined) {
		redirectConsole(["log", "info", "debug", "table", "dir", "trace", "group"]);
		return { ends: { reader: readStream(Bun.stdin.stream()), sink: Bun.stdout.writer() }, guard: "console" };
	}
	const { input, output } = moved;
	const ends = { reader: readStream(Bun.file(input).stream()), sink: Bun.file(output).writer() };
	return { ends, guard: "descriptors" };
}

// From the C headers: the commands differ by platform.
const duplicateCloseOnExec = process.platform === "darwin" ? 67 : 1030;
const libraries = process.platform === "darwin" ? ["libSystem.B.dylib"] : ["libc.so.6", "libc.so"];

function moveDescriptors(): { input: number; output: number } | undefined {
	for (const library of libraries) {
		try {
			const { symbols } = dlopen(library, {
				fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
				dup2: { args: ["i32", "i32"], returns: "i32" },
				open: { args: ["ptr", "i32"], returns: "i32" },
				close: { args: ["i32"], returns: "i32" },
			});
			const empty = symbols.open(ptr(new TextEncoder().encode("/dev/null\0")), 0);
			const input = symbols.fcntl(0, duplicateCloseOnExec, 3);
			const output = symbols.fcntl(1, duplicateCloseOnExec, 3);
			if (empty < 0 || input < 0 || output < 0) return undefined;
			symbols.dup2(empty, 0);
			symbols.dup2(2, 1);
			symbols.close(empty);
			return { input, output };
		} catch {
			// Not this library; the next one, or the fallback.
		}
	}
	return undefined;
}
