import { dlopen, ptr } from "bun:ffi";
import type { ByteSink } from "../runtime/channel.ts";
import type { GuardKind } from "../runtime/protocol.ts";

/** The wire, out of the plugin's reach. */
export interface Wire {
	readable: ReadableStream<Uint8Array>;
	sink: ByteSink;
	guard: GuardKind;
}

/**
 * Moves the wire from descriptors 0 and 1 to new ones and leaves an empty stdin and the log in their place, so that
 * whatever a plugin or its subprocesses do to stdin and stdout cannot touch the wire. Runs before any plugin code.
 */
export function guardWire(): Wire {
	const moved = moveDescriptors();
	if (moved === undefined) {
		redirectConsole();
		return { readable: Bun.stdin.stream(), sink: Bun.stdout.writer(), guard: "console" };
	}
	return { readable: Bun.file(moved.input).stream(), sink: Bun.file(moved.output).writer(), guard: "descriptors" };
}

/** Hides from the plugin, and from what it starts, how this process was started. */
export function hideLaunch(): void {
	const hidden = ["BUN_BE_BUN", "BUN_OPTIONS"].filter((name) => process.env[name] !== undefined);
	if (hidden.length === 0) return;
	for (const name of hidden) delete process.env[name];
	// Bun.spawn without `env` passes the environment of the start, not the current one. node:child_process comes here too.
	for (const name of ["spawn", "spawnSync"] as const) {
		const original = Bun[name] as (...args: unknown[]) => unknown;
		// The property can be set, not redefined.
		Reflect.set(Bun, name, (first: unknown, second?: SpawnGiven) => {
			if (Array.isArray(first)) return original(first, { ...second, env: environmentOf(first, second) });
			const options = first as SpawnGiven;
			return original({ ...options, env: environmentOf(options.cmd, options) });
		});
	}
}

interface SpawnGiven {
	cmd?: unknown;
	env?: Record<string, string | undefined>;
	ipc?: unknown;
}

/** What a subprocess of the plugin gets as its environment. */
function environmentOf(command: unknown, options: SpawnGiven = {}): Record<string, string | undefined> {
	const environment = options.env ?? process.env;
	// fork() runs a file with this binary, which is a whole host here; without this the host would start again.
	const forks = options.ipc !== undefined && Array.isArray(command) && command[0] === process.execPath;
	return forks ? { ...environment, BUN_BE_BUN: "1" } : environment;
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

/** What remains without ffi: the console goes to stderr; other writers of stdout can then break the wire. */
function redirectConsole(): void {
	const { error } = console;
	for (const name of ["log", "info", "debug", "table", "dir", "trace", "group"] as const) {
		console[name] = (...values: unknown[]) => error(...values);
	}
}
