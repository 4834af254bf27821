import { readdirSync, statSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, extname, join, resolve } from "node:path";
import { limits } from "../../runtime/limits.ts";
import { nearest } from "../../runtime/near.ts";
import { explainMissing } from "../backends/missing-module.ts";
import { readTextFile } from "../base/text-file.ts";
import type { Launch } from "../contracts/services.ts";
import type { PluginSpec } from "../spec.ts";
import { hasPackage, type OwnNames, packageNameOf, readOwnNames } from "./packages.ts";
import type { Place } from "./problem.ts";
import { findSpecifiers, isSource, parseModule } from "./sources.ts";

/** Something in the sources of a plugin that cannot be loaded. */
export interface ModuleProblem {
	code: "syntax_error" | "missing_package" | "missing_file";
	place: Place;
	message: string;
	hint?: string | undefined;
	/** What could not be found; empty for a syntax error. */
	specifier: string;
	/** Whether the load must reach it: only `import` statements lead there. */
	isEager: boolean;
}

/**
 * Reads the modules of a plugin from its own file on, without running them, and tells every mistake of syntax and every
 * import that leads nowhere. What a tsconfig may give a meaning is left to Bun.
 */
export async function examineModules(
	spec: Pick<PluginSpec, "path" | "root">,
	launch: Pick<Launch, "form" | "install">,
): Promise<ModuleProblem[]> {
	const problems: ModuleProblem[] = [];
	const seen = new Set<string>();
	// What must load is read first, so that each file is read once and taken for what it is.
	const needed = [spec.path];
	const others: string[] = [];
	const isOwn = await readOwnNames(spec.root);
	// What may be fetched is missing only when the load says so, and then with the reason.
	const isGiven = (specifier: string) => launch.install === "auto" || isOwn(specifier);
	for (;;) {
		const isEager = needed.length > 0;
		const file = needed.shift() ?? others.shift();
		if (file === undefined || seen.size >= limits.validate.filesMax) return problems;
		if (seen.has(file)) continue;
		seen.add(file);
		const source = await readTextFile(file, limits.text.documentBytesMax).catch(() => undefined);
		if (source === undefined || source.cut) continue;
		const { imports, errors } = parseModule(file, source.text);
		for (const error of errors) problems.push({ code: "syntax_error", ...error, specifier: "", isEager });
		const places = findSpecifiers(file, source.text);
		for (const { path: specifier, kind } of imports) {
			const isNeeded = isEager && kind === "import-statement";
			const found = look(specifier, file, isGiven);
			if (typeof found === "string") (isNeeded ? needed : others).push(found);
			// One that the text does not name was put there by the transpiler, by settings that may differ in the child.
			const place = places.get(specifier);
			if (place === undefined || typeof found !== "object") continue;
			const { hint = (await explainMissing({ specifier, referrer: file }, spec, launch)).hint } = found;
			problems.push({ ...found, hint, place, specifier, isEager: isNeeded });
		}
	}
}

type Missing = Pick<ModuleProblem, "code" | "message" | "hint">;

/** The source file that a specifier leads to, what is wrong when it leads nowhere, or nothing to look at. */
function look(specifier: string, from: string, isOwn: OwnNames): string | Missing | undefined {
	if (/^\.{0,2}\//.test(specifier)) {
		const path = specifier.replace(/[?#].*$/s, "");
		const file = fileAt(resolve(dirname(from), path));
		if (file === undefined) return missingFile(specifier, path, from);
		return isSource(file) && !file.includes("/node_modules/") ? file : undefined;
	}
	const builtin = /^(node|bun):/.exec(specifier)?.[1];
	if (builtin !== undefined) return missingBuiltin(specifier, builtin);
	const name = packageNameOf(specifier);
	if (name === undefined || isOwn(specifier) || hasPackage(name, dirname(from))) return undefined;
	return { code: "missing_package", message: `the package "${name}" is not installed` };
}

function missingBuiltin(specifier: string, prefix: string): Missing | undefined {
	const names = [...builtinModules.map((name) => (name.includes(":") ? name : `node:${name}`)), "bun:main", "bun:wrap"];
	if (names.includes(specifier)) return undefined;
	const meant = nearest(
		specifier,
		names.filter((name) => name.startsWith(`${prefix}:`)),
	);
	// A newer Bun may know more of its own.
	if (meant === undefined && prefix === "bun") return undefined;
	return {
		code: "missing_package",
		message: `there is no built-in module "${specifier}"`,
		hint: meant === undefined ? undefined : `Did you mean "${meant}"?`,
	};
}

// The order does not matter here: only whether there is one.
const endings = ["", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json", ".jsonc", ".toml", ".node"];
const typedEndings: Record<string, string[]> = {
	".js": [".ts", ".tsx"],
	".jsx": [".tsx"],
	".mjs": [".mts"],
	".cjs": [".cts"],
};

/** The file that Bun would take for a path; for a folder with a manifest of its own the folder itself. */
function fileAt(path: string): string | undefined {
	const own = extname(path);
	const stem = own === "" ? path : path.slice(0, -own.length);
	const candidates = [
		...endings.map((ending) => path + ending),
		...(typedEndings[own] ?? []).map((ending) => stem + ending),
	];
	const file = candidates.find((candidate) => kindOf(candidate) === "file");
	if (file !== undefined || kindOf(path) !== "folder") return file;
	if (kindOf(join(path, "package.json")) === "file") return path;
	return endings.map((ending) => join(path, `index${ending}`)).find((candidate) => kindOf(candidate) === "file");
}

function kindOf(path: string): "file" | "folder" | undefined {
	const facts = statSync(path, { throwIfNoEntry: false });
	return facts?.isFile() ? "file" : facts?.isDirectory() ? "folder" : undefined;
}

function missingFile(specifier: string, path: string, from: string): Missing {
	const wanted = resolve(dirname(from), path);
	const folder = dirname(wanted);
	const message = `"${specifier}" leads to no file: there is no ${wanted}`;
	const names = namesIn(folder);
	if (names === undefined) return { code: "missing_file", message, hint: `There is no folder ${folder} either.` };
	const stemOf = (name: string) => name.slice(0, name.length - extname(name).length);
	const meant =
		nearest(basename(wanted), names) ??
		names.find((name) => stemOf(name) === nearest(stemOf(basename(wanted)), names.map(stemOf)));
	if (meant === undefined) return { code: "missing_file", message, hint: `${folder} holds ${listed(names)}.` };
	const written = path.slice(0, path.length - basename(path).length) + meant;
	return { code: "missing_file", message, hint: `Did you mean "${written}"?` };
}

// Of a long list nobody reads more.
const listedMax = 8;

function listed(names: readonly string[]): string {
	if (names.length === 0) return "nothing";
	const more = names.length > listedMax ? ` and ${names.length - listedMax} more` : "";
	return names.slice(0, listedMax).join(", ") + more;
}

function namesIn(folder: string): string[] | undefined {
	try {
		return readdirSync(folder).sort();
	} catch {
		return undefined;
	}
}
