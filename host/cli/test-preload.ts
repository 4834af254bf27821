import { resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };

// Runs in bun test, before the tests: what they import of brood is that of the command which runs them, also where no
// package lies.
const root = resolve(import.meta.dir, "../..");

Bun.plugin({
	name: "brood",
	setup(build) {
		for (const [name, path] of entries()) {
			build.module(name, async () => ({ exports: await import(resolve(root, path)), loader: "object" }));
		}
	},
});

/** The modules of the package, and Amp's name for one of them. */
function entries(): [name: string, path: string][] {
	const own = Object.entries(manifest.exports).flatMap(([key, target]): [string, string][] =>
		typeof target === "object" ? [[`brood${key.slice(1)}`, target.bun]] : [],
	);
	return own.flatMap(([name, path]) =>
		name === "brood/plugin"
			? [
					[name, path],
					["@ampcode/plugin", path],
				]
			: [[name, path]],
	);
}
