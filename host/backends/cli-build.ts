import { rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { BunPlugin } from "bun";
import { loadPackage, loadPart, openPackages } from "./bundle-package.ts";
import { cliFile } from "./bundle-recall.ts";
import { stampsOfFiles } from "./bundle-record.ts";

/**
 * Bundles the command line into a folder, with bytecode: one file with all that its usual commands need, one with the
 * others, and one for each package that is loaded when it is used. Beside each but the first lie the stamps of its sources.
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
	const packages: Members = new Map();
	const rare: Members = new Map();
	const ownPackages = apart(join(entry, "../../.."), packages);
	const own = await bundle(entry, outdir, cliFile, [aside(rare), ownPackages, lean]);
	const names = own.names;
	for (const [name, paths] of rare) {
		const entries = [...paths].map((path) => `${JSON.stringify(path)}: () => require(${JSON.stringify(path)})`);
		// It has modules of its own, also this one, which has to know where the packages lie.
		const open = `require(${JSON.stringify(packageLoader)}).${openPackages.name}`;
		const text = `module.exports = { open: ${open}, entries: { ${entries.join(", ")} } };`;
		names.push(...(await bundleMembers({ name, text, outdir, nowMs, plugins: [ownPackages, lean] })));
	}
	for (const [name, paths] of packages) {
		// Its entries are bundled as one, so that they share what they have in common.
		const members = [...paths].map((path) => `${JSON.stringify(path)}: require(${JSON.stringify(path)})`);
		const text = `module.exports = { ${members.join(", ")} };`;
		names.push(...(await bundleMembers({ name, text, outdir, nowMs, plugins: [] })));
	}
	return { names, sources: own.sources };
}

/** The modules that each file of the bundle offers to others, by the file's name. */
type Members = Map<string, Set<string>>;

interface MembersBundle {
	name: string;
	/** The module that offers them. */
	text: string;
	outdir: string;
	nowMs: number;
	plugins: BunPlugin[];
}

async function bundleMembers({ name, text, outdir, nowMs, plugins }: MembersBundle): Promise<string[]> {
	const all = join(outdir, `all-${name}`);
	await Bun.write(all, text);
	const built = await bundle(all, outdir, name, plugins);
	await rm(all);
	const stamps = stampsOfFiles(
		built.sources.filter((path) => path !== all),
		nowMs,
	);
	if (stamps === undefined) throw new Error(`what ${name} consists of was changed just now`);
	await Bun.write(join(outdir, `${name}.sources`), stamps);
	return [...built.names, `${name}.sources`];
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
		sourcemap: name === cliFile || name === rareFile ? "linked" : "none",
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
function apart(root: string, packages: Members): BunPlugin {
	return {
		name: "packages apart",
		setup(build) {
			// Brood itself may be a package; what its packages import is theirs. Every command begins with commander.
			const isOwn = (file: string) => file.startsWith(`${root}/`) && !file.startsWith(`${root}/node_modules/`);
			build.onResolve({ filter: /^(?!commander$|node:|bun:)[@a-z]/ }, ({ path, importer }) =>
				isOwn(importer) ? { path: Bun.resolveSync(path, importer), namespace } : undefined,
			);
			build.onLoad({ filter: /./, namespace }, ({ path }) => {
				const [, name = path] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
				const file = `${name.replace(/\W+/g, "-")}.js`;
				packages.set(file, (packages.get(file) ?? new Set()).add(path));
				return loadedBy(loadPackage.name, file, path);
			});
		},
	};
}

const namespace = "apart";

/** Puts commands that are not the usual ones into a file of their own: the size of what is loaded costs each start. */
function aside(rare: Members): BunPlugin {
	return {
		name: "rare commands aside",
		setup(build) {
			build.onResolve(
				{ filter: /\/commands\/(?:bench|doctor|new|settings|switch|test|types|validate)\.ts$/ },
				(found) =>
					found.kind === "dynamic-import"
						? { path: Bun.resolveSync(found.path, dirname(found.importer)), namespace: "aside" }
						: undefined,
			);
			build.onLoad({ filter: /./, namespace: "aside" }, ({ path }) => {
				rare.set(rareFile, (rare.get(rareFile) ?? new Set()).add(path));
				return loadedBy(loadPart.name, rareFile, path);
			});
		},
	};
}

const rareFile = "rare.js";

function loadedBy(loader: string, file: string, path: string): { contents: string; loader: "js" } {
	const parameters = [file, path].map((text) => JSON.stringify(text)).join();
	const contents = `module.exports = require(${JSON.stringify(packageLoader)}).${loader}(${parameters}, require);`;
	return { contents, loader: "js" };
}

const packageLoader = join(import.meta.dir, "bundle-package.ts");

/** Gives commander builtins of Node that are slow to load, and that brood has no use for, when they are used. */
const lean: BunPlugin = {
	name: "slow builtins later",
	setup(build) {
		// What a builtin is resolved to is not for plugins to say, so its name is changed where it stands.
		build.onLoad({ filter: /\/commander\/lib\/\w+\.js$/ }, async ({ path }) => {
			const text = await Bun.file(path).text();
			const contents = text.replace(/(?<= from ["'])node:(?=(?:child_process|util)["'])/g, "later:");
			return { contents, loader: "js" };
		});
		build.onResolve({ filter: /^later:/ }, ({ path }) => ({ path, namespace: "later" }));
		build.onLoad({ filter: /./, namespace: "later" }, ({ path }) => ({ contents: later[path] ?? "", loader: "js" }));
	},
};

const later: Record<string, string> = {
	"later:child_process": `export default { spawn: (...all) => process.getBuiltinModule("node:child_process").spawn(...all) };`,
	"later:util": `export const stripVTControlCharacters = (text) => process.getBuiltinModule("node:util").stripVTControlCharacters(text);`,
};
