import { afterAll, afterEach, beforeAll, beforeEach, setDefaultTimeout } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signalGroup } from "../../../host/backends/process.ts";
import type { Errand } from "../../fixtures/ends/host.ts";
import { cacheOf, type Form } from "../launch-support.ts";
import { createEmbedder } from "../support/embedder.ts";
import { groupEnds, processLives, survivorsOf } from "../support/processes.ts";

const root = join(import.meta.dir, "../../..");
const file = "test/fixtures/ends/host.ts";
const program = join(root, file);

export type Wish = Partial<Omit<Errand, "form" | "plugins" | "childSource">> & Pick<Errand, "end">;

export interface StartOptions {
	/** Runs it in a terminal of its own. */
	terminal?: boolean;
	env?: Record<string, string | undefined>;
}

/** A program with a host in it. */
export interface EndingProgram {
	pid: number;
	/** What the plugins had started when all had told of it, and the processes of the plugins and the watchdog. */
	settled(): Promise<{ pids: number[]; alive: number; children: number[] }>;
	/** Waits until a text is printed; gives the first line that holds it. */
	prints(text: string): Promise<string>;
	signal(name: NodeJS.Signals, to?: "program" | "group"): void;
	terminal: Bun.Terminal | undefined;
	ended: Promise<{ code: number | null; signal: string | null }>;
	output(): string;
}

/** Where programs with a host are built once and run; must be called at the top of a test file. */
export function createEndsBench({ compiles = true } = {}) {
	setDefaultTimeout(20_000);
	const builds = realpathSync(mkdtempSync(join(tmpdir(), "brood-ends-")));
	const binary = join(builds, "host");
	const childSource = join(builds, "child.js");
	const cache = join(builds, "cache");
	const started = new Set<ReturnType<typeof Bun.spawn>>();
	let folder = "";
	let runs = 0;

	beforeAll(async () => {
		if (!compiles) return;
		const files = ["test/fixtures/ends", "test/process/support/processes.ts"];
		const embedder = await createEmbedder(join(builds, "project"), files);
		await Promise.all([embedder.compile(file, binary), embedder.fillCache(cache), bundle(childSource)]);
	}, 60_000);
	afterAll(() => rmSync(builds, { recursive: true, force: true }));
	beforeEach(() => {
		folder = join(builds, `test-${++runs}`);
		mkdirSync(folder);
	});
	afterEach(async () => {
		for (const child of started) {
			if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
			await child.exited;
			child.terminal?.close();
		}
		started.clear();
	});

	return {
		/** A new folder of plugins, by file name without `.ts`. */
		write(plugins: Record<string, string>): string {
			const place = join(folder, `plugins-${++runs}`);
			mkdirSync(place);
			for (const [name, source] of Object.entries(plugins)) writeFileSync(join(place, `${name}.ts`), source);
			return place;
		},
		path: (name: string) => join(folder, name),
		/** The lines that plugins have written to a file. */
		notes(name: string): string[] {
			const file = join(folder, name);
			return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
		},
		start(form: Form, plugins: string, wish: Wish, { terminal, env }: StartOptions = {}): EndingProgram {
			const errand: Errand = { form, plugins, childSource, announcements: 0, ...wish };
			const command = [...(form === "source" ? [process.execPath, program] : [binary]), JSON.stringify(errand)];
			const variables = { ...process.env, NO_COLOR: "1", ...cacheOf(form, cache), ...env };
			return open(command, { cwd: folder, env: variables }, terminal, started);
		},
	};
}

/** Waits a second at most for processes, and the groups that they lead, to end; tells which live on, and kills them. */
export async function outlive(pids: readonly number[]): Promise<number[]> {
	const groups = Promise.all(pids.map(async (pid) => ((await groupEnds(pid)) ? [] : [pid])));
	const left = [...new Set([...(await survivorsOf([...pids])), ...(await groups).flat()])];
	for (const pid of left) {
		signalGroup(pid, "SIGKILL");
		if (processLives(pid)) process.kill(pid, "SIGKILL");
	}
	return left;
}

function open(
	command: string[],
	options: { cwd: string; env: Record<string, string | undefined> },
	inTerminal: boolean | undefined,
	started: Set<ReturnType<typeof Bun.spawn>>,
): EndingProgram {
	const decoder = new TextDecoder();
	let output = "";
	let arrived = Promise.withResolvers<void>();
	const hear = (chunk: Uint8Array) => {
		output += decoder.decode(chunk, { stream: true });
		arrived.resolve();
		arrived = Promise.withResolvers();
	};
	const read = async (stream: ReadableStream<Uint8Array> | undefined) => {
		for await (const chunk of stream ?? []) hear(chunk);
	};
	// Without a terminal it leads a group of its own, as it would as a job of a shell.
	const child = inTerminal
		? Bun.spawn(command, { ...options, terminal: { cols: 200, rows: 40, data: (_, data) => hear(data) } })
		: Bun.spawn(command, { ...options, stdin: "ignore", stdout: "pipe", stderr: "pipe", detached: true });
	started.add(child);
	const drained = inTerminal
		? Promise.resolve([])
		: Promise.all([read(child.stdout as ReadableStream), read(child.stderr as ReadableStream)]);
	const ended = Promise.all([child.exited, drained]).then(() => ({
		code: child.exitCode,
		signal: child.signalCode === null ? null : String(child.signalCode),
	}));

	async function prints(text: string): Promise<string> {
		for (;;) {
			const lines = output.replaceAll("\r", "").split("\n");
			const found = lines.find((line) => line.includes(text));
			if (found !== undefined) return found;
			const over = ended.then(() => true);
			if (await Promise.race([arrived.promise, over])) {
				if (output.includes(text)) continue;
				throw new Error(`The program ended before it printed ${text}:\n${output}`);
			}
		}
	}

	return {
		pid: child.pid,
		settled: async () => JSON.parse(await prints('"settled"')).settled,
		prints,
		signal(name, to = "program") {
			process.kill(to === "group" ? -child.pid : child.pid, name);
		},
		terminal: child.terminal,
		ended,
		output: () => output,
	};
}

async function bundle(path: string): Promise<void> {
	const built = await Bun.build({ entrypoints: [join(root, "child/entry.ts")], target: "bun", minify: true });
	for (const output of built.outputs) await Bun.write(path, output);
}
