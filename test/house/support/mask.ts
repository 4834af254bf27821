/** A source seen in three ways; each has the length and the lines of the source. */
export interface Masked {
	/** Comments, and what stands in strings, templates and regular expressions, are blank. */
	code: string;
	/** All but comments is blank. */
	comments: string;
	/** Comments are blank. */
	withoutComments: string;
}

/** Tells code, comments and literals apart without a parser; knows nested templates and regular expressions. */
export function mask(source: string): Masked {
	const masked: Masked = { code: "", comments: "", withoutComments: "" };
	// One count of open braces for each interpolation that is open.
	const interpolations: number[] = [];
	let before = "";
	for (let at = 0; at < source.length; ) {
		const text = nextToken(source, at, before, interpolations);
		const kind = kindOf(text);
		masked.code += codeOf(text, kind);
		masked.comments += kind === "comment" ? text : blank(text);
		masked.withoutComments += kind === "comment" ? blank(text) : text;
		if (kind !== "comment" && text.trim() !== "") before = text;
		at += text.length;
	}
	return masked;
}

/** The line, counted from 1, that an offset stands in. */
export function lineAt(source: string, offset: number): number {
	let line = 1;
	for (let at = source.indexOf("\n"); at !== -1 && at < offset; at = source.indexOf("\n", at + 1)) line += 1;
	return line;
}

type Kind = "code" | "comment" | "string" | "template" | "regex";

const plain = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|[\w$#]+|\s+|=>|[\s\S]/y;
const templatePart = /[`}](?:\\[\s\S]|\$(?!\{)|[^\\`$])*(?:`|\$\{)/y;
const regex = /\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;
/** After one of these a slash begins a regular expression; after any other word it divides. */
const beforeRegex = /^(?:return|typeof|case|in|of|do|else|void|delete|instanceof|throw|await|yield|)$/;

function nextToken(source: string, at: number, before: string, interpolations: number[]): string {
	const char = source[at];
	if (char === "`" || (char === "}" && interpolations.at(-1) === 0)) {
		if (char === "}") interpolations.pop();
		const part = matchAt(templatePart, source, at) ?? source.slice(at);
		if (part.endsWith("${")) interpolations.push(0);
		return part;
	}
	const depth = interpolations.at(-1);
	if (depth !== undefined && char === "{") interpolations[interpolations.length - 1] = depth + 1;
	if (depth !== undefined && char === "}") interpolations[interpolations.length - 1] = depth - 1;
	const regexMayBegin = /^[\w$#]/.test(before) || before === "" ? beforeRegex.test(before) : !/[)\]}"'`]$/.test(before);
	if (char === "/" && regexMayBegin) {
		const found = matchAt(regex, source, at);
		if (found !== undefined) return found;
	}
	return matchAt(plain, source, at) ?? source.slice(at, at + 1);
}

function matchAt(pattern: RegExp, source: string, at: number): string | undefined {
	pattern.lastIndex = at;
	return pattern.exec(source)?.[0];
}

function kindOf(text: string): Kind {
	if (text.startsWith("//") || text.startsWith("/*")) return "comment";
	if (text.length > 1 && /^["']/.test(text)) return "string";
	if (text.startsWith("`") || (text.length > 1 && text.startsWith("}"))) return "template";
	return text.length > 1 && text.startsWith("/") ? "regex" : "code";
}

function codeOf(text: string, kind: Kind): string {
	if (kind === "code") return text;
	if (kind === "comment") return blank(text);
	if (kind === "string") return `${text.at(0)}${blank(text.slice(1, -1))}${text.at(-1)}`;
	if (kind === "regex") {
		const end = text.lastIndexOf("/");
		return `/${blank(text.slice(1, end))}/${blank(text.slice(end + 1))}`;
	}
	// An interpolation reads as a parenthesis, so that its braces are not taken for a block.
	const opens = text.endsWith("${");
	const head = text.startsWith("}") ? ")" : "`";
	return `${head}${blank(text.slice(1, opens ? -2 : -1))}${opens ? " (" : "`"}`;
}

function blank(text: string): string {
	return text.replace(/[^\n]/g, " ");
}
