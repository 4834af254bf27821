import { relative, resolve } from "node:path";
import { root } from "./tree.ts";

/** How much of a bundle loads at once. */
export interface StartSize {
	/** Minified bytes of what is loaded at the start. */
	startBytes: number;
	/** Minified bytes of everything, with what is loaded later. */
	totalBytes: number;
	/** The modules of the start, from the root, sorted. */
	startModules: string[];
}

/**
 * Bundles `entry` with each lazily loaded module in a chunk of its own and weighs what loads at once.
 * @throws Error when it does not bundle
 */
export async function measureStart(entry: string, cwd = root): Promise<StartSize> {
	const built = await Bun.build({
		entrypoints: [resolve(cwd, entry)],
		target: "bun",
		minify: true,
		splitting: true,
		metafile: true,
		root: cwd,
	});
	const outputs = new Map(
		Object.entries(built.metafile?.outputs ?? {}).map(([path, output]) => [nameOf(path), output]),
	);
	const inputs = [...outputs].find(([, output]) => output.entryPoint?.endsWith(entry));
	if (inputs === undefined) throw new Error(`The bundle has no entry ${entry}`);
	const start = new Set<string>();
	const open = [inputs[0]];
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		if (start.has(next)) continue;
		start.add(next);
		for (const { path, kind } of outputs.get(next)?.imports ?? []) {
			if (kind === "import-statement" && outputs.has(nameOf(path))) open.push(nameOf(path));
		}
	}
	const bytes = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + (outputs.get(name)?.bytes ?? 0), 0);
	const modules = [...start].flatMap((name) => Object.keys(outputs.get(name)?.inputs ?? {}));
	return {
		startBytes: bytes(start),
		totalBytes: bytes(outputs.keys()),
		startModules: modules.map((path) => relative(cwd, resolve(process.cwd(), path))).sort(),
	};
}

function nameOf(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1);
}
