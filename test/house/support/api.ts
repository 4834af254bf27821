import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, posix, resolve } from "node:path";
import { importsOf } from "./imports.ts";
import { root, type Sources } from "./tree.ts";

/** The files behind `brood`, `brood/plugin`, `brood/child`, `brood/runtime` and `brood/test`. */
export const entries = [
	"host/index.ts",
	"child/plugin.ts",
	"child/takeover.ts",
	"runtime/index.ts",
	"test/kit/index.ts",
];

/**
 * Emits the declarations of what the entries reach.
 * @throws Error with the compiler's words when it complains, or when an entry is missing
 */
export async function emitDeclarations(): Promise<Sources> {
	const missing = entries.filter((path) => !existsSync(resolve(root, path)));
	if (missing.length > 0) throw new Error(`The public entries ${missing.join(", ")} are missing`);
	const folder = await mkdtemp(join(tmpdir(), "brood-api-"));
	try {
		const out = join(folder, "out");
		await Bun.write(join(folder, "tsconfig.json"), JSON.stringify(configuration(out)));
		const compiler = resolve(root, "node_modules/typescript/bin/tsc");
		const run = Bun.spawnSync([process.execPath, compiler, "-p", folder], { cwd: root });
		if (run.exitCode !== 0) throw new Error(`tsc gave ${run.exitCode}:\n${run.stdout}${run.stderr}`);
		return await reachable(entries.map(declarationOf), (path) => textOf(out, path));
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** Declarations that the entries lead to, sorted by path. */
export async function reachable(
	from: readonly string[],
	read: (path: string) => Promise<string | undefined>,
): Promise<Sources> {
	const found = new Map<string, string>();
	const open = [...from];
	for (let path = open.pop(); path !== undefined; path = open.pop()) {
		if (found.has(path)) continue;
		const text = await read(path);
		if (text === undefined) throw new Error(`There is no declaration ${path}`);
		found.set(path, text);
		const directory = posix.dirname(path);
		const relative = importsOf(text).filter(({ specifier }) => specifier.startsWith("."));
		open.push(...relative.map(({ specifier }) => declarationOf(posix.join(directory, specifier))));
	}
	return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** One text of all declarations, each under its path. */
export function render(declarations: Sources): string {
	return [...declarations].map(([path, text]) => `// ${path}\n${text.trim()}\n`).join("\n");
}

/** What changed between two rendered texts, file by file, without what stayed at both ends; empty when equal. */
export function shortDiff(before: string, after: string, linesMax = 60): string {
	const [old, now] = [sections(before), sections(after)];
	const paths = [...new Set([...old.keys(), ...now.keys()])].sort();
	const lines = paths.flatMap((path) => {
		const changed = changedLines(old.get(path) ?? [], now.get(path) ?? []);
		return changed.length === 0 ? [] : [`// ${path}`, ...changed];
	});
	const more = lines.length > linesMax ? [`… and ${lines.length - linesMax} more lines`] : [];
	return [...lines.slice(0, linesMax), ...more].join("\n");
}

function configuration(outDir: string): object {
	return {
		extends: resolve(root, "tsconfig.json"),
		compilerOptions: {
			noEmit: false,
			declaration: true,
			emitDeclarationOnly: true,
			// As in the package.
			stripInternal: true,
			outDir,
			rootDir: root,
			typeRoots: [resolve(root, "node_modules")],
		},
		include: [],
		files: entries.map((path) => resolve(root, path)),
	};
}

function declarationOf(path: string): string {
	return path.replace(/(?:\.d)?\.[cm]?[tj]s$/, ".d.ts");
}

/** A declaration that was written by hand is not emitted; it stays where it is. */
async function textOf(out: string, path: string): Promise<string | undefined> {
	const places = [join(out, path), resolve(root, path)];
	const place = places.find((candidate) => existsSync(candidate));
	return place === undefined ? undefined : Bun.file(place).text();
}

function sections(text: string): Map<string, string[]> {
	const parts = text.split(/^\/\/ (?=\S+\.d\.ts$)/m).filter((part) => part !== "");
	return new Map(parts.map((part) => part.trimEnd().split("\n")).map(([path, ...lines]) => [path ?? "", lines]));
}

function changedLines(before: readonly string[], after: readonly string[]): string[] {
	let start = 0;
	while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1;
	let end = 0;
	const shorter = Math.min(before.length, after.length) - start;
	while (end < shorter && before.at(-1 - end) === after.at(-1 - end)) end += 1;
	const removed = before.slice(start, before.length - end).map((line) => `- ${line}`);
	return [...removed, ...after.slice(start, after.length - end).map((line) => `+ ${line}`)];
}
