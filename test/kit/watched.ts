import { statSync } from "node:fs";

/**
 * Lets `bun test --watch` run the tests again when a plugin changes that runs in a process of its own, as it does for what
 * it has loaded itself. Bun does not tell whether it watches, so that this is done in any case, once for each plugin, while
 * its process starts; to name a file takes Bun a twentieth of a millisecond.
 *
 * @param path of the plugin's file
 * @returns a promise for a test that ends before: Bun has done all that it does when the last one has ended
 */
export function watch(path: string): Promise<void> {
	const watching = known.get(path) ?? nameAll(path);
	known.set(path, watching);
	return watching;
}

const known = new Map<string, Promise<void>>();
/** No test has begun before: this loads with the file of the first that uses the kit. */
const begunMs = Date.now();

async function nameAll(path: string): Promise<void> {
	try {
		// At once, so that no change of it is missed.
		await nameOne(path);
		const { scanModules } = await import("../../host/base/scan-modules.ts");
		for (const file of await scanModules({ path })) if (file !== path) await nameOne(file);
	} catch {
		// It has gone: the tests tell more.
	}
}

async function nameOne(file: string): Promise<void> {
	if (isSource(file)) await import(file, { with: { type: "file" } });
}

/** Whether it was there before the tests: what one writes itself must not make them run again, without end. */
function isSource(file: string): boolean {
	const facts = statSync(file, { throwIfNoEntry: false });
	return facts !== undefined && facts.mtimeMs < begunMs;
}
