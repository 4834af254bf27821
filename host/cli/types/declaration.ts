/** A file of author types, as its source stands. */
export interface AuthorSource {
	name: string;
	text: string;
}

/**
 * Makes one text that declares `brood/plugin` and `@ampcode/plugin` out of the sources of the author types, so that an
 * editor knows both without an installed package.
 */
export function declarePlugin(sources: readonly AuthorSource[], version: string): string {
	const members = sources.map(({ text }) => ambient(text)).filter((text) => text !== "");
	return [
		`${declarationHeader(version)}\n`,
		'declare module "brood/plugin" {',
		// Without this line all that the sources keep to themselves would be exported too.
		"\texport {};\n",
		`${indented(members.join("\n\n"))}`,
		"}\n",
		'declare module "@ampcode/plugin" {',
		'\texport * from "brood/plugin";',
		"}\n",
	].join("\n");
}

/** The first line of each file that is written, by which a later run knows it. */
function declarationHeader(version: string): string {
	return `// ${mark} ${version}; the next run replaces it.`;
}

/** The first line of a settings file that is written: whoever removes it keeps the file. */
export function settingsHeader(version: string): string {
	return `// ${mark} ${version}; remove this line and it is yours.`;
}

const mark = "Written by `brood types` of brood";

/** Whether a file was written by some brood. */
export function isWrittenByBrood(text: string): boolean {
	return partsOf(text)[0] !== undefined;
}

/** A file that is there, beside what would be written. */
export type Standing = "same" | "older" | "newer" | "foreign";

/** Compares a file with what would be written; another version with the same content is the same. */
export function standingOf(existing: string, wanted: string): Standing {
	const [version, body] = partsOf(existing);
	const [ownVersion = "", ownBody] = partsOf(wanted);
	if (version === undefined) return "foreign";
	if (body === ownBody) return "same";
	return Bun.semver.order(version, ownVersion) > 0 ? "newer" : "older";
}

function partsOf(text: string): [version: string | undefined, body: string] {
	// Git may have changed the ends of lines.
	const [first = "", ...body] = text.replaceAll("\r\n", "\n").split("\n");
	return [
		first.startsWith(`// ${mark} `) ? /brood (\d+\.\d+\.\d+[^;\s]*);/.exec(first)?.[1] : undefined,
		body.join("\n"),
	];
}

/** What of a source stands within a `declare module`: no imports, no bodies, no second `declare`. */
function ambient(source: string): string {
	return source
		.replaceAll(/^import type [^;]*;\n/gm, "")
		.replaceAll(/^[ \t]*\/\/.*\n/gm, "")
		.replaceAll(/^declare global \{/gm, "global {")
		.replaceAll(/^(export function [^;]*?) \{\n(?:\t.*\n|\n)*\}/gm, "$1;")
		.trim();
}

function indented(text: string): string {
	return text.replaceAll(/^(?=.)/gm, "\t");
}
