import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, relative, resolve } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import { failure } from "../../../runtime/errors.ts";
import { currentFolder, findWorkspaceRoot, pluginPlaces } from "../../base/paths.ts";
import { describeFileError } from "../../base/text-file.ts";
import type { CommandContext } from "../context.ts";
import { isPlace } from "../places.ts";
import { forScreen } from "../screen-text.ts";
import { alignColumns } from "../style.ts";
import { type FileReport, type FolderReport, type TypesFolder, updateFolder } from "../types/folder.ts";
import { testsIn } from "./test-files.ts";

export interface TypesOptions {
	/** Writes nothing, and fails where something would have to be written. */
	check?: boolean;
}

/**
 * `brood types`: lets editors and tsc know the types that plugins import, with no package installed.
 *
 * @param dir a folder of plugins; the plugin places of the workspace when absent
 * @returns 1 when with `check` something is missing or stale
 * @throws BroodError `usage` when there is no such folder, or no place
 */
export async function types(
	{ options, output }: CommandContext,
	dir: string | undefined,
	{ check = false }: TypesOptions,
): Promise<number> {
	const cwd = resolve(options.cwd ?? currentFolder());
	const folders = dir === undefined ? projectFolders(cwd) : [await namedFolder(resolve(cwd, dir))];
	const reports: FolderReport[] = [];
	for (const folder of folders) reports.push(await updated(folder, check));
	const files = reports.flatMap((report) => report.files);
	const isFine = files.every(({ state }) => !unfinished.has(state));
	if (output.json) output.result(JSON.stringify({ ok: isFine, version: manifest.version, folders: reports }));
	else {
		output.result(alignColumns(files.map((file) => describeFile(file, cwd))).join("\n"));
		for (const note of reports.flatMap(adviceOn)) output.note(note);
		if (check && !isFine)
			output.note(`What is missing or stale is written by: brood types${dir === undefined ? "" : ` ${dir}`}`);
	}
	return isFine ? 0 : 1;
}

const unfinished = new Set(["missing", "stale"]);

async function updated(folder: TypesFolder, check: boolean): Promise<FolderReport> {
	try {
		return await updateFolder(folder, manifest.version, check);
	} catch (error) {
		const reason = `The types of ${folder.path} cannot be written: ${describeFileError(error, "write")}`;
		throw failure("usage", { reason, cause: error });
	}
}

function projectFolders(cwd: string): TypesFolder[] {
	const root = findWorkspaceRoot(cwd);
	const places = pluginPlaces(root, null).filter(({ path }) => existsSync(path));
	if (places.length > 0) return places.map(({ path }) => besidePlace(path));
	const hint = "Make .brood/plugins, or name the folder of your plugins: brood types DIR.";
	throw failure("usage", { reason: `The workspace ${root} has no plugin place`, hint });
}

async function namedFolder(path: string): Promise<TypesFolder> {
	const facts = await stat(path).catch(() => undefined);
	if (facts?.isDirectory() !== true) {
		const reason = `${path} is ${facts === undefined ? "not there" : "no folder"}`;
		throw failure("usage", { reason, hint: "Name a folder of plugins." });
	}
	return isPlace(path) ? besidePlace(path) : { path };
}

/** A place holds plugins only: what is for editors lies beside it. */
function besidePlace(path: string): TypesFolder {
	return { path: dirname(path), include: [basename(path)] };
}

function describeFile({ path, state, note }: FileReport, cwd: string): string[] {
	const shown = relative(cwd, path);
	return [
		state,
		forScreen(shown.startsWith("..") ? path : shown, 1),
		...(note === undefined ? [] : [forScreen(note, 1)]),
	];
}

function adviceOn({ folder, bunTypes, testTypes }: FolderReport): string[] {
	const bun = `Bun.*, node: and process have no types in ${folder}: run "bun add --dev bun-types", and this again.`;
	const tests = `brood/test has no types in ${folder}: run "bun add --dev brood".`;
	return [
		...(bunTypes === "missing" ? [bun] : []),
		...(testTypes === "missing" && testsIn(folder).length > 0 ? [tests] : []),
	];
}
