import { isAbsolute, join, sep } from "node:path";
import { realpath } from "./files.ts";
import { describeFileError } from "./text-file.ts";

/**
 * Finds the real path of something inside a folder, and makes sure that it is inside once links are followed.
 *
 * @param relative with `/` between its parts; `.` is the folder itself
 * @throws Error whose message is the reason as a clause, to be put into the failure of the caller
 */
export async function confine(root: string, relative: string): Promise<string> {
	const reason = refuse(relative);
	if (reason !== undefined) throw new Error(reason);
	const realRoot = await realPathOf(root, `${root}: `);
	const path = await realPathOf(join(root, relative), "");
	if (!isInside(realRoot, path)) throw new Error(`a link leads out of ${root}, to ${path}`);
	return path;
}

/** Whether a path is a folder or lies below it, by its text alone. */
export function isInside(folder: string, path: string): boolean {
	// Without the separator "/plugins/a" would hold "/plugins/ab".
	return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function refuse(relative: string): string | undefined {
	if (relative === "") return "the path is empty";
	if (relative.includes("\0")) return "the path holds a null character";
	if (relative.includes("\\")) return "the path holds a backslash; write / between its parts";
	if (isAbsolute(relative)) return "the path is absolute; it must be relative to the plugin's folder";
	if (relative.split("/").includes("..")) return "the path holds .., which could leave the plugin's folder";
	return undefined;
}

async function realPathOf(path: string, prefix: string): Promise<string> {
	try {
		return await realpath(path);
	} catch (error) {
		throw new Error(prefix + describeFileError(error), { cause: error });
	}
}
