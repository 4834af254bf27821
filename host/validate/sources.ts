import { extname } from "node:path";
import { read } from "../../runtime/errors.ts";
import { scan } from "../sources/scan.ts";
import type { Place } from "./problem.ts";

export interface ParsedModule {
	imports: Bun.Import[];
	errors: { message: string; place: Place }[];
}

const loaders = new Map<string, "ts" | "tsx" | "js" | "jsx">([
	[".ts", "ts"],
	[".mts", "ts"],
	[".cts", "ts"],
	[".tsx", "tsx"],
	[".js", "jsx"],
	[".jsx", "jsx"],
	[".mjs", "jsx"],
	[".cjs", "jsx"],
]);

/** Whether a file holds code that imports others. */
export function isSource(file: string): boolean {
	return loaders.has(extname(file));
}

/** What a module imports when it runs (imports of types alone are gone by then), or what its parser says. */
export function parseModule(file: string, text: string): ParsedModule {
	const loader = loaders.get(extname(file)) ?? "ts";
	const isTyped = loader.startsWith("ts");
	try {
		// As Bun runs them: a name that is never used as a value is not imported from TypeScript.
		const code = new Bun.Transpiler({ loader, trimUnusedImports: isTyped }).transformSync(text);
		return { imports: new Bun.Transpiler({ loader: "js" }).scanImports(code), errors: [] };
	} catch (thrown) {
		const errors = thrown instanceof AggregateError ? thrown.errors : [thrown];
		return { imports: [], errors: errors.flatMap((error: unknown) => errorOf(error, file)) };
	}
}

/** The names that a module exports as values; none when it cannot be read. */
export function exportsOf(file: string, text: string): string[] {
	try {
		return new Bun.Transpiler({ loader: loaders.get(extname(file)) ?? "ts" }).scan(text).exports;
	} catch {
		return [];
	}
}

function errorOf(error: unknown, file: string): ParsedModule["errors"] {
	if (typeof error !== "object" || error === null) return [];
	const message = read(error, "message");
	const position = read(error, "position");
	if (typeof message !== "string") return [];
	if (typeof position !== "object" || position === null) return [{ message, place: { file } }];
	const [line, column] = [read(position, "line"), read(position, "column")];
	return [
		{ message, place: typeof line === "number" && typeof column === "number" ? { file, line, column } : { file } },
	];
}

/** Where each text that may be the name of a module stands first in an import of it. */
export function findSpecifiers(file: string, text: string): Map<string, Place> {
	const places = new Map<string, Place>();
	let before = "";
	let head = "";
	for (const { kind, text: token, start, line } of scan(text)) {
		if (kind === "comment") continue;
		const isName = kind === "string" && (before === "from" || before === "import" || callsImport(before, head));
		const name = token.slice(1, -1);
		if (isName && !places.has(name)) {
			places.set(name, { file, line, column: start - text.lastIndexOf("\n", start - 1) });
		}
		head = before;
		before = token;
	}
	return places;
}

function callsImport(before: string, head: string): boolean {
	return before === "(" && (head === "import" || head === "require");
}

/** Where the default export of a module begins. */
export function findDefaultExport(file: string, text: string): Place {
	let before: Place | undefined;
	for (const { kind, text: token, start, line, depth } of scan(text)) {
		if (kind === "comment") continue;
		if (before !== undefined && token === "default") return before;
		const column = start - text.lastIndexOf("\n", start - 1);
		before = kind === "word" && token === "export" && depth === 0 ? { file, line, column } : undefined;
	}
	return { file };
}
