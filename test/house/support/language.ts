import { functionsOf } from "./functions.ts";
import { lineAt, type Masked, mask } from "./mask.ts";

interface Rule {
	what: string;
	/** Files that the rule is for. */
	files: RegExp;
	/** Where in the file it looks. */
	view: keyof Masked | "source";
	pattern: RegExp;
}

const rooms = /^(?:runtime|child|host)\//;

const rules: readonly Rule[] = [
	{ what: "the type any", files: rooms, view: "code", pattern: /(?<![.\w$#])any\b(?!\s*[:(.])|\bas\s+any\b/g },
	{ what: "a non-null assertion", files: rooms, view: "code", pattern: /[\w$)\]}"'`]!(?!=)/g },
	{ what: "a double cast", files: rooms, view: "code", pattern: /\bas\s+(?:unknown|any|never)\s+as\b/g },
	{ what: "work left over", files: rooms, view: "source", pattern: /\b(?:TODO|FIXME|XXX)\b/g },
	{
		what: "a silenced type error",
		files: /^(?!test\/types\/)/,
		view: "comments",
		pattern: /@ts-(?:ignore|expect-error|nocheck)\b/g,
	},
	// Bytecode would bake the paths of the build machine in.
	{ what: "import.meta", files: /^child\//, view: "code", pattern: /\bimport\s*\.\s*meta\b/g },
];

/** What one file says that the house does not say. */
export function languageProblems(path: string, source: string): string[] {
	const views = { ...mask(source), source };
	const found = rules
		.filter(({ files }) => files.test(path))
		.flatMap(({ what, view, pattern }) =>
			[...views[view].matchAll(pattern)].map(({ index }) => `${path}:${lineAt(source, index)} has ${what}`),
		);
	return path.startsWith("child/") ? [...found, ...topLevelAwaits(path, source, views.code)] : found;
}

/** Names of the machines and services around a project; a file that names them is about something else. */
const foreign: readonly { what: string; pattern: RegExp }[] = [
	{ what: "a path of the machine it was made on", pattern: pathOf(["work"]) },
	{ what: "a path of the machine it was made on", pattern: pathOf(["opt", "b"]) },
	{ what: "a path of the machine it was made on", pattern: pathOf(["tmp", "w"]) },
	{ what: "a tool that is not its own", pattern: new RegExp(["clean", "clone"].join("-"), "g") },
	...[
		["registry", "npmjs"],
		["registry", "yarnpkg"],
		["registry", "npmmirror"],
		["npm", "pkg", "github"],
		["npm", "jsr"],
		["proxy", "golang"],
	].map((host) => ({ what: "the host of a registry", pattern: new RegExp(host.join("\\."), "g") })),
];

/** Mentions of what lies outside the project, in any text. */
export function mentionProblems(path: string, text: string): string[] {
	return foreign.flatMap(({ what, pattern }) =>
		[...`${path}\n${text}`.matchAll(pattern)].map(({ index }) => {
			const line = lineAt(`${path}\n${text}`, index) - 1;
			return `${path}:${line} names ${what}`;
		}),
	);
}

function topLevelAwaits(path: string, source: string, code: string): string[] {
	const functions = functionsOf(source);
	return [...code.matchAll(/(?<![.\w$#])await\b/g)]
		.filter(({ index }) => !functions.some(({ start, end }) => start <= index && index <= end))
		.map(({ index }) => `${path}:${lineAt(source, index)} has a top-level await`);
}

function pathOf(segments: readonly string[]): RegExp {
	return new RegExp(`(?<![\\w~.$}*-])/${segments.join("/")}/`, "g");
}
