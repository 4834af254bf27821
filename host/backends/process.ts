import { type ExitFacts, failure } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import type { Launch } from "../contracts/services.ts";
import { createLineReader, createTail } from "./output.ts";
import { type OutputSocket, openOutputSocket } from "./output-socket.ts";
import type { Watchdog } from "./watchdog.ts";

/** A process in a group of its own, with its output collected. */
export interface ChildProcess {
	readonly pid: number;
	readonly stdout: ReadableStream<Uint8Array>;
	readonly stdin: Bun.FileSink;
	/** Resolves once with how it ended, the end of its stderr included. */
	readonly exited: Promise<ExitFacts>;
	/** Signals the whole group; nothing happens when it has ended. */
	kill(signal: NodeJS.Signals): void;
	/** Keeps this program from ending by itself until released; may be held several times. */
	hold(): void;
	release(): void;
}

export interface SpawnOptions {
	plugin: string;
	launch: Launch;
	limits: Limits;
	watchdog: Watchdog;
	/** Each line that it prints; the last one may come without its end. */
	line(text: string): void;
}

/** Spawns the process. @throws BroodError `launch_failed` with the reason of the system */
export function spawnChild({ plugin, launch, limits, watchdog, line }: SpawnOptions): ChildProcess {
	const { child, outputs, stdout, stderr } = spawn(plugin, launch);
	const tail = createTail(limits.text.stderrTailBytesMax);
	const lines = createLineReader({ bytesMax: limits.text.logLineBytesMax, line });
	const { drained, giveUp } = readOutput(stderr, (chunk) => {
		tail.push(chunk);
		lines.push(chunk);
	});
	watchdog.watch(child.pid);
	let held = 1;

	async function exit(): Promise<ExitFacts> {
		await child.exited;
		// What the plugin started belongs to it and ends with it.
		signalGroup(child.pid, "SIGKILL");
		watchdog.forget(child.pid);
		// A subprocess that left the group may hold the pipe open for ever.
		await Promise.race([drained, Bun.sleep(limits.load.exitDrainMs)]);
		giveUp();
		lines.end();
		const signal = child.signalCode === null ? null : String(child.signalCode);
		return { code: child.exitCode, signal, stderrTail: tail.text() };
	}

	return {
		pid: child.pid,
		stdout,
		stdin: child.stdin,
		exited: exit(),
		kill: (signal) => signalGroup(child.pid, signal),
		hold() {
			held += 1;
			child.ref();
			for (const output of outputs) output?.hold(true);
		},
		release() {
			held -= 1;
			if (held > 0) return;
			child.unref();
			for (const output of outputs) output?.hold(false);
		},
	};
}

/** Sends a signal to a process group; a group that is gone is what was wanted. */
export function signalGroup(group: number, signal: NodeJS.Signals): void {
	try {
		process.kill(-group, signal);
	} catch {
		// No such group any more.
	}
}

function spawn(plugin: string, { command, cwd, env }: Launch) {
	const outputs = [openOutputSocket(), openOutputSocket()];
	const [stdout = "pipe", stderr = "pipe"] = outputs.map((output) => output?.childEnd);
	try {
		const child = Bun.spawn(command, { stdin: "pipe", stdout, stderr, cwd, env, detached: true });
		const [own, errors] = outputs;
		return { child, outputs, stdout: readableOf(own, child.stdout), stderr: readableOf(errors, child.stderr) };
	} catch (error) {
		for (const output of outputs) void output?.readable.cancel();
		const reason = error instanceof Error ? error.message : String(error);
		throw failure("launch_failed", {
			plugin,
			stage: "spawn",
			reason,
			hint: `Check that ${command[0]} can be run and that the folder ${cwd} exists.`,
			cause: error,
		});
	} finally {
		for (const output of outputs) output?.closeChildEnd();
	}
}

function readableOf(output: OutputSocket | undefined, piped: ReadableStream<Uint8Array> | number | undefined) {
	if (output !== undefined) return output.readable;
	if (typeof piped === "object") return piped;
	throw new TypeError("a pipe of the child cannot be read");
}

function readOutput(stream: ReadableStream<Uint8Array>, push: (chunk: Uint8Array) => void) {
	const reader = stream.getReader();
	async function read(): Promise<void> {
		try {
			for (;;) {
				const { done, value } = await reader.read();
				if (done) return;
				push(value);
			}
		} catch {
			// The stream of a process that was killed may end with an error; its exit tells the rest.
		}
	}
	return { drained: read(), giveUp: () => void reader.cancel().catch(() => {}) };
}
