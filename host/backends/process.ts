import { type ExitFacts, failure, messageOf } from "../../runtime/errors.ts";
import { type Limits, longestTimerMs } from "../../runtime/limits.ts";
import type { ByteWire } from "../../runtime/wire.ts";
import { socketWire } from "../../runtime/wire-socket.ts";
import { streamWire } from "../../runtime/wire-stream.ts";
import type { Launch } from "../contracts/services.ts";
import { createLineReader, createTail } from "./output.ts";
import type { Watchdog } from "./watchdog.ts";

/** A process in a group of its own, with its output collected. */
export interface ChildProcess {
	readonly pid: number;
	readonly wire: ByteWire;
	/** Resolves once with how it ended, the end of its output included. */
	readonly exited: Promise<ExitFacts>;
	/** The end of what it has printed so far. */
	stderrTail(): string;
	/** Signals the whole group; nothing happens when it has ended, also when another process has its number by then. */
	kill(signal: NodeJS.Signals): void;
	/** Keeps this program from ending by itself until released; may be held several times, once its output is read. */
	hold(): void;
	release(): void;
}

export interface SpawnOptions {
	/** Whose it is; nobody's yet when absent. */
	plugin?: string | undefined;
	launch: Launch;
	limits: Limits;
	watchdog: Watchdog;
	/** Each line that it prints; the last one may come without its end. */
	line(text: string): void;
}

/** Spawns the process. @throws BroodError `launch_failed` with the reason of the system */
export function spawnChild({ plugin, launch, limits, watchdog, line }: SpawnOptions): ChildProcess {
	const { child, wire, outputs } = spawn(plugin, launch);
	const { stderrTailBytesMax, logLineBytesMax, exitDrainMs } = spawnLimitsOf(limits);
	const tail = createTail(stderrTailBytesMax);
	const readers = outputs.map((output) => {
		const lines = createLineReader({ bytesMax: logLineBytesMax, line });
		const drained = readOutput(output, (chunk) => {
			tail.push(chunk);
			return lines.push(chunk);
		});
		return { lines, drained };
	});
	watchdog.watch(child.pid);
	let held = 0;
	let ended = false;

	async function exit(): Promise<ExitFacts> {
		await child.exited;
		// What the plugin started belongs to it and ends with it.
		signalGroup(child.pid, "SIGKILL");
		ended = true;
		watchdog.forget(child.pid);
		// A subprocess that left the group may hold the pipe open for ever.
		await within(Promise.all(readers.map(({ drained }) => drained)), exitDrainMs);
		for (const { lines } of readers) lines.end();
		const signal = child.signalCode === null ? null : String(child.signalCode);
		return { code: child.exitCode, signal, stderrTail: tail.text() };
	}

	return {
		pid: child.pid,
		wire,
		exited: exit(),
		stderrTail: tail.text,
		kill(signal) {
			if (!ended) signalGroup(child.pid, signal);
		},
		hold() {
			held += 1;
			if (held === 1) child.ref();
		},
		release() {
			held -= 1;
			if (held === 0) child.unref();
		},
	};
}

/** The limits that a process keeps from its spawn on, whoever it is given to. */
export function spawnLimitsOf({ text, load }: Limits) {
	const { stderrTailBytesMax, logLineBytesMax } = text;
	return { stderrTailBytesMax, logLineBytesMax, exitDrainMs: load.exitDrainMs };
}

/**
 * Pipes that are first touched while their child is held hold this program for good; ref and unref after that act on
 * the child alone, and the wire must not hold anything either.
 */
function letGo<Child extends Bun.Subprocess>(child: Child): Child {
	child.unref();
	return child;
}

interface Spawned {
	child: Bun.Subprocess;
	wire: ByteWire;
	/** What it prints, each pipe with lines of its own. */
	outputs: ReadableStream<Uint8Array>[];
}

/**
 * Waits for something that may still come through a pipe, but no longer than that; a program that was busy meanwhile has
 * yet to read it. Nothing is left behind that would hold this program.
 */
export async function within(event: Promise<unknown>, ms: number): Promise<void> {
	// The platform would take such a time for none.
	if (!(ms <= longestTimerMs)) return void (await event);
	const { promise, resolve } = Promise.withResolvers<void>();
	const timer = setTimeout(() => setImmediate(resolve), ms);
	try {
		await Promise.race([event, promise]);
	} finally {
		clearTimeout(timer);
	}
}

/** Sends a signal to a process group; a group that is gone is what was wanted. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
	try {
		process.kill(-group, signal);
	} catch {
		// No such group any more.
	}
}

function spawn(plugin: string | undefined, { command, cwd, env, wire }: Launch): Spawned {
	const options = { cwd, env, detached: true };
	try {
		if (wire === "stdio") {
			const child = letGo(Bun.spawn(command, { ...options, stdio: ["pipe", "pipe", "pipe"] }));
			return { child, wire: streamWire(child.stdout, child.stdin), outputs: [child.stderr] };
		}
		const child = letGo(Bun.spawn(command, { ...options, stdio: ["ignore", "pipe", "pipe", "socket-fd"] }));
		return { child, wire: socketWire(child.stdio[3] ?? -1, false), outputs: [child.stdout, child.stderr] };
	} catch (error) {
		const reason = messageOf(error);
		throw failure("launch_failed", {
			...(plugin === undefined ? {} : { plugin }),
			stage: "spawn",
			reason,
			hint: `Check that ${command[0]} can be run and that the folder ${cwd} exists.`,
			cause: error,
		});
	}
}

async function readOutput(
	stream: ReadableStream<Uint8Array>,
	push: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
	try {
		for await (const chunk of stream) await push(chunk);
	} catch {
		// The stream of a process that was killed may end with an error; its exit tells the rest.
	}
}
