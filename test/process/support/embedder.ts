import { cp, mkdir, readdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { carriedOrigin } from "../../../host/backends/child-origin.ts";
import { writeChildSources } from "../../pack/child-sources.ts";

const root = join(import.meta.dir, "../../..");

/** A project that has brood as a package, and a copy of files of this one. */
export interface Embedder {
	folder: string;
	/** Compiles a file of it to one program; with the build line of the README when no flags are given. */
	compile(file: string, outfile: string, flags?: string[]): Promise<void>;
	/** Builds the bundle that a compiled program finds in a cache. @returns its folder @throws Error what does not bundle */
	fillCache(cache: string): Promise<string>;
}

/** The build line of the README. */
export const compileFlags = [
	"--compile",
	"--bytecode",
	"--format=esm",
	"--splitting",
	"--compile-autoload-package-json",
	"--compile-autoload-tsconfig",
];

/** The same without splitting: a child that is made by the switch loads the whole program. */
export const onePieceFlags = compileFlags.filter((flag) => flag !== "--splitting");

/**
 * Lays out a project. Its brood is what is packed, without the declarations.
 *
 * @param files paths of files and folders here that it has as well
 */
export async function createEmbedder(folder: string, files: string[]): Promise<Embedder> {
	const modules = join(folder, "node_modules");
	const copies = ["runtime", "child", "host", "test/kit", "package.json"].map(
		(name) => [name, join(modules, "brood", name)] as const,
	);
	for (const [from, to] of [...copies, ...files.map((name) => [name, join(folder, name)] as const)]) {
		await mkdir(dirname(to), { recursive: true });
		await cp(join(root, from), to, { recursive: true });
	}
	const carried = await writeChildSources(root, join(modules, "brood/dist"));
	for (const name of await readdir(join(root, "node_modules"))) {
		if (name !== "brood" && !name.startsWith(".")) await symlink(join(root, "node_modules", name), join(modules, name));
	}
	return {
		folder,
		async compile(file, outfile, flags = compileFlags) {
			const command = [process.execPath, "build", ...flags, file, "--outfile", outfile];
			const build = Bun.spawn(command, { cwd: folder, stdout: "ignore", stderr: "pipe" });
			if ((await build.exited) !== 0) throw new Error(await build.stderr.text());
		},
		fillCache: carriedOrigin(carried).make,
	};
}

/** A place that is no folder, so that nothing can be cached there. */
export const noCache = "/dev/null";
