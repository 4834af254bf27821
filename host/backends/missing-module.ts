import { dirname, isAbsolute, join, sep } from "node:path";
import type { SourcePosition } from "../../runtime/errors.ts";
import { limits } from "../../runtime/limits.ts";
import type { MissingModule } from "../../runtime/protocol.ts";
import { isInside } from "../base/confine.ts";
import { realpath, stat } from "../base/files.ts";
import { revealHidden } from "../base/hidden.ts";
import { readImportSettings } from "../base/import-settings.ts";
import { readTextFile } from "../base/text-file.ts";
import type { Launch } from "../contracts/services.ts";
import type { PluginSpec } from "../spec.ts";
import { advise } from "./missing-advice.ts";

/** What can be said of an import that found nothing, beside Bun's message. */
export interface MissingFacts {
	/** What to do about it; undefined where the message says it all. */
	hint: string | undefined;
	/** Why the package could not be fetched. */
	note: string | undefined;
	/** Where it is imported; Bun tells the file alone. */
	position: SourcePosition | undefined;
}

/** Looks at the disk for what an import that found nothing is about. Never throws. */
export async function explainMissing(
	missing: MissingModule,
	{ root }: Pick<PluginSpec, "root">,
	{ form, install }: Pick<Launch, "form" | "install">,
): Promise<MissingFacts> {
	// A hostile child may say anything; real ones are far shorter.
	const specifier = missing.specifier.slice(0, specifierCharsMax);
	const isPath = isAbsolute(missing.referrer) && missing.referrer.length <= pathCharsMax;
	const referrer = isPath ? missing.referrer : "";
	const { note } = missing;
	const folder = install === "auto" ? root : await folderOf(referrer, root);
	const from = referrer === "" ? root : dirname(referrer);
	const isInstalled = (name: string) => isNear(name, from);
	const plain = await advise({ specifier, form, install, folder, isInstalled, note });
	const hint = plain === undefined ? undefined : await withSettings(plain, specifier, from);
	// The address of a registry may hold a password.
	const shown = note?.slice(0, noteCharsMax).replaceAll(/\/\/[^/\s@]*@/g, "//");
	return {
		hint: hint === undefined ? undefined : revealHidden(hint),
		note: shown,
		position: await locate({ specifier, referrer }),
	};
}

/** The same of Bun's error for an import that a handler made. */
export function readMissing({ name, message }: Error): MissingModule | undefined {
	if (name !== "ResolveMessage") return undefined;
	const found = /^Cannot find (?:package|module) '([^']+)'(?: imported from |\nRequire stack:\n- )(.+)/.exec(message);
	return found === null ? undefined : { specifier: found[1] ?? "", referrer: found[2] ?? "" };
}

/** Bun takes an address for the path of a file, and tells neither that it is one nor who imports it. */
export function addressIn({ message }: Error, { path }: Pick<PluginSpec, "path">): MissingModule | undefined {
	const specifier = /^ENOENT reading "(https?:[^"]*)"$/.exec(message)?.[1];
	return specifier === undefined ? undefined : { specifier, referrer: path };
}

/** A tsconfig that gives the import a meaning, or may do so and cannot be read, is why nothing is found. */
async function withSettings(advice: string, specifier: string, folder: string): Promise<string> {
	if (/^[a-z][a-z+.-]*:/.test(specifier) || `${folder}/`.includes("/node_modules/")) return advice;
	const settings = await readImportSettings(folder);
	const meaning = settings?.meaningOf(specifier);
	if (meaning !== undefined) {
		const targets = meaning.targets.length === 0 ? "nowhere" : `to ${meaning.targets.join(" or ")}`;
		return `${meaning.path} sends it ${targets}, and nothing is found there: correct its "paths" or "baseUrl".`;
	}
	if (settings?.fault === undefined) return advice;
	const { path, reason, line, column } = settings.fault;
	const place = line === undefined ? "" : `, at ${line}:${column}`;
	const other = advice.charAt(0).toLowerCase() + advice.slice(1);
	return `Mend ${path}, whose "paths" count for nothing until then: ${reason}${place}. If that is not why: ${other}`;
}

// npm allows names of 214 characters; a path follows.
const specifierCharsMax = 1_000;
const pathCharsMax = 4_096;
// Bun writes one sentence with an address in it.
const noteCharsMax = 1_000;

/** Where a package must be added for that file to find it. */
async function folderOf(referrer: string, root: string): Promise<string> {
	const realRoot = await realpath(root).catch(() => root);
	if (referrer === "" || isInside(root, referrer) || isInside(realRoot, referrer)) return root;
	// What a package of another project misses is missing in that project.
	const [project] = referrer.split(`${sep}node_modules${sep}`, 1);
	return project === referrer || project === undefined ? dirname(referrer) : project;
}

/** Whether a package lies where an import in that folder looks. */
async function isNear(name: string, folder: string): Promise<boolean> {
	const found = await stat(join(folder, "node_modules", name)).catch(() => undefined);
	if (found !== undefined) return true;
	return folder === dirname(folder) ? false : await isNear(name, dirname(folder));
}

/** Where a file names what it imports; Bun may name the package alone. */
async function locate({ specifier, referrer }: MissingModule): Promise<SourcePosition | undefined> {
	if (referrer === "") return undefined;
	const file = await readTextFile(referrer, limits.text.documentBytesMax).catch(() => undefined);
	const lines = file?.text.split(/\r\n|\r|\n/) ?? [];
	const quoted = ['"', "'", "`"].flatMap((quote) => [`${quote}${specifier}${quote}`, `${quote}${specifier}/`]);
	for (const [index, lineText] of lines.entries()) {
		const text = quoted.find((one) => lineText.includes(one));
		if (text === undefined || /^\s*(?:\/\/|\*)/.test(lineText)) continue;
		return { file: referrer, line: index + 1, column: lineText.indexOf(text) + 1 };
	}
	return undefined;
}
