import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Bundles the child into a folder, with bytecode: a core that is there from the start, and the rest, which is loaded when
 * it is needed for the first time.
 *
 * @param entry the source `child/entry.ts`
 * @returns the names of the files; the first one is run
 * @throws AggregateError what does not bundle
 */
export async function buildChild(entry: string, folder: string): Promise<string[]> {
	const child = dirname(entry);
	await buildPart(child, "core", folder);
	await buildPart(child, "rest", folder);
	// What a child runs first holds Bun's loading of the program until the plugin is ready: as soon as that is over, Bun
	// collects garbage, which takes a quarter of the time of a start.
	await Bun.write(join(folder, "entry.js"), '// @bun\nimport { loaded } from "./core.js";\nawait loaded;\n');
	await Bun.write(join(folder, "rehearsed.ts"), rehearsedPlugin);
	return ["entry.js", "core.js", "core.js.jsc", "rest.js", "rest.js.jsc", "rehearsed.ts"];
}

/** What a child that waits for its plugin loads meanwhile, so that Bun has translated a module before. */
const rehearsedPlugin = "const nothing: number = 0;\nexport default (): void => void nothing;\n";

/**
 * Bundles the child from what a program carries inside.
 *
 * @param path a file of JSON: texts by their paths in the package
 * @throws Error as `buildChild` does, or when the folder cannot be written
 */
export async function buildCarriedChild(path: string, folder: string): Promise<string[]> {
	const texts: Record<string, string> = await Bun.file(path).json();
	const place = join(folder, "sources");
	await Promise.all(Object.entries(texts).map(([name, text]) => Bun.write(join(place, name), text)));
	const names = await buildChild(join(place, "child/entry.ts"), folder);
	await rm(place, { recursive: true });
	return names;
}

/** Bundles one of the two parts, `core` without the `rest`. @throws AggregateError what does not bundle */
export async function buildPart(child: string, name: string, folder: string): Promise<Bun.BuildOutput> {
	const built = await Bun.build({
		entrypoints: [join(child, `${name}.ts`)],
		outdir: folder,
		target: "bun",
		format: "cjs",
		bytecode: true,
		minify: true,
		metafile: true,
		plugins: [partedAt("rest")],
	});
	if (!built.success) throw new AggregateError(built.logs, "the child was not bundled");
	return built;
}

/** Leaves a module out of a bundle, to be loaded from the file beside it. */
function partedAt(name: string): Bun.BunPlugin {
	return {
		name: "parts",
		setup(builder) {
			builder.onResolve({ filter: new RegExp(`/${name}\\.ts$`) }, ({ kind }) =>
				kind === "require-call" ? { path: `./${name}.js`, external: true } : undefined,
			);
		},
	};
}
