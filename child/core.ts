import { startChild } from "./main.ts";
import type { RestOfRuntime } from "./session.ts";

/**
 * Settles some time after the plugin is ready, or has failed to load. Bun collects garbage as soon as the program that it
 * runs is loaded, which takes as long as a third of a start: until then other children that start have the processor.
 */
export const loaded: Promise<void> = startChild(restOfRuntime)
	.then(() => sleep(quietMs))
	.then(keepRest);

const quietMs = 1_000;

/** What is to be loaded. It lies in a cache, which somebody may empty before that; a mapping outlives it, and costs no memory. */
let kept: Uint8Array | undefined;
let isLoaded = false;

// Kept, since a plugin may replace them.
const { eval: evaluate, TextDecoder: Decoder } = globalThis;
const { file, main, mmap, sleep } = Bun;
const restFile = `${main.slice(0, main.lastIndexOf("/"))}/rest.js`;

function keepRest(): void {
	if (isLoaded) return;
	try {
		kept = mmap(restFile, { shared: false });
	} catch {
		// It has gone already, which is told when it is needed.
	}
}

/** One module, so that a bundle has one part that is there from the start and one that is loaded when it is needed. */
function restOfRuntime(): RestOfRuntime {
	isLoaded = true;
	try {
		return require("./rest.ts") as RestOfRuntime;
	} catch (error) {
		// What was overwritten cannot be read by its mapping either.
		if (kept === undefined || file(restFile).size > 0) throw error;
		const module = { exports: {} };
		evaluate(new Decoder().decode(kept))(module.exports, require, module);
		return module.exports as RestOfRuntime;
	}
}
