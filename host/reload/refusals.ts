import { accessSync, constants } from "node:fs";

/** Whether it is no matter of a single file, which nobody may read or which is gone again: watching as such does not go on. */
export function isForAll(error: unknown): boolean {
	return limitCodes.has(codeOf(error));
}

/** Whether it is about a file or a folder that may not be read. */
export function isDenied(error: unknown): error is Error & { path: string } {
	return deniedCodes.has(codeOf(error)) && error instanceof Error && "path" in error && typeof error.path === "string";
}

/** Whether it is there, or may be, and may not be read. */
export function isUnreadable(path: string): boolean {
	try {
		accessSync(path, constants.R_OK);
		return false;
	} catch (error) {
		return deniedCodes.has(codeOf(error));
	}
}

/** No more watches, no more open files, no memory, and no such thing as watching. */
const limitCodes: ReadonlySet<string> = new Set([
	"ENOSPC",
	"EMFILE",
	"ENFILE",
	"ENOMEM",
	"ENOSYS",
	"ENOTSUP",
	"EOPNOTSUPP",
]);

const deniedCodes: ReadonlySet<string> = new Set(["EACCES", "EPERM"]);

function codeOf(error: unknown): string {
	return error instanceof Error && "code" in error ? String(error.code) : "";
}
