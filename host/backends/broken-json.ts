import { basename, extname } from "node:path";
import type { SourcePosition } from "../../runtime/errors.ts";
import { limits } from "../../runtime/limits.ts";
import type { WireError } from "../../runtime/wire-error.ts";
import { JsoncError, parseJsonc } from "../base/jsonc.ts";
import { scanModules } from "../base/scan-modules.ts";
import { readTextFile } from "../base/text-file.ts";
import type { PluginSpec } from "../spec.ts";

/**
 * Of a JSON file that is imported and is none Bun tells neither the name nor the place; both are found among what the
 * sources import. Undefined for every other error. Never throws.
 */
export async function locateBrokenJSON(
	{ message, data }: WireError,
	spec: Pick<PluginSpec, "path">,
): Promise<SourcePosition | undefined> {
	// What is parsed by a program has its stack.
	if (data?.name !== "SyntaxError" || !message.startsWith("JSON Parse error: ") || data.stack !== undefined)
		return undefined;
	const files = await scanModules(spec).catch(() => new Set<string>());
	for (const file of files) {
		const place = isJSON(file) ? await faultIn(file) : undefined;
		if (place !== undefined) return place;
	}
	return undefined;
}

/** Bun takes comments in the other two, and names them where they are broken. */
function isJSON(file: string): boolean {
	return extname(file) === ".json" && !["package.json", "tsconfig.json"].includes(basename(file));
}

async function faultIn(file: string): Promise<SourcePosition | undefined> {
	const source = await readTextFile(file, limits.text.documentBytesMax).catch(() => undefined);
	if (source === undefined || source.cut) return undefined;
	try {
		parseJsonc(source.text.replace(/^\ufeff/, ""), { strict: true });
		return undefined;
	} catch (error) {
		if (!(error instanceof JsoncError)) return undefined;
		const { line, column, message } = error;
		return { file, line, column, message };
	}
}
