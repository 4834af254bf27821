import { basename, join, resolve } from "node:path";
import { failure } from "../../../runtime/errors.ts";

/**
 * The folder of a new plugin, whose last part is its name.
 *
 * @param given a name, or the path of a folder
 * @throws BroodError `usage` with a better one, for a name that a plugin cannot have, or that would be trouble
 */
export function folderOf(given: string, parent: string): string {
	const scoped = /^@[^/\\]*[/\\](.*)$/s.exec(given);
	const folder = resolve(parent, given);
	const name = scoped === null && given !== "" ? basename(folder) : given;
	const fault = scoped === null ? faultOf(name) : "a plugin has no scope";
	if (fault === undefined) return folder;
	const better = suggestionFor(scoped?.[1] ?? name);
	// The folders before it are as good as they were, where a shell takes them as they stand.
	const before = scoped === null ? given.slice(0, Math.max(0, given.lastIndexOf(name))) : "";
	const hint =
		better === undefined || !/^[\w./-]*$/.test(before)
			? "Take a name such as my-plugin."
			: `Try: brood new ${join(before, better)}`;
	throw failure("usage", { reason: `${JSON.stringify(name)} is no name for a new plugin: ${fault}`, hint });
}

function faultOf(name: string): string | undefined {
	if (name === "") return "it is empty";
	if (!/^[a-z\d]/i.test(name)) return "its first character is no letter from A to Z and no digit";
	if (!/^[\w-]+$/.test(name)) return "it has characters other than letters from A to Z, digits, - and _";
	if (name.length > nameCharsMax) return `it is longer than ${nameCharsMax} characters`;
	// What Bun finds by such a name is run as a test.
	if (/_(?:test|spec)$/i.test(name)) return "bun test would take its file for a test";
	return name === "node_modules" ? "no plugin is looked for in a folder of that name" : undefined;
}

// The name of its tool has room for as much again.
const nameCharsMax = 64;

/** The nearest name that is a good one. */
function suggestionFor(name: string): string | undefined {
	const plain = basename(name.replaceAll("\\", "/")).normalize("NFKD").replaceAll(/\p{M}/gu, "");
	const better = plain
		.replaceAll(/[^\w-]+/g, "-")
		.slice(0, nameCharsMax)
		.replaceAll(/^[-_]+|[-_]+$|_(?:test|spec)$/gi, "");
	return better === "" || faultOf(better) !== undefined ? undefined : better;
}
