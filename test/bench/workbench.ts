import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createEmbedder } from "../process/support/embedder.ts";
import { findNode } from "../process/support/node.ts";
import type { Answer, Order } from "./driver.ts";
import type { OursOptions } from "./peers/ours.ts";
import { trivialPlugin } from "./plugin.ts";

/** Where one suite runs: a folder, the processes that play hosts, and the end of all of it. */
export interface Workbench extends AsyncDisposable {
	readonly folder: string;
	/** Variables for what the bench starts: whatever it caches lies in the folder. */
	readonly environment: Record<string, string | undefined>;
	/** Node, or null where there is only Bun. */
	readonly node: string | null;
	/** Writes that many plugins of three registrations; `.mjs` for Node. */
	plugins(count: number, ending?: ".ts" | ".mjs"): Promise<string[]>;
	/** A process that plays the host of a peer. */
	peer(name: PeerName, options?: DriverOptions): Driver;
	/** A process that plays a host of ours, from the sources of the package or as one binary. */
	ours(form: OursForm, options?: DriverOptions & { host?: OursOptions }): Promise<Driver>;
	/** A process that plays the host of the floor, which is run by the file of our binary. */
	compiledFloor(): Promise<Driver>;
	/** Starts a program that ends with the bench at the latest. */
	program(command: string[]): Program;
	/** Runs a command once; how long that took from its spawn to its end, in milliseconds. @throws Error when it fails */
	time(command: string[]): Promise<number>;
	/** Lets time pass; fails at once when the bench is to end. */
	sleep(ms: number): Promise<void>;
}

export interface DriverOptions {
	/** Keeps it and its children on one core. */
	pinned?: boolean;
}

export type PeerName =
	| "floor"
	| "raw"
	| "own"
	| "own-lines"
	| "concat"
	| "naive"
	| "node"
	| "worker"
	| "ipc"
	| "birpc"
	| "vscode"
	| "mcp";
export type OursForm = "package" | "compiled";

export interface Driver {
	/** @throws Error what went wrong there */
	ask(order: Order): Promise<Answer>;
	/** What the order measured. @throws Error as `ask` does */
	measure(order: Order): Promise<Record<string, number>>;
}

/** A program that says on its stdout what it has come to. */
export interface Program {
	/** Resolves with the next line of this text. @throws Error when it ends without */
	says(line: string): Promise<void>;
	/** Asks it to end; resolves when it has. */
	end(): Promise<void>;
}

/** Opens a bench; once the signal fires, what runs there ends and what is asked of it fails. */
export async function openWorkbench(signal?: AbortSignal): Promise<Workbench> {
	const folder = await mkdtemp(join(tmpdir(), "brood-bench-"));
	const drivers = new Set<Process>();
	const commands = new Set<Bun.Subprocess>();
	const environment = { ...process.env, ...own(folder) };
	let binary: Promise<string> | undefined;

	async function endAll(): Promise<void> {
		for (const command of commands) command.kill("SIGKILL");
		await Promise.all([...drivers].map(end));
		await Promise.all([...commands].map(({ exited }) => exited));
	}

	async function run(command: string[], cwd = folder): Promise<number> {
		const begun = performance.now();
		const child = Bun.spawn(command, { cwd, env: environment, stdio: ["ignore", "ignore", "pipe"] });
		commands.add(child);
		const exitCode = await child.exited;
		const ms = performance.now() - begun;
		commands.delete(child);
		if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}: ${await child.stderr.text()}`);
		return ms;
	}

	function compiled(): Promise<string> {
		binary ??= compile(folder, environment.XDG_CACHE_HOME);
		return binary;
	}

	signal?.addEventListener("abort", () => void endAll());

	function drive(command: string[], { pinned = false }: DriverOptions): Driver {
		const child = Bun.spawn([...(pinned ? pin() : []), ...command], {
			// Neither settings nor plugins of whoever runs this.
			cwd: folder,
			env: environment,
			stdin: "pipe",
			stdout: "pipe",
			stderr: "inherit",
		});
		drivers.add(child);
		return createDriver(child);
	}

	return {
		folder,
		environment,
		node: findNode(),
		plugins: (count, ending = ".ts") => writePlugins(folder, count, ending),
		peer: (name, options = {}) => drive([process.execPath, drivePeer, name], options),
		async ours(form, { host = {}, ...options } = {}) {
			if (form === "package")
				return drive([process.execPath, join(import.meta.dir, "drive-ours.ts"), JSON.stringify(host)], options);
			return drive([await compiled(), JSON.stringify(host)], options);
		},
		compiledFloor: async () => drive([process.execPath, drivePeer, "floor", await compiled()], {}),
		program: (command) => startProgram(command, folder, environment, commands),
		time: run,
		sleep: (ms) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
		async [Symbol.asyncDispose]() {
			await endAll();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

const drivePeer = join(import.meta.dir, "drive-peer.ts");

/** As users have it: with brood from its package, and the build line of the README. */
async function compile(folder: string, cache: string): Promise<string> {
	const outfile = join(folder, "embedder");
	const embedder = await createEmbedder(join(folder, "project"), ["test/bench"]);
	await embedder.compile("test/bench/drive-ours.ts", outfile);
	// What is measured is not the first run on a machine.
	await embedder.fillCache(cache);
	return outfile;
}

/** @param running has it for as long as it runs */
function startProgram(
	command: string[],
	cwd: string,
	env: Workbench["environment"],
	running: Set<Bun.Subprocess>,
): Program {
	const child = Bun.spawn(command, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
	running.add(child);
	void child.exited.then(() => running.delete(child));
	const lines = readLines(child.stdout);
	return {
		async says(line) {
			for (let said = await lines.next(); said.value !== line; said = await lines.next()) {
				if (said.done) throw new Error(`${command.join(" ")} ended and has not said ${line}`);
			}
		},
		async end() {
			child.kill("SIGTERM");
			await child.exited;
		},
	};
}

/** Whether processes can be kept on one core here. */
export function canPin(): boolean {
	return Bun.which("taskset") !== null;
}

/** The last core: the first one gets more of the system's own work. */
function pin(): string[] {
	return ["taskset", "--cpu-list", String(navigator.hardwareConcurrency - 1)];
}

type Process = Bun.Subprocess<"pipe", "pipe", "inherit">;

function createDriver(child: Process): Driver {
	const lines = readLines(child.stdout);

	async function ask(order: Order): Promise<Answer> {
		child.stdin.write(`${JSON.stringify(order)}\n`);
		await child.stdin.flush();
		const { value } = await lines.next();
		if (value === undefined) throw new Error(`the process that plays the host ended during ${order.do}`);
		const answer: Answer = JSON.parse(value);
		if (answer.error !== undefined) throw new Error(answer.error);
		return answer;
	}

	return { ask, measure: async (order) => (await ask(order)).values ?? {} };
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
	const decoder = new TextDecoder();
	let rest = "";
	for await (const chunk of stream) {
		const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
		rest = lines.pop() ?? "";
		yield* lines;
	}
	return undefined;
}

const endMs = 5_000;

/** It ends its children with its input; what does not is killed. */
async function end(child: Process): Promise<void> {
	try {
		await child.stdin.end();
	} catch {
		// It has ended before.
	}
	const timer = setTimeout(() => child.kill("SIGKILL"), endMs);
	await child.exited;
	clearTimeout(timer);
}

function own(folder: string) {
	const at = (name: string) => join(folder, name);
	return {
		XDG_CACHE_HOME: at("cache"),
		XDG_CONFIG_HOME: at("config"),
		XDG_STATE_HOME: at("state"),
		XDG_DATA_HOME: at("data"),
	};
}

async function writePlugins(folder: string, count: number, ending: string): Promise<string[]> {
	const paths = Array.from({ length: count }, (_, at) => join(folder, `plugins-${count}`, `plugin-${at}${ending}`));
	await Promise.all(paths.map((path) => Bun.write(path, trivialPlugin)));
	return paths;
}
