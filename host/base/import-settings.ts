import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { limits } from "../../runtime/limits.ts";
import type { Json, JsonObject } from "../../runtime/records.ts";
import { JsoncError, parseJsonc } from "./jsonc.ts";
import { describeFileError, readTextFile } from "./text-file.ts";

/** What a tsconfig makes of the imports of a folder. */
export interface ImportSettings {
	/** What of it cannot be read, itself or one that it extends; Bun goes on without that. */
	fault: SettingsFault | undefined;
	/** Whether it extends one that only Bun can find. */
	isUnclear: boolean;
	/** Where it sends an import; undefined where it says nothing of it. */
	meaningOf(specifier: string): ImportMeaning | undefined;
}

export interface SettingsFault {
	path: string;
	reason: string;
	line?: number;
	column?: number;
}

export interface ImportMeaning {
	/** The file that says so. */
	path: string;
	targets: string[];
}

/** Reads the tsconfig that Bun takes for a folder; undefined where there is none. */
export async function readImportSettings(folder: string): Promise<ImportSettings | undefined> {
	for (const ancestor of ancestorsOf(folder)) {
		for (const name of ["tsconfig.json", "jsconfig.json"]) {
			const path = join(ancestor, name);
			if (existsSync(path)) return await settingsAt(path, extendsMax);
		}
	}
	return undefined;
}

/** The folder, and all that it lies in. */
export function ancestorsOf(folder: string): string[] {
	const parent = dirname(folder);
	return parent === folder ? [folder] : [folder, ...ancestorsOf(parent)];
}

// A longer chain is a circle.
const extendsMax = 16;

async function settingsAt(path: string, left: number): Promise<ImportSettings> {
	const read = await readSettings(path);
	if (left === 0 || "reason" in read) {
		return { fault: "reason" in read ? read : undefined, isUnclear: left === 0, meaningOf: () => undefined };
	}
	const { baseUrl, paths } = objectOf(read.settings.compilerOptions);
	const base = typeof baseUrl === "string" ? resolve(dirname(path), baseUrl) : undefined;
	const parents = [read.settings.extends ?? []].flat();
	// Where a package keeps its settings is for Bun to find.
	const near = parents.filter((parent) => typeof parent === "string").filter((parent) => /^[./]/.test(parent));
	const inherited = await Promise.all(
		near.map((parent) => {
			const file = resolve(dirname(path), parent);
			return settingsAt(existsSync(file) || file.endsWith(".json") ? file : `${file}.json`, left - 1);
		}),
	);
	return {
		fault: inherited.find(({ fault }) => fault !== undefined)?.fault,
		isUnclear: near.length < parents.length || inherited.some(({ isUnclear }) => isUnclear),
		meaningOf(specifier) {
			const own = targetsIn(objectOf(paths), specifier);
			if (own !== undefined) return { path, targets: own.map((target) => resolve(base ?? dirname(path), target)) };
			if (base !== undefined && existsSync(join(base, specifier.split("/", 1)[0] ?? ""))) {
				return { path, targets: [join(base, specifier)] };
			}
			return inherited.flatMap((one) => one.meaningOf(specifier) ?? []).at(-1);
		},
	};
}

/** What stands behind the pattern that fits best, with what the star stands for put in. */
function targetsIn(paths: JsonObject, specifier: string): string[] | undefined {
	let best: { rest: string; length: number; targets: Json | undefined } | undefined;
	for (const [pattern, targets] of Object.entries(paths)) {
		const [start = "", end] = pattern.split("*");
		const isExact = end === undefined;
		const fits = isExact
			? specifier === start
			: specifier.length >= start.length + end.length && specifier.startsWith(start) && specifier.endsWith(end);
		const length = isExact ? Number.POSITIVE_INFINITY : start.length;
		if (!fits || (best !== undefined && best.length >= length)) continue;
		const rest = isExact ? "" : specifier.slice(start.length, specifier.length - end.length);
		best = { rest, length, targets };
	}
	if (best === undefined) return undefined;
	const { rest, targets } = best;
	const written = Array.isArray(targets) ? targets.filter((target) => typeof target === "string") : [];
	return written.map((target) => target.replace("*", () => rest));
}

async function readSettings(path: string): Promise<{ settings: JsonObject } | SettingsFault> {
	let text: string;
	try {
		({ text } = await readTextFile(path, limits.text.documentBytesMax));
	} catch (error) {
		return { path, reason: describeFileError(error) };
	}
	try {
		return { settings: objectOf(parseJsonc(text)) };
	} catch (error) {
		if (!(error instanceof JsoncError)) throw error;
		const { message: reason, line, column } = error;
		const read = readLikeBun(text);
		return read === undefined ? { path, reason, line, column } : { settings: read };
	}
}

/** Bun allows a little more than we do, and it is Bun that must be able to read them. */
function readLikeBun(text: string): JsonObject | undefined {
	try {
		return objectOf(JSON.parse(JSON.stringify(Bun.JSONC.parse(text)) ?? "null"));
	} catch {
		return undefined;
	}
}

function objectOf(value: Json | undefined): JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
