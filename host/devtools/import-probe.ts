import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { BroodError } from "../../runtime/errors.ts";
import { mayInstall } from "../backends/install.ts";
import { isObject } from "../base/options.ts";
import type { PluginSpec } from "../spec.ts";
import { type StartOptions, startOnce } from "./start.ts";

/** What a child found when it imported one thing after the other. */
export interface ProbeResult {
	/** Milliseconds of each import, in order. */
	times: number[];
	/** How many modules each brought that were not there before. */
	modules: number[];
	/** Every file that was loaded for them. */
	loaded: string[];
}

/**
 * Imports modules one after the other in a child that is like that of the plugin in all but what it imports; nothing of
 * them is called.
 *
 * @param targets URLs of files and names of builtins
 * @param folder where files may be written meanwhile
 */
export async function probeImports(
	targets: readonly string[],
	spec: Pick<PluginSpec, "root" | "name">,
	folder: string,
	options: StartOptions,
): Promise<ProbeResult | { error: BroodError | string }> {
	const root = join(folder, "probe");
	const path = join(root, "index.ts");
	const resultPath = join(folder, "result.json");
	await mkdir(root, { recursive: true });
	await rm(resultPath, { force: true });
	await Bun.write(path, probeSource(targets, spec.root, resultPath));
	// What is set by the name of the plugin does not reach a probe, which has another one.
	const install = mayInstall(options.install, spec.name) ? "auto" : "off";
	const { error } = await startOnce({ kind: "directory", path, root }, { ...options, install });
	if (error !== undefined) return { error };
	const result: unknown = await Bun.file(resultPath)
		.json()
		.catch(() => undefined);
	return parseResult(result, targets.length);
}

/** A plugin that imports what another one does, and leaves in a file how long each took. */
function probeSource(targets: readonly string[], root: string, resultPath: string): string {
	return `
const [times, modules] = [[], []];
const known = () => Object.keys(require.cache);
const own = new Set(known());
process.chdir(${JSON.stringify(root)});
let failed;
for (const target of ${JSON.stringify(targets)}) {
	const before = known().length;
	const start = performance.now();
	try {
		await import(target);
	} catch (error) {
		failed ??= String(error?.message ?? error);
	}
	times.push(performance.now() - start);
	modules.push(known().length - before);
}
export default async () => {
	await Bun.write(${JSON.stringify(resultPath)}, JSON.stringify({ failed, times, modules, loaded: known().filter((file) => !own.has(file)) }));
};
`;
}

/** What lies in the file was written beside code of the plugin, which may do anything. */
function parseResult(result: unknown, count: number): ProbeResult | { error: string } {
	const { failed, times, modules, loaded } = (isObject(result) ? result : {}) as Record<string, unknown>;
	if (failed !== undefined) return { error: String(failed) };
	const isWhole = isNumbers(times) && isNumbers(modules) && times.length === count && modules.length === count;
	if (!isWhole || !isTexts(loaded)) return { error: "what the child measured cannot be read" };
	return { times, modules, loaded };
}

function isNumbers(value: unknown): value is number[] {
	return Array.isArray(value) && value.every((item) => Number.isFinite(item));
}

function isTexts(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((item) => typeof item === "string");
}
