import { stat } from "node:fs/promises";
import { messageOf } from "../../runtime/errors.ts";
import type { PluginSpec } from "../spec.ts";
import { type ProbeResult, probeImports } from "./import-probe.ts";
import { type DirectImport, findImports } from "./imports.ts";
import type { StartOptions } from "./start.ts";

/** What each direct import of a plugin takes, when all are imported one after the other in a child of their own. */
export interface MeasuredImports {
	imports: (DirectImport & { modules: number; times: number[] })[];
	/** The plugin's own file, imported last. */
	own: number[];
	/** All of it, without what Bun keeps of earlier runs; absent where nothing is kept. */
	uncached?: number[];
	/** Files of the plugin, and of what it imports, that are large enough for Bun to keep them transpiled. */
	cachedFiles: number;
}

/** Measures the imports of one plugin, round by round. */
export interface ImportBench {
	round(): Promise<void>;
	/** Undefined before the first whole round, and where there is nothing to tell apart. */
	result(): MeasuredImports | { error: string } | undefined;
}

/** Looks at what a plugin imports. @param folder where files may be written until the last round */
export async function openImportBench(spec: PluginSpec, folder: string, options: StartOptions): Promise<ImportBench> {
	const own = Bun.pathToFileURL(spec.path).href;
	const alone = await probeImports([own], spec, folder, options);
	if ("error" in alone) return unmeasured(alone.error);
	const loaded = new Set(alone.loaded);
	const imports = (await findImports(spec)).filter(({ isRequired, path }) => {
		// A require may stand in a function that nobody has called; of a builtin nothing tells whether it was.
		return !isRequired || (path !== undefined && loaded.has(path));
	});
	const cachedFiles = await countCached(alone.loaded);
	const probes: ProbeResult[] = [];
	const uncached: number[] = [];
	let problem: string | undefined;
	const targets = [...imports.map(({ target }) => target), own];

	return {
		async round() {
			const probe = await probeImports(targets, spec, folder, options);
			if ("error" in probe) problem ??= messageOf(probe.error);
			else probes.push(probe);
			if (cachedFiles === 0 || !isCacheOn(process.env)) return;
			const bare = await probeImports([own], spec, folder, { ...options, env: environmentWithoutCache() });
			if (!("error" in bare)) uncached.push(...bare.times);
		},
		result() {
			if (problem !== undefined) return { error: problem };
			const [first] = probes;
			if (first === undefined) return undefined;
			const timesOf = (index: number) => probes.map(({ times }) => times[index] ?? 0);
			return {
				imports: imports.map((one, index) => ({
					...one,
					modules: first.modules[index] ?? 0,
					times: timesOf(index),
				})),
				own: timesOf(imports.length),
				...(uncached.length === 0 ? {} : { uncached }),
				cachedFiles,
			};
		},
	};
}

/** From this size on Bun keeps what it has transpiled; smaller files are transpiled anew each time. */
const cachedBytesMin = 4_096;

/** Whether Bun keeps what it has transpiled for later runs, and has a place for it. */
function isCacheOn(environment: Record<string, string | undefined>): boolean {
	const { BUN_RUNTIME_TRANSPILER_CACHE_PATH: path, XDG_CACHE_HOME, HOME } = environment;
	return path === undefined ? Boolean(XDG_CACHE_HOME || HOME) : path !== "" && path !== "0";
}

async function countCached(files: readonly string[]): Promise<number> {
	const sources = files.filter((file) => isTranspiled.test(file));
	const sizes = await Promise.all(
		sources.map((file) =>
			stat(file).then(
				({ size }) => size,
				() => 0,
			),
		),
	);
	return sizes.filter((size) => size > cachedBytesMin).length;
}

const isTranspiled = /\.[cm]?[jt]sx?$/;

function environmentWithoutCache(): Record<string, string> {
	const kept = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
	return { ...Object.fromEntries(kept), BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" };
}

function unmeasured(error: unknown): ImportBench {
	return { round: async () => {}, result: () => ({ error: messageOf(error) }) };
}
