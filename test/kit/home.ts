import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheHome } from "../../host/backends/bundle-recall.ts";

/** A place for the home of one plugin. As with a new user, nothing is there until the plugin writes something. */
export function newHome(): string {
	return join(tmpdir(), `brood-test-${Bun.randomUUIDv7()}`);
}

/** The environment of a plugin: that of this program, but for where the user's files lie. */
export function environmentIn(home: string, own: Record<string, string> = {}): Record<string, string> {
	const places = ["config", "data", "state", "cache"].map((kind) => [
		`XDG_${kind.toUpperCase()}_HOME`,
		join(home, kind),
	]);
	const inherited = process.env as Record<string, string>;
	// What Bun keeps of large files it would otherwise lay there, also for a process that waits and never gets a plugin.
	const cache = cacheHome(inherited);
	const bunCache = cache === undefined ? "0" : join(cache, "bun/@t@");
	return { BUN_RUNTIME_TRANSPILER_CACHE_PATH: bunCache, ...inherited, ...Object.fromEntries(places), ...own };
}

export function removeHome(home: string): void {
	rmSync(home, { recursive: true, force: true });
}
