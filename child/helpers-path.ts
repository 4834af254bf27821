/**
 * The absolute path, without `.` and `..`, that a path or file URI means in a folder; undefined for an empty one and
 * for a relative one without a folder.
 */
export function resolvePath(folder: string | null, path: string): string | undefined {
	const plain = /^file:\//i.test(path) ? filePathOf(path) : path;
	if (plain === "") return undefined;
	if (plain.startsWith("/")) return normalize(plain);
	return folder === null ? undefined : normalize(`${folder}/${plain}`);
}

/** The path that a URI names; text that is no file URI comes back as it is, a value that names nothing as "". */
export function filePathOf(uri: unknown): string {
	if (typeof uri === "object" && uri !== null) {
		const { fsPath, scheme, path } = uri as Record<string, unknown>;
		if (typeof fsPath === "string") return fsPath;
		if (typeof path === "string" && (scheme === "file" || scheme === undefined)) return path;
	}
	const text = textOf(uri);
	const path = /^file:(?:\/\/[^/?#]*)?(\/[^?#]*)/i.exec(text)?.[1];
	return path === undefined ? text : decode(path);
}

function textOf(uri: unknown): string {
	if (typeof uri === "string") return uri;
	if (typeof uri !== "object" || uri === null) return "";
	const text = String(uri);
	return text.startsWith("[object ") ? "" : text;
}

function decode(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}

function normalize(path: string): string {
	const segments: string[] = [];
	for (const segment of path.split("/")) {
		if (segment === "..") segments.pop();
		else if (segment !== "" && segment !== ".") segments.push(segment);
	}
	return `/${segments.join("/")}`;
}
