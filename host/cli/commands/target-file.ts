import { existsSync } from "node:fs";
import { open, rm, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { failure } from "../../../runtime/errors.ts";
import { describeFileError } from "../../base/text-file.ts";

/** A file that a command writes when it is done. */
export interface Target {
	/** Absolute. */
	path: string;
	/** @throws BroodError `usage` when it cannot be written any more */
	write(text: string): Promise<void>;
}

/** Finds out now whether a file can be written later; nothing of it is changed. @throws BroodError `usage` */
export async function openTarget(given: string): Promise<Target> {
	const path = resolve(given);
	try {
		const exists = await stat(path).then(
			() => true,
			() => false,
		);
		const handle = await open(path, exists ? "r+" : "wx");
		await handle.close();
		// A command that is given up leaves no empty file.
		if (!exists) await rm(path);
	} catch (error) {
		const isMissing = !existsSync(dirname(path));
		throw unwritable(given, error, isMissing ? "its folder does not exist" : "its folder takes no new file");
	}
	return {
		path,
		async write(text) {
			await Bun.write(path, text).catch((error: unknown) => {
				throw unwritable(given, error, "its folder has gone");
			});
		},
	};
}

/** @param nowhere what is told when there is no such place */
function unwritable(path: string, error: unknown, nowhere: string) {
	const code = error instanceof Error && "code" in error ? error.code : undefined;
	const reason = code === "ENOENT" ? nowhere : code === "EISDIR" ? "it is a folder" : describeFileError(error, "write");
	return failure("usage", { reason: `${path} cannot be written: ${reason}`, cause: error });
}
