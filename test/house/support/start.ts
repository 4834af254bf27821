import { eager, loading, reachFrom } from "./graph.ts";
import { lineAt, mask } from "./mask.ts";
import type { Sources } from "./tree.ts";

/** What costs a child milliseconds before it can speak. */
const slowBuiltins = /^node:(?:fs|stream|readline|child_process|path)(?:\/|$)/;
/** What no module of a child may load, however late. */
const hostPackages = /^(?:zod|yaml|ajv|.*msgpack.*|semver|tar|commander|@clack\/.*)$/;

/** Imports that the start of `entry` cannot afford, and packages that nothing in child/ may reach. */
export function childStartProblems(entry: string, sources: Sources): string[] {
	const all = [...sources.keys()].filter((path) => path.startsWith("child/"));
	const slow = [...reachFrom([entry], sources, eager).builtins].filter(([name]) => slowBuiltins.test(name));
	const heavy = [...reachFrom(all, sources, loading).packages].filter(([name]) => hostPackages.test(name));
	return [
		...slow.map(([name, by]) => `${by} loads ${name} at the start of a child`),
		...heavy.map(([name, by]) => `${by} brings ${name} into the child`),
	];
}

/** Packages that load together with `entry` and are not in `allowed`. */
export function hostStartProblems(entry: string, sources: Sources, allowed: readonly string[]): string[] {
	const found = [...reachFrom([entry], sources, eager).packages].filter(([name]) => !allowed.includes(name));
	return found.map(([name, by]) => `${by} loads ${name} at the start of ${entry}; import() it where it is used`);
}

/**
 * Uses of the standard streams, each of which costs a child 8 to 19 ms, in what a child can load.
 * @param allowed strings that may name a stream, as `path: the trimmed line`
 */
export function streamProblems(sources: Sources, allowed: ReadonlySet<string>): string[] {
	const entries = [...sources.keys()].filter((path) => path.startsWith("child/"));
	const paths = [...reachFrom(entries, sources, loading).files.keys()].sort();
	return paths.flatMap((path) => {
		const source = sources.get(path) ?? "";
		const { code, withoutComments } = mask(source);
		return [...withoutComments.matchAll(streamUse)].flatMap(({ index }) => {
			const line = lineAt(source, index);
			const text = source.split("\n")[line - 1]?.trim() ?? "";
			const inString = code[index] === " ";
			return inString && allowed.has(`${path}: ${text}`) ? [] : [`${path}:${line} touches a standard stream: ${text}`];
		});
	});
}

const streamUse =
	/\bprocess\s*\??\.\s*std(?:in|out|err)\b|\bprocess\s*\[\s*["'`]std(?:in|out|err)|\{[^{}]*\bstd(?:in|out|err)\b[^{}]*\}\s*=\s*process\b/g;
