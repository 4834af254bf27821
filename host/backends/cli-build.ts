import { rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { BunPlugin } from "bun";
import { stampLines } from "./bundle-record.ts";
import { cliFile } from "./cli-bundle.ts";

/**
 * Bundles the command line into a folder, with bytecode: one file with all that is brood's own, and one for each package
 * that is loaded when it is used, with the stamps of its sources.
 *
 * @param nowMs when this was begun, since the epoch
 * @returns the names of the files, and the sources that are in the first one
 * @throws Error when they do not bundle, or a package was installed just now
 */
export async function buildCLI(
	entry: string,
	outdir: string,
	nowMs: number,
): Promise<{ names: string[]; sources: string[] }> {
	const packages = new Map<string, Set<string>>();
	const own = await bundle(entry, outdir, cliFile, [apart(packages), lean]);
	const names = own.names;
	for (const [name, paths] of packages) {
		// Its entries are bundled as one, so that they share what they have in common.
		const all = join(outdir, `all-${name}`);
		const members = [...paths].map((path) => `${JSON.stringify(path)}: require(${JSON.stringify(path)})`);
		await Bun.write(all, `module.exports = { ${members.join(", ")} };`);
		const built = await bundle(all, outdir, name, []);
		await rm(all);
		const lines = stampLines(
			built.sources.filter((path) => path !== all),
			nowMs,
		);
		if (lines === undefined) throw new Error(`${name} was installed just now`);
		await Bun.write(join(outdir, `${name}.sources`), lines.join("\n"));
		names.push(...built.names, `${name}.sources`);
	}
	return { names, sources: own.sources };
}

async function bundle(entry: string, outdir: string, name: string, plugins: BunPlugin[]) {
	const built = await Bun.build({
		entrypoints: [entry],
		outdir,
		naming: { entry: name },
		target: "bun",
		format: "cjs",
		bytecode: true,
		minify: true,
		// What goes wrong in brood itself is told with its stack.
		sourcemap: name === cliFile ? "linked" : "none",
		metafile: true,
		plugins,
	});
	if (!built.success) throw new AggregateError(built.logs, `${name} was not bundled`);
	return {
		names: built.outputs.map(({ path }) => basename(path)),
		// What has a namespace is no file.
		sources: Object.keys(built.metafile?.inputs ?? {}).flatMap((path) => (path.includes(":") ? [] : resolve(path))),
	};
}

/** Puts packages into files of their own, and notes which of their entries are used. */
function apart(packages: Map<string, Set<string>>): BunPlugin {
	return {
		name: "packages apart",
		setup(build) {
			// Parsing the arguments is what every command begins with.
			build.onResolve({ filter: /^(?!commander$|node:|bun:)[@a-z]/ }, ({ path, importer }) =>
				importer.includes("/node_modules/") ? undefined : { path: Bun.resolveSync(path, importer), namespace },
			);
			build.onLoad({ filter: /./, namespace }, ({ path }) => {
				const [, name = path] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
				const file = `${name.replace(/\W+/g, "-")}.js`;
				packages.set(file, (packages.get(file) ?? new Set()).add(path));
				const load = JSON.stringify(join(import.meta.dir, "bundle-package.ts"));
				const parameters = [file, path].map((text) => JSON.stringify(text)).join();
				const contents = `module.exports = require(${load}).loadPackage(${parameters}, require);`;
				return { contents, loader: "js" };
			});
		},
	};
}

const namespace = "apart";

/** Gives commander builtins of Node that are slow to load, and that brood has no use for, when they are used. */
const lean: BunPlugin = {
	name: "slow builtins later",
	setup(build) {
		build.onResolve({ filter: /^node:(?:child_process|util)$/ }, ({ path, importer }) =>
			importer.includes("/commander/") ? { path, namespace: "later" } : undefined,
		);
		build.onLoad({ filter: /./, namespace: "later" }, ({ path }) => ({ contents: later[path] ?? "", loader: "js" }));
	},
};

const later: Record<string, string> = {
	"node:child_process": `export default { spawn: (...all) => process.getBuiltinModule("node:child_process").spawn(...all) };`,
	"node:util": `export const stripVTControlCharacters = (text) => process.getBuiltinModule("node:util").stripVTControlCharacters(text);`,
};
