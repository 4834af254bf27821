import { basename, dirname } from "node:path";
import { type BroodError, failure } from "../../../runtime/errors.ts";

/** Refuses a name that a new plugin cannot have, or that would be trouble. @throws BroodError `usage` with a better one */
export function checkName(name: string): void {
	const fault = faultOf(name);
	if (fault !== undefined) throw refusal(name, fault);
}

function faultOf(name: string): string | undefined {
	if (name === "") return "it is empty";
	if (/^@[^/\\]*[/\\]/.test(name)) return "a plugin has no scope";
	if (/[/\\]/.test(name)) return "it is a path";
	if (!/^[a-z\d]/i.test(name)) return "its first character is no letter from A to Z and no digit";
	if (!/^[\w-]+$/.test(name)) return "it has characters other than letters from A to Z, digits, - and _";
	if (name.length > nameCharsMax) return `it is longer than ${nameCharsMax} characters`;
	// What Bun finds by such a name is run as a test.
	if (/_(?:test|spec)$/i.test(name)) return "bun test would take its file for a test";
	return name === "node_modules" ? "no plugin is looked for in a folder of that name" : undefined;
}

// The name of its tool has room for as much again.
const nameCharsMax = 64;

function refusal(name: string, fault: string): BroodError {
	const better = suggestionFor(name);
	const hint =
		better === undefined ? "Take a name such as my-plugin." : `Try: brood ${folderOption(name)}new ${better}`;
	return failure("usage", { reason: `${JSON.stringify(name)} is no name for a new plugin: ${fault}`, hint });
}

/** The nearest name that is a good one. */
function suggestionFor(name: string): string | undefined {
	const plain = basename(name.replaceAll("\\", "/")).normalize("NFKD").replaceAll(/\p{M}/gu, "");
	const better = plain
		.replaceAll(/[^\w-]+/g, "-")
		.slice(0, nameCharsMax)
		.replaceAll(/^[-_]+|[-_]+$|_(?:test|spec)$/gi, "");
	return better === "" || faultOf(better) !== undefined ? undefined : better;
}

/** Where a path says that the plugin is to lie, as an option. */
function folderOption(name: string): string {
	const folder = dirname(name);
	return name.startsWith("@") || folder === "." || !/^[\w./-]+$/.test(folder) ? "" : `--cwd ${folder} `;
}
