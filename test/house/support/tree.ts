import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

/** The root of the repository. */
export const root = resolve(import.meta.dir, "../../..");

/** Files by their path from the root, with `/` between folders. */
export type Sources = ReadonlyMap<string, string>;

/** What is no source of ours: input of tests, which may be broken on purpose, and generated text. */
const notOurs = /^test\/fixtures\/|^test\/house\/api\.snapshot\.d\.ts$/;

/**
 * Reads the files that match, sorted by path. A brace in the pattern must not hold a slash: Bun then finds nothing.
 * @throws Error when none matches: a gate over nothing would always pass
 */
export function readSources(pattern: string): Sources {
	const paths = [...new Bun.Glob(pattern).scanSync({ cwd: root })].filter((path) => !notOurs.test(path)).sort();
	if (paths.length === 0) throw new Error(`No file matches ${pattern}`);
	return new Map(paths.map((path) => [path, readText(path)]));
}

/** @throws Error when there is no such file */
export function readText(path: string): string {
	return readFileSync(resolve(root, path), "utf8");
}

/** The text files of the repository: what git tracks or would track; without git, what is not ignored. */
export function trackedFiles(): string[] {
	const git = Bun.which("git");
	const listed =
		git === null || !existsSync(resolve(root, ".git"))
			? walk()
			: Bun.spawnSync([git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root })
					.stdout.toString()
					.split("\0");
	return listed.filter((path) => path !== "" && existsSync(resolve(root, path)));
}

function walk(): string[] {
	const paths = [...new Bun.Glob("**/*").scanSync({ cwd: root, dot: true })];
	return paths.filter((path) => !/(?:^|\/)(?:node_modules|dist|\.git)\//.test(path)).sort();
}
