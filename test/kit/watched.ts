import { statSync } from "node:fs";
import { systemClock } from "../../host/base/clock.ts";

/**
 * Lets `bun test --watch` run the tests again when a plugin changes that runs in a process of its own, as it does for what
 * it has loaded itself. Bun does not tell whether it watches, so that this is done in any case, once for each plugin, after
 * the first calls of a test; to name a file takes Bun a twentieth of a millisecond.
 *
 * @param path of the plugin
 * @returns does it at once, for a test that ends before: Bun has done all that it does when the last one has ended
 */
export function watchSoon(path: string): () => Promise<void> {
	const now = () => {
		const watching = known.get(path) ?? watch(path);
		known.set(path, watching);
		return watching;
	};
	systemClock.after(quietMs, now);
	return now;
}

const known = new Map<string, Promise<void>>();
const quietMs = 20;

async function watch(path: string): Promise<void> {
	try {
		const { scanModules } = await import("../../host/base/scan-modules.ts");
		for (const file of await scanModules({ path })) if (isSource(file)) await import(file, { with: { type: "file" } });
	} catch {
		// It has gone: the tests tell more.
	}
}

/** Whether it was there before this program: what a test writes itself must not make it run again, without end. */
function isSource(file: string): boolean {
	const facts = statSync(file, { throwIfNoEntry: false });
	return facts !== undefined && facts.mtimeMs < performance.timeOrigin;
}
