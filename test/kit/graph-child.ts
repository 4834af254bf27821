import { AsyncLocalStorage } from "node:async_hooks";
import { childEntry } from "../../host/backends/child-origin.ts";
import { createLineReader, createTail } from "../../host/backends/output.ts";
import type { ChildProcess, SpawnOptions } from "../../host/backends/process.ts";
import type { ExitFacts } from "../../runtime/errors.ts";
import { type Limits, longestTimerMs } from "../../runtime/limits.ts";
import type { GraphClock } from "./clock.ts";
import { graphBun, graphConsole } from "./graph-globals.ts";
import { graphProcess } from "./graph-process.ts";
import { cacheOf, runChild } from "./graph-runtime.ts";
import { memoryWire } from "./memory-wire.ts";

/**
 * Makes a child of a module graph in this program, which speaks over memory and ends by being disposed: the runtime of a
 * child, the peer and the codecs are those of a process. What it opens ends with it; nothing else is kept apart.
 */
export function startGraph({ launch, limits, line }: SpawnOptions, clock?: GraphClock): ChildProcess {
	// What the host does must not end with the graph, though the graph has caused it.
	const asHost = AsyncLocalStorage.snapshot();
	const exited = Promise.withResolvers<ExitFacts>();
	const output = collectOutput(limits.text, line);
	const program = holdProgram();
	const print = (text: string) => asHost(output.push, text);
	let isOver = false;

	const argv = [process.execPath, childEntry, ...launch.command.slice(-2)];
	const exit = (code: number) => end({ code, signal: null });
	const own = graphProcess({ argv, cwd: launch.cwd, env: { ...launch.env }, print, exit, kill });
	const bun = graphBun(own);
	const timers = clock?.join(bun);
	const graph = new Bun.ModuleGraph({
		globals: { process: own, Bun: bun, console: graphConsole(print), ...timers?.globals },
		onError: (error, kind) => inGraph(() => own.emit(kind, error) || fail(error)),
	});
	const wire = memoryWire(asHost, inGraph);

	/** Runs something as the graph; what ends the graph meanwhile has thrown, so that the code which runs ends too. */
	function inGraph(task: () => unknown): void {
		if (isOver) return;
		try {
			graph.run(task);
		} catch (error) {
			if (!isOver) throw error;
		}
	}

	function end(how: Pick<ExitFacts, "code" | "signal">): void {
		if (isOver) return;
		isOver = true;
		wire.close();
		timers?.leave();
		graph.dispose();
		asHost(async () => {
			await output.end();
			program.end();
			exited.resolve({ ...how, stderrTail: output.tail() });
		});
	}

	function kill(signal: NodeJS.Signals): void {
		if (signal === "SIGKILL" || own.listenerCount(signal) === 0) end({ code: null, signal });
		else inGraph(() => own.emit(signal, signal));
	}

	/** The runtime itself could not begin. */
	function fail(error: unknown): void {
		print(`${Bun.inspect(error)}\n`);
		end({ code: 1, signal: null });
	}

	async function load(): Promise<void> {
		try {
			const printError = (error: unknown) => print(`${typeof error === "string" ? error : Bun.inspect(error)}\n`);
			const findCache = () => cacheOf(graph);
			await runChild(graph, own, { ends: wire.child, import: (url) => graph.import(url), findCache, printError });
		} catch (error) {
			if (!isOver) fail(error);
		}
	}
	void load();
	const { hold, release } = program;
	return { pid: process.pid, wire: wire.host, exited: exited.promise, stderrTail: output.tail, kill, hold, release };
}

function collectOutput({ stderrTailBytesMax, logLineBytesMax }: Limits["text"], line: (text: string) => void) {
	const tail = createTail(stderrTailBytesMax);
	const lines = createLineReader({ bytesMax: logLineBytesMax, line });
	// In order, however long one takes.
	let reading = Promise.resolve();
	return {
		push(text: string): void {
			const bytes = new TextEncoder().encode(text);
			tail.push(bytes);
			reading = reading.then(() => lines.push(bytes));
		},
		tail: tail.text,
		async end(): Promise<void> {
			await reading;
			lines.end();
		},
	};
}

/** Keeps this program from ending by itself, as a process that runs does. */
function holdProgram() {
	let timer: ReturnType<typeof setInterval> | undefined;
	let held = 0;
	let isOver = false;
	const change = (by: number) => {
		held += by;
		clearInterval(timer);
		timer = held > 0 && !isOver ? setInterval(() => {}, longestTimerMs) : undefined;
	};
	return {
		hold: () => change(1),
		release: () => change(-1),
		end() {
			isOver = true;
			change(0);
		},
	};
}
