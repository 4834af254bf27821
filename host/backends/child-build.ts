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
	await build(join(child, "core.ts"), folder, [partedAt("rest")]);
	await build(join(child, "rest.ts"), folder, []);
	// What a child runs first holds Bun's loading of the program until the plugin is ready: as soon as that is over, Bun
	// collects garbage, which takes a quarter of the time of a start.
	await Bun.write(join(folder, "entry.js"), '// @bun\nimport { loaded } from "./core.js";\nawait loaded;\n');
	return ["entry.js", "core.js", "core.js.jsc", "rest.js", "rest.js.jsc"];
}

async function build(entry: string, folder: string, plugins: Bun.BunPlugin[]): Promise<void> {
	const built = await Bun.build({
		entrypoints: [entry],
		outdir: folder,
		target: "bun",
		format: "cjs",
		bytecode: true,
		minify: true,
		plugins,
	});
	if (!built.success) throw new AggregateError(built.logs, "the child was not bundled");
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
