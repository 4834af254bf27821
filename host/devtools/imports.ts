import { isBuiltin } from "node:module";
import { dirname } from "node:path";
import { limits } from "../../runtime/limits.ts";
import { readTextFile } from "../base/text-file.ts";
import type { PluginSpec } from "../spec.ts";
import { parseModule } from "../validate/sources.ts";

/** What a plugin imports itself, and not by what it imports. */
export interface DirectImport {
	/** As the plugin names it. */
	specifier: string;
	kind: "package" | "file" | "builtin";
	/** What a child imports to get the same: the URL of a file, or the name of a builtin. */
	target: string;
	/** The path of that file; undefined for a builtin. */
	path: string | undefined;
	/** Whether it is there because of `require`, which may be reached later than at the load, or never. */
	isRequired: boolean;
}

/**
 * The imports in the plugin's own file, in the order in which they are loaded. Those of types alone, those that brood
 * answers and what is imported as text or data are left out, and so is what leads nowhere.
 */
export async function findImports(spec: Pick<PluginSpec, "path">): Promise<DirectImport[]> {
	const source = await readTextFile(spec.path, limits.text.documentBytesMax).catch(() => undefined);
	if (source === undefined || source.cut) return [];
	const { imports } = parseModule(spec.path, source.text);
	const found = [
		...imports.filter(({ kind }) => kind === "import-statement"),
		...imports.filter(({ kind }) => kind === "require-call"),
	].flatMap(({ path: specifier, kind }) => {
		if (isGiven(specifier) || hasAttributes(specifier, source.text)) return [];
		const own = resolveImport(specifier, spec.path);
		return own === undefined ? [] : [{ ...own, isRequired: kind === "require-call" }];
	});
	return found.filter(({ target }, index) => found.findIndex((one) => one.target === target) === index);
}

/** The names that a child of brood answers itself. */
function isGiven(specifier: string): boolean {
	return specifier === "@ampcode/plugin" || specifier === "brood/plugin";
}

/** Whether it is imported as something other than code, which an import without the attribute would run. */
function hasAttributes(specifier: string, source: string): boolean {
	const name = specifier.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
	return new RegExp(`["']${name}["']\\s*(?:with|assert)\\s*\\{`).test(source);
}

function resolveImport(specifier: string, from: string): Omit<DirectImport, "isRequired"> | undefined {
	if (specifier === "bun" || isBuiltin(specifier)) {
		return { specifier, kind: "builtin", target: specifier, path: undefined };
	}
	try {
		const path = Bun.resolveSync(specifier, dirname(from));
		const kind = path.includes("/node_modules/") && !/^[./]/.test(specifier) ? "package" : "file";
		return { specifier, kind, target: Bun.pathToFileURL(path).href, path };
	} catch {
		// What is not there cannot be what the load spends its time on.
		return undefined;
	}
}
