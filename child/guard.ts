import { childVariables } from "../runtime/protocol.ts";

/** Hides from the plugin, and from what it starts, how this process was started. */
export function hideLaunch(): void {
	const { env } = process;
	const isProgram = "BUN_BE_BUN" in env || "BUN_OPTIONS" in env;
	delete env.BUN_BE_BUN;
	delete env.BUN_OPTIONS;
	let name: keyof typeof childVariables;
	for (name in childVariables) if (env[name] === childVariables[name]) delete env[name];
	// Bun.spawn without `env` passes the environment of the start, not the current one. node:child_process comes here too.
	for (const name of ["spawn", "spawnSync"] as const) {
		const original = Bun[name] as (...args: unknown[]) => unknown;
		// The property can be set, not redefined.
		Reflect.set(Bun, name, (first: unknown, second?: SpawnGiven | null) => {
			if (Array.isArray(first)) return original(first, { ...second, env: environmentOf(first, second, isProgram) });
			const options = first as SpawnGiven;
			return original({ ...options, env: environmentOf(options.cmd, options, isProgram) });
		});
	}
	// A worker gets that of the start as well.
	globalThis.Worker = new Proxy(Worker, {
		construct: (original, [url, options], made) =>
			Reflect.construct(original, [url, { ...options, env: options?.env ?? env }], made),
	});
}

interface SpawnGiven {
	cmd?: unknown;
	env?: Record<string, string | undefined>;
	ipc?: unknown;
}

/** What a subprocess of the plugin gets as its environment; `isProgram` where this binary is no plain Bun. */
function environmentOf(command: unknown, options: SpawnGiven | null | undefined, isProgram: boolean) {
	const environment = options?.env ?? process.env;
	// fork() runs a file with this binary, which is a whole host here; without this the host would start again.
	const forks = isProgram && options?.ipc !== undefined && Array.isArray(command) && command[0] === process.execPath;
	return forks ? { ...environment, BUN_BE_BUN: "1" } : environment;
}

/** Sends the console to stderr: with a socket, for the order of the lines; without ffi, since stdout is the wire. */
export function redirectConsole(names: ("log" | "info" | "debug" | "table" | "dir" | "trace" | "group")[]): void {
	const { error } = console;
	for (const name of names) {
		console[name] = (...values: unknown[]) => error(...values);
	}
}
