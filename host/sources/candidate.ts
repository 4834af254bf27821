import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { limits } from "../../runtime/limits.ts";
import { lstat, readlink, stat } from "../base/files.ts";
import { describeFileError, describeFileType, readTextFileNow } from "../base/text-file.ts";
import type { PluginSpec, SkippedCandidate } from "../spec.ts";
import { readStatic } from "./static.ts";

/** The endings of plugin files, the one that wins first. */
export const pluginSuffixes = [".ts", ".tsx", ".mts", ".js", ".mjs"];

/** A plugin on disk, before it is known which of several is used. */
export interface Candidate
	extends Pick<PluginSpec, "name" | "kind" | "path" | "root" | "description" | "announcedModes" | "warnings"> {
	/** The path with every link followed: two candidates with the same one are the same file. */
	realPath: string;
	/** Decides between candidates of one name in one place; the lowest wins. */
	order: number;
}

/** What was found at a path: a plugin, or why it is none. */
export type Inspected = Candidate | SkippedCandidate;

export function isCandidate(inspected: Inspected): inspected is Candidate {
	return "realPath" in inspected;
}

/** Tells of a name in a folder the other one there that Bun cannot tell from it, if there is one. */
export type Twins = (name: string) => string | undefined;

/** Bun looks names of a folder up without the case of their ASCII letters and imports one file for all of them. */
export function findTwins(names: string[]): Twins {
	const alike = Map.groupBy(names, (name) => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));
	const twins = new Map([...alike.values()].filter(({ length }) => length > 1).flatMap(pairEach));
	return (name) => twins.get(name);
}

// What is looked at here lies where something was found just now, so it is near: asking another thread takes ten times as
// long as to look, in a program that has just begun.

/** Looks at one entry of a plugin place; never throws, never waits on a FIFO. */
export async function inspectEntry(path: string, twins: Twins): Promise<Inspected> {
	const name = basename(path);
	if (name.startsWith(".")) return { path, reason: "it is hidden: its name begins with a dot" };
	if (name === "node_modules") return { path, reason: "node_modules holds packages, not plugins" };
	return await guarded(path, async () => {
		const facts = statSync(path);
		if (facts.isDirectory()) return await inspectDirectory(path);
		const reason = facts.isFile() ? refuseFile(name) : `it is ${describeFileType(facts)}, not a file`;
		return reason === undefined ? await inspectFile(path, twins) : { path, reason };
	});
}

/** Looks at a file that is a plugin by its name. */
export async function inspectFile(path: string, twins: Twins): Promise<Inspected> {
	const suffix = extname(path);
	return await guarded(path, () =>
		read({ name: basename(path, suffix), kind: "file", path, root: dirname(path), order: orderOf(suffix) }, twins),
	);
}

/** Looks at a directory, which is a plugin when it holds an index file. */
export async function inspectDirectory(root: string): Promise<Inspected> {
	return await guarded(root, async () => {
		const entries = readdirSync(root);
		const twins = findTwins(entries);
		const names = pluginSuffixes.map((suffix) => `index${suffix}`).filter((name) => entries.includes(name));
		let unusable: SkippedCandidate | undefined;
		for (const name of names) {
			const path = join(root, name);
			const directory = { name: basename(root), kind: "directory", path, root, order: pluginSuffixes.length } as const;
			const inspected = await guarded(path, () => read(directory, twins));
			if (isCandidate(inspected)) return inspected;
			unusable ??= inspected;
		}
		return unusable ?? { path: root, reason: noIndex };
	});
}

export const noIndex = `the directory has no index.ts (nor ${pluginSuffixes.slice(1).join(", ")})`;

export function isDeclarationFile(name: string): boolean {
	return /\.d\.[cm]?ts$/.test(name);
}

/** Says why a file in a plugin place is no plugin, by its name alone. */
function refuseFile(name: string): string | undefined {
	if (isDeclarationFile(name)) return "a declaration file has nothing to run";
	if (/\.test\.[^.]+$/.test(name)) return "it is a test";
	if (name.endsWith(".cjs")) return "a .cjs file is a plugin only when its path is given explicitly";
	if (pluginSuffixes.includes(extname(name))) return undefined;
	return `its name does not end in one of ${pluginSuffixes.join(", ")}`;
}

async function read(
	spec: Pick<Candidate, "name" | "kind" | "path" | "root" | "order">,
	twins: Twins,
): Promise<Inspected> {
	const twin = twins(basename(spec.path));
	if (twin !== undefined) {
		const reason = `only the case of its name differs from ${join(dirname(spec.path), twin)}; rename one`;
		return { path: spec.path, reason };
	}
	const { text } = readTextFileNow(spec.path, limits.text.headBytesMax);
	return { ...spec, realPath: realpathSync(spec.path), ...readStatic(text, basename(spec.path)) };
}

function pairEach(names: string[]): [string, string][] {
	return names.flatMap((name) => {
		const other = names.find((one) => one !== name);
		return other === undefined ? [] : [[name, other]];
	});
}

async function guarded(path: string, inspect: () => Promise<Inspected>): Promise<Inspected> {
	try {
		return await inspect();
	} catch (error) {
		return { path, reason: (await describeDeadLink(path)) ?? describeFileError(error) };
	}
}

/** Says where a link points to that leads nowhere. */
async function describeDeadLink(path: string): Promise<string | undefined> {
	try {
		if (!(await lstat(path)).isSymbolicLink()) return undefined;
		const target = await readlink(path);
		return await stat(path).then(
			() => undefined,
			(error) => `it is a link to ${target}, which leads nowhere: ${describeFileError(error)}`,
		);
	} catch {
		return undefined;
	}
}

function orderOf(suffix: string): number {
	const order = pluginSuffixes.indexOf(suffix);
	return order < 0 ? pluginSuffixes.length : order;
}
