import { builtinModules } from "node:module";
import { posix } from "node:path";
import tsconfig from "../../../tsconfig.json";
import { type Import, importsOf } from "./imports.ts";
import type { Sources } from "./tree.ts";

/** What an import leads to. */
export type Target =
	| { kind: "file"; path: string }
	| { kind: "package"; name: string }
	/** A module of the runtime, with its prefix: `node:fs`, `bun:ffi`, `bun`. */
	| { kind: "builtin"; name: string };

export interface Edge extends Import {
	from: string;
	target: Target;
}

/** What can be reached from some files: each file, package and builtin with the file that brought it in. */
export interface Reach {
	files: Map<string, string>;
	packages: Map<string, string>;
	builtins: Map<string, string>;
}

/** The imports of one file, resolved; names of our own contracts lead to their files. */
export function edgesOf(from: string, source: string): Edge[] {
	return importsOf(source).map((found) => ({ ...found, from, target: targetOf(from, found.specifier) }));
}

/** Follows imports of the given kinds, from `entries` on; an entry counts as brought in by itself. */
export function reachFrom(entries: Iterable<string>, sources: Sources, kinds: Iterable<Import["kind"]>): Reach {
	const follow = new Set(kinds);
	const reach: Reach = { files: new Map(), packages: new Map(), builtins: new Map() };
	const open = [...entries].map((path) => ({ path, by: path }));
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		const source = sources.get(next.path);
		if (reach.files.has(next.path)) continue;
		reach.files.set(next.path, next.by);
		for (const { kind, target, from } of source === undefined ? [] : edgesOf(next.path, source)) {
			if (!follow.has(kind)) continue;
			if (target.kind === "file") open.push({ path: target.path, by: from });
			else if (target.kind === "package") note(reach.packages, target.name, from);
			else note(reach.builtins, target.name, from);
		}
	}
	return reach;
}

/** The kinds that load together with the file that names them. */
export const eager: readonly Import["kind"][] = ["static"];
/** The kinds that can load at all. */
export const loading: readonly Import["kind"][] = ["static", "dynamic", "require"];

const builtins = new Set(builtinModules.map((name) => name.replace(/^node:/, "")));
const ownNames = new Map(
	Object.entries(tsconfig.compilerOptions.paths).map(([name, paths]) => [name, posix.normalize(paths[0] ?? name)]),
);

function targetOf(from: string, specifier: string): Target {
	const own = ownNames.get(specifier);
	if (own !== undefined) return { kind: "file", path: own };
	if (/^\.{0,2}\//.test(specifier)) return { kind: "file", path: posix.join(posix.dirname(from), specifier) };
	if (specifier === "bun" || /^(?:node|bun):/.test(specifier)) return { kind: "builtin", name: specifier };
	if (builtins.has(specifier)) return { kind: "builtin", name: `node:${specifier}` };
	const segments = specifier.split("/");
	return { kind: "package", name: segments.slice(0, specifier.startsWith("@") ? 2 : 1).join("/") };
}

function note(map: Map<string, string>, name: string, by: string): void {
	if (!map.has(name)) map.set(name, by);
}
