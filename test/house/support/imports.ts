import { lineAt, mask } from "./mask.ts";

/** One place where a source names another module. */
export interface Import {
	specifier: string;
	/** `static` loads with the file, `dynamic` and `require` when they run, `type` never. */
	kind: "static" | "type" | "dynamic" | "require";
	line: number;
}

/** Everything that a source imports, types included, in the order of the text. */
export function importsOf(source: string): Import[] {
	const { code } = mask(source);
	const found = [...fromClauses(source, code), ...calls(source, code)].sort((a, b) => a.at - b.at);
	const known = new Set(found.map(({ specifier }) => specifier));
	// Bun's own scanner sees no types; it is asked so that no odd notation of a value import slips through.
	const missed = new Bun.Transpiler({ loader: "ts" })
		.scanImports(source.replace(/^#!.*/, ""))
		.filter(({ path }) => !known.has(path));
	return [
		...found.map(({ specifier, kind, at }) => ({ specifier, kind, line: lineAt(source, at) })),
		...missed.map(({ path, kind }) => ({ specifier: path, kind: kindOf(kind), line: 1 })),
	];
}

type Found = Omit<Import, "line"> & { at: number };

const fromClause = /(?<![.\w$])(import|export)((?:\s+type)?(?=[\s{*])[\w$*{},\s]*?)\bfrom\s*(["'])/g;
const bareImport = /(?<![.\w$])import\s*(["'])/g;
const importCall = /(?<![.\w$])import\s*\(\s*(["'`])/g;
const requireCall = /(?<![\w$])require(?:\.resolve)?\s*\(\s*(["'`])/g;

function fromClauses(source: string, code: string): Found[] {
	const named = [...code.matchAll(fromClause)].map((match) => {
		const kind = isTypeOnly(match[2] ?? "") ? ("type" as const) : ("static" as const);
		return { specifier: literalAt(source, match.index + match[0].length - 1), kind, at: match.index };
	});
	return [...named, ...literals(source, code, bareImport, "static")];
}

function calls(source: string, code: string): Found[] {
	const all = [...literals(source, code, importCall, "dynamic"), ...literals(source, code, requireCall, "require")];
	return all.filter(({ specifier }) => !specifier.includes("${"));
}

function literals(source: string, code: string, pattern: RegExp, kind: Import["kind"]): Found[] {
	return [...code.matchAll(pattern)].map((match) => ({
		specifier: literalAt(source, match.index + match[0].length - 1),
		kind,
		at: match.index,
	}));
}

function literalAt(source: string, quoteAt: number): string {
	const end = source.indexOf(source.charAt(quoteAt), quoteAt + 1);
	return source.slice(quoteAt + 1, end);
}

/** `type …`, or braces in which each name is a type: Bun drops both. */
function isTypeOnly(clause: string): boolean {
	const text = clause.trim();
	if (/^type(?:\s+(?!from\b|,)|\s*[{*])/.test(text)) return true;
	const names = /^\{([^}]*)\}$/.exec(text)?.[1]?.split(",");
	const used = names?.map((name) => name.trim()).filter((name) => name !== "") ?? [];
	return used.length > 0 && used.every((name) => name.startsWith("type "));
}

function kindOf(kind: string): Import["kind"] {
	if (kind === "dynamic-import") return "dynamic";
	return kind.startsWith("require") ? "require" : "static";
}
