import { readLaunch } from "./launch.ts";
import type { Ends } from "./line.ts";
import { loadPlugin } from "./load.ts";
import { createSession, restOfRuntime } from "./main.ts";

/** A child that is no process but a module graph, as the global names of its context tell: `process` is its own. */
export interface GraphChild {
	ends: Ends;
	/** Loads a module into the graph. */
	import(url: string): Promise<unknown>;
	/** Finds what the modules of the graph are cached in. */
	findCache(): Promise<object>;
	printError: typeof console.error;
}

/** Makes the graph in whose context this runs the child of one plugin. Settles as `startChild` does. */
export function startInGraph({ ends, import: load, findCache, printError }: GraphChild): Promise<void> {
	const original = { exit: process.exit, printError };
	const session = createSession(ends, original, restOfRuntime);
	session.import = load;
	session.findCache = findCache;
	return loadPlugin(session, readLaunch(process.argv)).catch((error) => session.rest().failed(error));
}
