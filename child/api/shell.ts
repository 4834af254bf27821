import { limits } from "../../runtime/limits.ts";
import type { Shell, ShellResult } from "../types/common.ts";
import { openPipe, type Pipe } from "./shell-pipe.ts";
import { shellCommand } from "./shell-quote.ts";

/**
 * Makes `amp.$`: runs a command with `/bin/sh` in a folder, with the current environment and an empty stdin.
 *
 * The text between the values is what `sh` reads, backslashes included. Values are quoted for the place they stand in;
 * an array gives several words. The promise resolves whatever the exit code; a command killed by signal n has 128 + n.
 * What a command leaves running in the background does not hold the result up, and its later output is discarded.
 *
 * It rejects with a TypeError for a value that is undefined, null, a function or an object without a text of its own,
 * for text with a NUL character, and for a place where no quoting is safe; with a system error when the folder is gone.
 */
export function createShell(cwd: string): Shell {
	return async (strings, ...values) => {
		if (!Array.isArray(strings?.raw)) throw new TypeError("amp.$ is a template tag: write amp.$`command`");
		return run(shellCommand(strings.raw, values), cwd);
	};
}

async function run(command: string, cwd: string): Promise<ShellResult> {
	const pipes = [openPipe(), openPipe()] as const;
	const subprocess = spawn(command, cwd, pipes);
	const stdout = collect(subprocess.stdout, pipes[0]);
	const stderr = collect(subprocess.stderr, pipes[1]);
	const exitCode = await subprocess.exited;
	await drain([stdout, stderr]);
	return { exitCode, stdout: stdout.take(), stderr: stderr.take() };
}

function spawn(command: string, cwd: string, [stdout, stderr]: readonly [Pipe | undefined, Pipe | undefined]) {
	try {
		return Bun.spawn({
			...script(command),
			cwd,
			env: process.env,
			stdout: stdout?.writeEnd ?? "pipe",
			stderr: stderr?.writeEnd ?? "pipe",
		});
	} catch (error) {
		stdout?.closeReader();
		stderr?.closeReader();
		throw error;
	} finally {
		stdout?.closeWriter();
		stderr?.closeWriter();
	}
}

// Linux takes 128 KiB in one argument, the final NUL included.
const argumentBytesMax = 128 * 1024 - 1;

/** How the shell gets its script: as an argument where it fits, else on stdin, from which the script itself reads nothing. */
function script(command: string): { cmd: string[]; stdin: "ignore" | Uint8Array } {
	const bytes = new TextEncoder().encode(command);
	if (bytes.length > argumentBytesMax) {
		return { cmd: ["/bin/sh", "-c", 'eval "$(cat)" </dev/null'], stdin: bytes };
	}
	// A script that begins with a dash would be read as options.
	return { cmd: ["/bin/sh", "-c", /^[-+]/.test(command) ? ` ${command}` : command], stdin: "ignore" };
}

interface Output {
	/** Settles at the end of the output, which a background process can put off for ever. */
	ended: Promise<void>;
	/** Chunks so far. */
	count(): number;
	/** The text so far; what comes later is discarded, so that a background process can go on writing. */
	take(): string;
}

function collect(own: ReadableStream<Uint8Array> | number | undefined, pipe: Pipe | undefined): Output {
	const stream = pipe?.stream() ?? own;
	let chunks: Uint8Array[] | undefined = [];
	let count = 0;
	const read = async (readable: ReadableStream<Uint8Array>) => {
		for await (const chunk of readable) {
			count += 1;
			chunks?.push(chunk);
		}
	};
	// A pipe that breaks has said all it will say.
	const ended = stream instanceof ReadableStream ? read(stream).catch(() => {}) : Promise.resolve();
	pipe?.closeReader();
	return {
		ended,
		count: () => count,
		take() {
			const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(Bun.concatArrayBuffers(chunks ?? []));
			chunks = undefined;
			return text;
		},
	};
}

const turnMs = 10;
const quietTurns = 2;

/**
 * Waits for what the command wrote before it ended. Only a background process keeps an output open after that: then the
 * wait ends when two turns brought nothing. Turns are counted, not time, so that a blocked loop cuts nothing off.
 */
async function drain(outputs: Output[]): Promise<void> {
	const ended = Promise.all(outputs.map((output) => output.ended)).then(() => true);
	const count = () => outputs.reduce((sum, output) => sum + output.count(), 0);
	let quiet = 0;
	for (let turn = 0; turn < limits.load.exitDrainMs / turnMs && quiet < quietTurns; turn += 1) {
		const before = count();
		if (await Promise.race([ended, Bun.sleep(turnMs)])) return;
		quiet = count() === before ? quiet + 1 : 0;
	}
}
