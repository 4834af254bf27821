import type { URI } from "./types/common.ts";

/** The file URI of an absolute path. */
export function fileURI(path: string): URI {
	return new FileURI(path);
}

class FileURI implements URI {
	readonly scheme = "file";
	readonly path: string;
	readonly fsPath: string;

	constructor(path: string) {
		this.path = path;
		this.fsPath = path;
	}

	toString(): string {
		return `file://${encodePath(this.path)}`;
	}

	/** The text of the URI, since an object would not come back as a URI. */
	toJSON(): string {
		return this.toString();
	}
}

/** Escapes what `pathToFileURL` escapes, so that the two can be compared as text. */
function encodePath(path: string): string {
	return encodeURI(path.toWellFormed()).replaceAll("?", "%3F").replaceAll("#", "%23").replaceAll("~", "%7E");
}
