import { AsyncLocalStorage } from "node:async_hooks";
import type { GraphChild } from "../../child/graph.ts";
import { childEntry } from "../../host/backends/child-origin.ts";

type Entry = typeof import("../../child/graph.ts");

let runtime: Promise<Entry> | undefined;
/** The `process` of each graph, for the runtime that all of them share. */
const processes = new WeakMap<Bun.ModuleGraph, NodeJS.Process>();

/** Makes a graph the child of one plugin, whose `process` this is. Settles when that is ready, or has failed to load. */
export async function runChild(graph: Bun.ModuleGraph, own: NodeJS.Process, child: GraphChild): Promise<void> {
	processes.set(graph, own);
	runtime ??= loadRuntime();
	const { startInGraph } = await runtime;
	await graph.run(startInGraph, child);
}

/** What the modules of a graph are cached in, which code of the graph alone can tell. */
export async function cacheOf(graph: Bun.ModuleGraph): Promise<object> {
	const { cache } = await graph.import<typeof import("../../child/graph-cache.ts")>(cacheModule);
	return cache;
}

/**
 * The runtime of a child takes many times as long to load as a plugin. It keeps what it knows in its sessions, so that one
 * serves all graphs: in a graph of its own, whose `process` is that of the graph in whose context it runs.
 */
function loadRuntime(): Promise<Entry> {
	const asHost = AsyncLocalStorage.snapshot();
	const bun: typeof Bun = Object.create(Bun, { main: { value: childEntry } });
	const graph = new Bun.ModuleGraph({
		globals: {
			process: currentProcess,
			Bun: bun,
			// What it has begun for all must not end with the graph that it ran in.
			setImmediate: (callback: (...given: unknown[]) => void, ...given: unknown[]) => {
				const inContext = AsyncLocalStorage.snapshot();
				return asHost(() => setImmediate(() => inContext(callback, ...given)));
			},
		},
	});
	return graph.import<Entry>(graphEntry);
}

const currentProcess: NodeJS.Process = new Proxy(process, {
	get: (_, name) => Reflect.get(ownProcess(), name),
	set: (_, name, value) => Reflect.set(ownProcess(), name, value),
	has: (_, name) => Reflect.has(ownProcess(), name),
});

function ownProcess(): NodeJS.Process {
	const graph = Bun.ModuleGraph.current;
	return (graph && processes.get(graph)) ?? process;
}

const graphEntry = Bun.fileURLToPath(new URL("../../child/graph.ts", import.meta.url));
const cacheModule = Bun.fileURLToPath(new URL("../../child/graph-cache.ts", import.meta.url));
