import type { Json, JsonObject } from "../../../runtime/records.ts";
import { JsoncError, parseJsonc } from "../../base/jsonc.ts";
import { setMembers } from "../../base/jsonc-edit.ts";
import { settingsHeader } from "./declaration.ts";

export interface SettingsNeeds {
	version: string;
	/** The name of the declaration, beside the settings. */
	declaration: string;
	/** The folders to check; all that lies beside the settings when absent. */
	include?: readonly string[];
	/** Settings further up, which hold for plugins until now and go on to do so. */
	base?: string;
	/** The package with the types of Bun; without it the types of a browser stand in. */
	bunTypes?: string;
	/** Folders with that package, and with modules that no package has; without any, `node_modules` is looked through. */
	typeRoots?: readonly string[];
	/** Whether the sources of brood are read, because it has no declarations. */
	sources?: true;
}

/** Settings for a folder that has none: what Bun understands, checked strictly, and nothing written. */
export function writeSettings({
	version,
	declaration,
	include,
	base,
	bunTypes,
	typeRoots = [],
	sources,
}: SettingsNeeds): string {
	const compilerOptions = {
		target: "ESNext",
		lib: bunTypes === undefined ? ["ESNext", "DOM"] : ["ESNext"],
		module: "Preserve",
		moduleResolution: "bundler",
		moduleDetection: "force",
		...(sources === undefined ? {} : forSources),
		...(typeRoots.length === 0 ? {} : { typeRoots }),
		types: bunTypes === undefined ? [] : [bunTypes],
		allowImportingTsExtensions: true,
		allowJs: true,
		resolveJsonModule: true,
		noEmit: true,
		// What further up makes an editor write or confines what is read would make the check fail.
		...(base === undefined ? {} : withoutOutput),
		strict: true,
		skipLibCheck: true,
	};
	const settings = {
		...(base === undefined ? {} : { extends: base }),
		compilerOptions,
		...(include === undefined && base === undefined ? {} : { include: include ?? ["."] }),
		...(include === undefined ? {} : { files: [declaration] }),
		...(base === undefined ? {} : { exclude: ["**/node_modules"] }),
	};
	const text = JSON.stringify(settings, null, "\t").replaceAll(/\[[^[\]]*\]/g, onOneLine);
	return `${settingsHeader(version)}\n${text}\n`;
}

const sourceCondition = "bun";
// What is read with the settings of a folder is checked by them; the sources of brood are written for the second.
const forSources = { customConditions: [sourceCondition], exactOptionalPropertyTypes: true };

const withoutOutput = {
	composite: false,
	declaration: false,
	declarationDir: null,
	declarationMap: false,
	emitDeclarationOnly: false,
	isolatedDeclarations: false,
	outDir: null,
	rootDir: null,
};

function onOneLine(list: string): string {
	return list.replaceAll(/\n\t*/g, " ").replace("[ ", "[").replace(" ]", "]");
}

/** The types of Bun as settings name them. */
export interface NamedTypes {
	/** The package; undefined where none is known. */
	name: string | undefined;
	/** The folders that it is looked for in. */
	roots: readonly string[];
}

/** What settings of ours name, as it was when they were written. */
export function typesIn(text: string): NamedTypes {
	const { types, typeRoots } = objectIn(objectIn(read(text)).compilerOptions);
	return { name: textsIn(types)[0], roots: textsIn(typeRoots) };
}

/** Whether settings of ours have the sources of packages read. */
export function readsSources(text: string): boolean {
	return textsIn(objectIn(objectIn(read(text)).compilerOptions).customConditions)[0] === sourceCondition;
}

function textsIn(list: Json | undefined): string[] {
	return Array.isArray(list) ? list.filter((entry) => typeof entry === "string") : [];
}

/** What settings of somebody else need to see the declaration: nothing, a text with one member more, or a person. */
export type Coverage = { kind: "covered" } | { kind: "edit"; text: string } | { kind: "advice"; reason: string };

/** Looks for the declaration in settings that somebody else wrote. */
export function coverageOf(text: string, declaration: string): Coverage {
	let settings: Json;
	try {
		settings = parseJsonc(text);
	} catch (error) {
		if (!(error instanceof JsoncError)) throw error;
		return { kind: "advice", reason: `it cannot be read: ${error.message}, at ${error.line}:${error.column}` };
	}
	if (settings !== objectIn(settings)) return { kind: "advice", reason: "it cannot be read: it is no object" };
	const { files, include, exclude, references, extends: base } = settings;
	const names = (list: Json | undefined) =>
		Array.isArray(list) && list.some((entry) => typeof entry === "string" && coversBeside(entry, declaration));
	// What is excluded is left out of what is included; files are read all the same.
	const isExcluded = names(exclude);
	if (names(files) || (names(include) && !isExcluded)) return { kind: "covered" };
	const list = files === undefined && include !== undefined && !isExcluded ? "include" : "files";
	const add = `add "${declaration}" to its "${list}"`;
	if (base !== undefined) {
		// What is inherited may be anything, and a list of one's own takes its place.
		return { kind: "advice", reason: `it extends other settings: unless they include it, ${add}` };
	}
	if (Array.isArray(files) && files.length === 0 && references !== undefined) {
		const reason = `it only names other projects: add "${declaration}" to the "files" of the one with the plugins`;
		return { kind: "advice", reason };
	}
	if (files !== undefined) return { kind: "advice", reason: `it names each file: ${add}` };
	if (include === undefined && !isExcluded) return { kind: "covered" };
	// Where files are named, no more is included without saying so.
	const all: [string, Json][] = include === undefined ? [["include", ["**/*"]]] : [];
	return { kind: "edit", text: setMembers(text, [...all, ["files", [declaration]]]) };
}

/** Whether an entry of `files`, `include` or `exclude` means a file that lies beside the settings. */
function coversBeside(entry: string, declaration: string): boolean {
	const pattern = entry.replace(/^(?:\$\{configDir\}|\.)(?:\/|$)/, "").replace(/\/$/, "");
	// Stars and question marks are all that settings know.
	return pattern === "" || new Bun.Glob(pattern.replaceAll(/[\\{}[\]!]/g, "\\$&")).match(declaration);
}

function read(text: string): Json {
	try {
		return parseJsonc(text);
	} catch (error) {
		if (error instanceof JsoncError) return {};
		throw error;
	}
}

function objectIn(value: Json | undefined): JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
