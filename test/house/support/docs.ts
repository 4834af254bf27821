import { posix } from "node:path";

/** Relative links of a page that lead nowhere. */
export function linkProblems(path: string, text: string, exists: (path: string) => boolean): string[] {
	const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, "");
	const inline = [...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)];
	const references = [...prose.matchAll(/^\s*\[[^\]]+\]:\s*<?([^\s>]+)>?/gm)];
	const targets = [...inline, ...references].map((match) => match[1] ?? "");
	const files = targets
		.filter((target) => !/^(?:[a-z][\w+.-]*:|#|\/\/)/i.test(target))
		.map((target) => decodeURI(target.replace(/[?#].*$/, "")));
	const missing = files.filter((target) => !exists(posix.join(posix.dirname(path), target)));
	return missing.map((target) => `${path} links to ${target}, which is not there`);
}

/** Names that a text does not mention as a word of its own. */
export function unnamed(names: readonly string[], text: string): string[] {
	return names.filter((name) => !new RegExp(`(?<![\\w@/-])${escaped(name)}(?![\\w/-])`).test(text));
}

/** Folders, as `room/name`, that a text names neither so nor as `name/`. */
export function unnamedFolders(folders: readonly string[], text: string): string[] {
	return folders.filter((folder) => {
		const name = escaped(posix.basename(folder));
		return !new RegExp(`(?<![\\w-])(?:${escaped(folder)}(?![\\w-])|${name}/)`).test(text);
	});
}

/** Whether a changelog has a heading for the version. */
export function hasEntry(version: string, changelog: string): boolean {
	return new RegExp(`^#+ .*(?<![\\w.])${escaped(version)}(?![\\w.-])`, "m").test(changelog);
}

function escaped(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}
