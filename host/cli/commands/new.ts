import { realpathSync } from "node:fs";
import { mkdir, readdir, symlink } from "node:fs/promises";
import { basename, dirname, extname, isAbsolute, join, relative, resolve } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import { failure } from "../../../runtime/errors.ts";
import { currentFolder } from "../../base/paths.ts";
import { pluginSuffixes } from "../../sources/candidate.ts";
import type { CommandContext } from "../context.ts";
import { reportWarning, type Warning } from "../failure.ts";
import { asWord, ownCommand } from "../own-command.ts";
import { ownPackage } from "../own-package.ts";
import { isPlace, requireDirectory } from "../places.ts";
import { forScreen } from "../screen-text.ts";
import { watchSignals } from "../session.ts";
import { alignColumns } from "../style.ts";
import { templates } from "../templates/kinds.ts";
import type { Form, Scaffold } from "../templates/template.ts";
import { findPackage } from "../types/bun-types.ts";
import { updateFolder } from "../types/folder.ts";
import { inTheWay, makeFolder } from "./new-folder.ts";
import { folderOf } from "./new-name.ts";

export interface NewOptions {
	/** The system that the plugin is for. */
	kind: string;
	/** Makes the folder itself the plugin. */
	directory?: true;
}

/**
 * `brood new`: makes a folder with a plugin that works, its tests and its types, without a network.
 *
 * @param given its name, or the path of its folder
 * @throws BroodError `usage` when the name is no good, something is in the way, or it cannot be written; nothing is left then
 */
export async function newPlugin({ options, output }: CommandContext, given: string, own: NewOptions): Promise<number> {
	const start = resolve(options.cwd ?? currentFolder());
	const folder = folderOf(given, start);
	const [parent, name] = [dirname(folder), basename(folder)];
	const template = templates.get(own.kind);
	if (template === undefined) {
		const reason = `There is no kind "${own.kind}" of plugins`;
		throw failure("usage", { reason, hint: `The kinds are: ${[...templates.keys()].join(", ")}.` });
	}
	if (options.cwd !== undefined) await requireDirectory(options.cwd);
	const inPlace = isPlace(parent);
	// A place has no other folders of plugins: what lies in one of them is found as a directory only.
	const form: Form = own.directory === true || inPlace ? "directory" : "file";
	if (inPlace) await refuseSameName(parent, name);
	const scaffold = template(name, form);
	const warnings: Warning[] = [];
	const watch = watchSignals();
	try {
		await makeFolder(
			folder,
			async (draft) => {
				for (const [file, text] of Object.entries(scaffold.files)) await Bun.write(join(draft, file), text);
				warnings.push(...(await addPackage(draft)));
			},
			watch.signal,
		);
	} finally {
		watch.release();
	}
	const files = (await readdir(folder)).filter((file) => file !== ".git").sort();
	const { plugin, test, tool, command } = scaffold;
	if (output.json)
		output.result(JSON.stringify({ ok: true, name, kind: own.kind, form, folder, plugin, test, tool, command, files }));
	else {
		const isNear = options.cwd === undefined && !isAbsolute(given);
		output.result(describe(scaffold, files, forScreen(isNear ? relative(start, folder) : folder, 1)));
	}
	for (const warning of warnings) reportWarning(warning, output);
	return 0;
}

/** Of two plugins with one name in a place one hides the other. */
async function refuseSameName(place: string, name: string): Promise<void> {
	const entries = await readdir(place).catch(() => []);
	const twin = entries.find(
		(entry) => pluginSuffixes.includes(extname(entry)) && basename(entry, extname(entry)) === name,
	);
	if (twin !== undefined) throw inTheWay(join(place, twin), "a plugin of that name");
}

/** Lets what is imported from brood be found, by Bun and by TypeScript. @returns what is missing for that */
async function addPackage(draft: string): Promise<Warning[]> {
	const root = ownPackage();
	if (root === undefined) {
		const message =
			'This brood is one compiled file, with no package to link: until "bun add --dev brood bun-types" was run in the new folder, nothing there finds brood/test; "bunx brood types ." then brings the types.';
		return [{ message }];
	}
	const installed = findPackage(dirname(draft), "brood");
	if (installed === undefined || realpathSync(installed) !== root) {
		await mkdir(join(draft, "node_modules"));
		await symlink(root, join(draft, "node_modules/brood"), "junction");
	}
	const { bunTypes } = await updateFolder({ path: draft }, manifest.version, false);
	if (bunTypes !== "missing") return [];
	const message = `Bun.* and bun:test have no types in the new folder: run "bun add --dev bun-types" there, and "${ownCommand()} types .".`;
	return [{ message }];
}

/** What was made, and what to do with it. @param shown the way to it; empty when that is where the person is */
function describe({ plugin, test, tool }: Scaffold, files: readonly string[], shown: string): string {
	const roles: Record<string, string> = {
		[plugin]: "the plugin: a tool and a command",
		[test]: "its tests",
		"README.md": "how to go on",
		"brood-plugin.d.ts": "the types that it imports, for editors and tsc",
		"tsconfig.json": "settings for these",
		node_modules: "leads to this brood, so that tests find brood/test",
	};
	const named = [plugin, test, ...files].filter((file, index, all) => file in roles && all.indexOf(file) === index);
	const brood = ownCommand();
	const steps = [
		...(shown === "" ? [] : [`cd ${asWord(shown)}`]),
		"bun test",
		`${brood} dev .`,
		`${brood} -p . call ${tool} '{"name":"Ada"}'`,
	];
	return [
		`made ${shown === "" ? "the plugin here" : shown}`,
		...alignColumns(named.map((file) => [`  ${file}`, roles[file] ?? ""])),
		"next",
		...steps.map((step) => `  ${step}`),
	].join("\n");
}
