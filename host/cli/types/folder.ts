import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { limits } from "../../../runtime/limits.ts";
import { changeFile } from "../../base/change-file.ts";
import { isMissing, readTextFile } from "../../base/text-file.ts";
import { hasBroodSources, installedBunTypes, isLinked, linkBunTypes, ownBunTypes, typeRoot } from "./bun-types.ts";
import { declarePlugin, isWrittenByBrood, type Standing, standingOf } from "./declaration.ts";
import { linkTestTypes, ownTestTypes, type TestTypes, testTypesOf } from "./test-types.ts";
import {
	type Coverage,
	coverageOf,
	type NamedTypes,
	readsSources,
	type SettingsNeeds,
	typesIn,
	writeSettings,
} from "./tsconfig.ts";

/** A folder that gets a declaration and settings. */
export interface TypesFolder {
	path: string;
	/** What of it is checked; all when absent. */
	include?: readonly string[];
}

/** What became of a file, or would have: with `check` nothing is written. */
export type FileState = "written" | "updated" | "unchanged" | "missing" | "stale" | "kept";

export interface FileReport {
	path: string;
	state: FileState;
	/** What a person has to know or do about it. */
	note?: string;
}

export interface FolderReport {
	folder: string;
	files: FileReport[];
	/** Where types of Bun come from. */
	bunTypes: "installed" | "linked" | "missing";
	/** The same of those of `brood/test`. */
	testTypes: TestTypes;
}

const linkedName = "bun-types";
const ownRoot = `./${typeRoot}`;
const declarationName = "brood-plugin.d.ts";
const settingsName = "tsconfig.json";

/** Brings the files of one folder up to date, or with `check` only says what is not. @throws Error of the file system */
export async function updateFolder(folder: TypesFolder, version: string, check: boolean): Promise<FolderReport> {
	const installed = installedBunTypes(folder.path);
	const files = [await updateDeclaration(folder, version, check)];
	const settings = join(folder.path, settingsName);
	const existing = await readText(settings);
	const isOurs = existing === undefined || isWrittenByBrood(existing);
	const own = installed === undefined && isOurs && !check ? ownBunTypes() : undefined;
	if (own !== undefined) await linkBunTypes(folder.path, own);
	const linked = installed === undefined && isLinked(folder.path);
	const ownTests = isOurs && !check && testTypesOf(folder.path) !== "installed" ? ownTestTypes() : undefined;
	if (ownTests !== undefined) await linkTestTypes(folder.path, ownTests.path);
	const testTypes = testTypesOf(folder.path);
	if (existing !== undefined && !isOurs) files.push(await adjustSettings(settings, existing, check));
	else {
		const before = typesIn(existing ?? "{}");
		const { name: bunTypes, roots } = namedTypes({ installed, linked, testTypes, before });
		const needs: SettingsNeeds = { version, declaration: declarationName, typeRoots: roots };
		if (folder.include !== undefined) needs.include = folder.include;
		if (bunTypes !== undefined) needs.bunTypes = bunTypes;
		const readsOwn = ownTests?.isSource === true || hasBroodSources(folder.path, folder.include);
		if (readsOwn || readsSources(existing ?? "{}")) needs.sources = true;
		const base = settingsAbove(folder.path);
		if (base !== undefined) needs.base = base;
		files.push(await update(settings, existing, writeSettings(needs), check));
	}
	return {
		folder: folder.path,
		files,
		bunTypes: installed !== undefined ? "installed" : linked ? "linked" : "missing",
		testTypes,
	};
}

interface Present {
	installed: ReturnType<typeof installedBunTypes>;
	linked: boolean;
	testTypes: TestTypes;
	before: NamedTypes;
}

/** What settings are to name. Where types are missing today, as in a fresh checkout, those that name them stay as they are. */
function namedTypes({ installed, linked, testTypes, before }: Present): NamedTypes {
	if (linked) return { name: linkedName, roots: [ownRoot] };
	const isNeeded = testTypes === "linked" || (testTypes === "missing" && before.roots.includes(ownRoot));
	if (installed !== undefined) return { name: installed.name, roots: isNeeded ? [ownRoot, installed.root] : [] };
	return { name: before.name, roots: isNeeded ? [...new Set([ownRoot, ...before.roots])] : before.roots };
}

async function updateDeclaration({ path }: TypesFolder, version: string, check: boolean): Promise<FileReport> {
	const file = join(path, declarationName);
	return update(file, await readText(file), declarePlugin(await readAuthorTypes(), version), check);
}

/** The types that plugins import, as this package carries them. */
async function readAuthorTypes() {
	const child = join(import.meta.dir, "../../../child");
	const names = (await readdir(join(child, "types"))).filter((name) => name.endsWith(".ts")).sort();
	const files = [...names.map((name) => `types/${name}`), "define.ts"];
	return Promise.all(files.map(async (name) => ({ name, text: await Bun.file(join(child, name)).text() })));
}

async function update(path: string, existing: string | undefined, wanted: string, check: boolean): Promise<FileReport> {
	const standing: Standing | "missing" = existing === undefined ? "missing" : standingOf(existing, wanted);
	if (standing === "same") return { path, state: "unchanged" };
	if (standing === "newer") return { path, state: "kept", note: "a newer brood wrote it" };
	if (standing === "foreign")
		return { path, state: "kept", note: "brood did not write it: move it away and run again" };
	if (check) return { path, state: standing === "missing" ? "missing" : "stale" };
	await Bun.write(path, wanted);
	return { path, state: standing === "missing" ? "written" : "updated" };
}

/** Lets settings of a person see the declaration, where one member more is enough. */
async function adjustSettings(path: string, existing: string, check: boolean): Promise<FileReport> {
	const seen = coverageOf(existing, declarationName);
	const { kind } = seen;
	if (kind === "edit" && check) return { path, state: "stale", note: `its "files" do not name "${declarationName}"` };
	const coverage = kind === "edit" ? await editSettings(path) : seen;
	if (coverage.kind === "covered") return { path, state: "unchanged" };
	if (coverage.kind === "advice") return { path, state: "kept", note: coverage.reason };
	return { path, state: "updated", note: `its "files" name "${declarationName}" now` };
}

/** Judges what is there by now, and changes it. */
async function editSettings(path: string): Promise<Coverage> {
	let coverage: Coverage = { kind: "advice", reason: "it was removed meanwhile: run this again" };
	await changeFile(path, limits.text.documentBytesMax, (text) => {
		if (text === undefined) return undefined;
		const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
		coverage = coverageOf(text.slice(mark.length), declarationName);
		return coverage.kind === "edit" ? mark + coverage.text : undefined;
	});
	return coverage;
}

/** The nearest settings above a folder, relative to it: Bun takes paths and JSX of plugins from there. */
function settingsAbove(folder: string): string | undefined {
	for (let above = dirname(folder); ; above = dirname(above)) {
		const candidate = join(above, settingsName);
		if (existsSync(candidate)) return relative(folder, candidate);
		if (above === dirname(above)) return undefined;
	}
}

async function readText(path: string): Promise<string | undefined> {
	try {
		const { text, cut } = await readTextFile(path, limits.text.documentBytesMax);
		if (cut) throw new Error(`${basename(path)} is larger than ${limits.text.documentBytesMax} bytes`);
		return text;
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}
