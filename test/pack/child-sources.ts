import { join, relative } from "node:path";
import type { CarriedChild } from "../../runtime/installed-child.ts";

/**
 * Writes what a compiled program carries of the child: its sources, and all else that decides about its bundle.
 *
 * @param root where brood lies
 * @param dist the folder of the package for what was built
 */
export async function writeChildSources(root: string, dist: string): Promise<CarriedChild> {
	const text = await childSources(root);
	const sources = join(dist, "child.sources");
	const print = new Bun.CryptoHasher("sha1").update(text).digest("hex").slice(0, 16);
	await Bun.write(sources, text);
	await Bun.write(join(dist, "child-print.json"), JSON.stringify({ print }));
	return { sources, print };
}

async function childSources(root: string): Promise<string> {
	const entrypoints = ["core", "rest"].map((name) => join(root, `child/${name}.ts`));
	const { metafile } = await Bun.build({ entrypoints, target: "bun", metafile: true });
	const sources = Object.keys(metafile?.inputs ?? {}).map((path) => relative(root, join(process.cwd(), path)));
	// A changed way of bundling makes another bundle as well.
	const paths = ["child/entry.ts", ...sources, "host/backends/child-build.ts"].sort();
	const texts = await Promise.all(paths.map(async (path) => [path, await Bun.file(join(root, path)).text()] as const));
	const { type, sideEffects } = await Bun.file(join(root, "package.json")).json();
	return JSON.stringify({
		...Object.fromEntries(texts),
		"package.json": JSON.stringify({ type, sideEffects }),
		// What lies above it must not act.
		"tsconfig.json": "{}",
	});
}
