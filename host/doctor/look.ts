import { constants, type Stats } from "node:fs";
import { access, lstat, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { describeFileError, describeFileType, isMissing } from "../base/text-file.ts";

/** Whether a folder can be written to, also one that would have to be made; the reason as a clause where it cannot. */
export async function whyNotWritable(path: string): Promise<string | undefined> {
	const facts = await stat(path).catch((error: unknown) => error);
	if (facts instanceof Error) {
		if (!isMissing(facts)) return `${path}: ${describeFileError(facts)}`;
		// A link that leads nowhere is there, and nothing can be made in its place.
		if (await isThere(path)) return `${path} is a link that leads nowhere`;
		return path === dirname(path) ? describeFileError(facts) : await whyNotWritable(dirname(path));
	}
	if (!(facts as Stats).isDirectory()) return `${path} is ${describeFileType(facts as Stats)}, not a directory`;
	return await access(path, constants.W_OK | constants.X_OK).then(
		() => undefined,
		(error: unknown) => `${path}: ${describeWriteError(error)}`,
	);
}

/** Whether there is anything, a link that leads nowhere included. */
export async function isThere(path: string): Promise<boolean> {
	return await lstat(path).then(
		() => true,
		() => false,
	);
}

function describeWriteError(error: unknown): string {
	const code = error instanceof Error && "code" in error ? error.code : undefined;
	if (code === "EACCES" || code === "EPERM") return "permission to write to it is denied";
	return code === "EROFS" ? "it lies on a file system that is read-only" : describeFileError(error);
}
