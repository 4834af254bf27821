import { join } from "node:path";
import type { Bench } from "./host.ts";

/** A program with a host in it, as a process of its own. */
export interface Program {
	pid: number;
	/** The processes of its plugins. */
	plugins: number[];
	/** Waits for a line that it prints. */
	prints(text: string): Promise<string>;
	signal(name: NodeJS.Signals): void;
	/** How it ended. */
	ended: Promise<{ code: number | null; signal: string | null }>;
	/** All that it has printed. */
	output(): string;
}

const script = join(import.meta.dir, "../../fixtures/core/host-program.ts");

/** Starts the program with plugins, which are written first; resolves when they are loaded. */
export async function startProgram(bench: Bench, plugins: Record<string, string>, then: string): Promise<Program> {
	const [folder = ""] = Object.entries(plugins).map(([name, source]) => join(bench.write(name, source), ".."));
	const child = Bun.spawn([process.execPath, script, folder, then], {
		stdin: "ignore",
		stdout: "pipe",
		stderr: "pipe",
	});
	const decoder = new TextDecoder();
	let output = "";
	let arrived = Promise.withResolvers<void>();
	const read = async (stream: ReadableStream<Uint8Array>) => {
		for await (const chunk of stream) {
			output += decoder.decode(chunk, { stream: true });
			arrived.resolve();
			arrived = Promise.withResolvers();
		}
	};
	const drained = Promise.all([read(child.stdout), read(child.stderr)]);

	async function prints(text: string): Promise<string> {
		for (;;) {
			const line = output
				.split("\n")
				.slice(0, -1)
				.find((candidate) => candidate.includes(text));
			if (line !== undefined) return line;
			if (child.exitCode !== null) throw new Error(`The program ended before it printed ${text}:\n${output}`);
			await Promise.race([arrived.promise, child.exited]);
		}
	}

	const { pids } = JSON.parse(await prints('{"pids":')) as { pids: number[] };
	for (const pid of pids) bench.watch(pid);
	return {
		pid: child.pid,
		plugins: pids,
		prints,
		signal: (name) => child.kill(name),
		ended: Promise.all([child.exited, drained]).then(() => {
			return { code: child.exitCode, signal: child.signalCode === null ? null : String(child.signalCode) };
		}),
		output: () => output,
	};
}
