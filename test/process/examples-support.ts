import { test } from "bun:test";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../house/support/tree.ts";

/** The folder of the examples. */
export const examples = join(root, "examples");

/** A test of an example; a path that ends in a slash stands for all files below. */
export function example(path: string, does: string, run: () => Promise<void>, timeoutMs?: number): void {
	test(`${path} ${does}`, run, timeoutMs);
}

/** The paths that test files, given by their text, name in a call of `example`. */
export function testedExamples(sources: Iterable<string>): string[] {
	return [...sources].flatMap((source) =>
		[...source.matchAll(/\bexample\(\s*"([^"]+)"/g)].map(([, path = ""]) => path),
	);
}

/** All files of the examples but their page, by their path within the folder. */
export async function listExamples(): Promise<string[]> {
	const paths = await readdir(examples, { recursive: true, withFileTypes: true });
	return paths
		.filter((entry) => entry.isFile() && entry.name !== "README.md")
		.map((entry) => join(entry.parentPath, entry.name).slice(examples.length + 1))
		.sort();
}

/** Whether a process runs; one that has ended and only waits for its parent to notice does not. */
export function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		if (process.platform !== "linux") return true;
		const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
		return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
	} catch {
		return false;
	}
}

export interface Finished {
	exitCode: number;
	lines: string[];
	errors: string;
}

/** Runs a program to its own end, with no variables but these. */
export async function runToEnd(command: string[], cwd: string, env: Record<string, string> = {}): Promise<Finished> {
	const program = Bun.spawn(command, { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
	const [stdout, errors] = await Promise.all([program.stdout.text(), program.stderr.text()]);
	return { exitCode: await program.exited, lines: stdout.trimEnd().split("\n"), errors };
}

/** Folders for a compiled program, of which none knows of another. */
export interface CompileBench extends AsyncDisposable {
	/** Compiles a program to one file, as the example tells but for what is left out, and gives its path. */
	compile(entry: string, leftOut?: string): Promise<string>;
	/** Writes files, and gives the path of the folder that they are in. */
	write(folder: string, files: Record<string, string>): Promise<string>;
}

export async function createCompileBench(): Promise<CompileBench> {
	const folder = await realpath(await mkdtemp(join(tmpdir(), "brood-compiled-")));
	let count = 0;
	return {
		async compile(entry, leftOut) {
			count += 1;
			const binary = join(folder, `binary-${count}`, "my-host");
			await mkdir(dirname(binary));
			const flags = (await buildLine()).filter((flag) => flag !== leftOut);
			const command = [process.execPath, ...flags, entry, "--outfile", binary];
			const build = Bun.spawn(command, { cwd: dirname(entry), stdout: "pipe", stderr: "pipe" });
			if ((await build.exited) !== 0) throw new Error(await build.stderr.text());
			return binary;
		},
		async write(name, files) {
			await mkdir(join(folder, name), { recursive: true });
			for (const [path, text] of Object.entries(files)) await Bun.write(join(folder, name, path), text);
			return join(folder, name);
		},
		[Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
	};
}

/** The build line in the head of the example, without the program's name, its entry and its outcome. */
async function buildLine(): Promise<string[]> {
	const text = await Bun.file(join(examples, "embed/compiled.ts")).text();
	const flags = /^\/\/\s+bun (build (?:--\S+ )+)examples\/embed\/compiled\.ts --outfile my-host$/m.exec(text)?.[1];
	if (flags === undefined) throw new Error("embed/compiled.ts does not say how it is built");
	return flags.trim().split(" ");
}

/** A plugin with everything that it can import from disk; its tool tells what it got and which processes there are. */
export const importingPlugin: Record<string, string> = {
	"importing.ts": `
		import type { PluginAPI } from "@ampcode/plugin";
		import { readdirSync, readFileSync } from "node:fs";
		import { near } from "./lib/near.ts";
		import facts from "./facts.json";
		import byMain from "by-main";
		import { byExports } from "by-exports";
		import { deep } from "by-exports/deep";
		import { common } from "common/part";
		import { aliased } from "@own/value";

		/** The children of the host, of which this is one; none is known where there is no /proc. */
		function siblings() {
			if (process.platform !== "linux") return [process.pid];
			return readdirSync("/proc").filter((pid) => /^[0-9]+$/.test(pid)).map(Number).filter((pid) => {
				try {
					const stat = readFileSync("/proc/" + pid + "/stat", "latin1");
					return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === process.ppid;
				} catch {
					return false;
				}
			});
		}

		export default (amp: PluginAPI) =>
			amp.registerTool({
				name: "imports",
				description: "Tells what it imported",
				inputSchema: { type: "object" },
				execute: () => ({
					imports: [near, facts.value, byMain, byExports, deep, common, aliased],
					child: process.pid,
					host: process.ppid,
					children: siblings(),
				}),
			});
	`,
	"lib/near.ts": 'export { near } from "./nearer.ts";',
	"lib/nearer.ts": 'export const near = "relative";',
	"facts.json": '{ "value": "json" }',
	"own/value.ts": 'export const aliased = "tsconfig path";',
	"tsconfig.json": '{ "compilerOptions": { "paths": { "@own/*": ["./own/*"] } } }',
	"node_modules/by-main/package.json": '{ "name": "by-main", "main": "./start.js" }',
	"node_modules/by-main/start.js": 'exports.default = "main"; exports.__esModule = true;',
	"node_modules/by-exports/package.json":
		'{ "name": "by-exports", "type": "module", "exports": { ".": "./a.js", "./deep": { "import": "./b.js" } } }',
	"node_modules/by-exports/a.js": 'export const byExports = "exports";',
	"node_modules/by-exports/b.js": 'export const deep = "subpath";',
	"node_modules/common/package.json":
		'{ "name": "common", "exports": { "./part": { "require": "./part.cjs", "default": "./part.cjs" } } }',
	"node_modules/common/part.cjs": 'module.exports = { common: "cjs" };',
};
