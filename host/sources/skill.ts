import { basename, normalize, resolve } from "node:path";
import type { Document, parseDocument } from "yaml";
import { failure, messageOf } from "../../runtime/errors.ts";
import type { SkillItem } from "../../runtime/records.ts";
import { confine } from "../base/confine.ts";
import { stat } from "../base/files.ts";
import type { Spend } from "../contracts/services.ts";
import type { PluginSpec } from "../spec.ts";
import { readSkillDocument, splitSkillDocument } from "./skill-document.ts";

/** Hears of what is odd about a skill and did not keep it from being used. */
type Warn = (message: string) => void;

/** Reads a skill of a plugin, which needs a folder of its own for it. @throws BroodError `invalid_skill` */
export async function readPluginSkill(
	{ name, root, kind }: PluginSpec,
	path: string,
	warn: Warn,
	spend: Spend,
): Promise<SkillItem> {
	if (kind === "directory") return readSkill(name, root, path, warn, spend);
	const reason = "only a directory plugin can have skills";
	throw failure("invalid_skill", { plugin: name, subject: path, reason, hint: `Move it to ${name}/index.ts.` });
}

/**
 * Reads the skill in a folder of a directory plugin.
 *
 * @param relativePath the skill's folder, relative to `root` and normalized
 * @throws BroodError `invalid_skill`
 */
export async function readSkill(
	pluginName: string,
	root: string,
	relativePath: string,
	warn: Warn,
	spend: Spend = (work) => work(),
): Promise<SkillItem> {
	try {
		const path = await findFolder(root, relativePath);
		const document = await readSkillDocument(root, relativePath);
		const told: Warn = (message) => warn(`skill "${relativePath}": ${message}`);
		const { parseDocument } = await import("yaml");
		const fields = spend(() => readFrontMatter(document, parseDocument, told));
		const name = checkName(fields.get("name"), basename(resolve(root, relativePath)));
		return { name: `${pluginName}:${name}`, description: checkDescription(fields.get("description")), path };
	} catch (error) {
		throw failure("invalid_skill", {
			plugin: pluginName,
			subject: relativePath,
			reason: messageOf(error),
			cause: error,
		});
	}
}

// The open skill format allows 64 and 1,024 characters.
const nameCharsMax = 64;
const descriptionCharsMax = 1_024;

// Many times what the fields need; the check for equal keys takes the square of their number.
const frontMatterCharsMax = 16 * 1_024;

async function findFolder(root: string, relativePath: string): Promise<string> {
	const path = await confine(root, relativePath);
	const normal = normalize(relativePath).replace(/(?<=.)\/$/, "");
	if (relativePath !== normal) throw new Error(`the path is not normalized; write "${normal}"`);
	if (!(await stat(path)).isDirectory()) throw new Error("the path must be that of a folder with a SKILL.md in it");
	return path;
}

function readFrontMatter(text: string, parseDocument: ParseDocument, warn: Warn): Map<unknown, unknown> {
	const source = splitSkillDocument(text).frontMatter;
	if (source.length > frontMatterCharsMax) {
		throw new Error(`the front matter of SKILL.md is longer than ${frontMatterCharsMax} characters`);
	}
	return parseYaml(source, parseDocument, warn);
}

type ParseDocument = typeof parseDocument;

function parseYaml(source: string, parseDocument: ParseDocument, warn: Warn): Map<unknown, unknown> {
	const parse = (text: string) => parseDocument(text, { schema: "failsafe", uniqueKeys: true, prettyErrors: false });
	const document = parse(source);
	const problem = document.errors[0];
	if (problem === undefined) return toFields(document);
	// The front matter begins on the second line of the file.
	const line = source.slice(0, problem.pos[0]).split("\n").length + 1;
	const told = `line ${line} of SKILL.md is no YAML (a value that holds ": " needs quotes)`;
	const repaired = parse(quoteValues(source));
	if (repaired.errors.length > 0) throw new Error(`${told}: ${problem.message}`);
	warn(`${told}; it was read as if each value stood in quotes`);
	return toFields(repaired);
}

/** Sentences such as "Use when: …" are common as values and no YAML; each value of one line is taken as text. */
function quoteValues(source: string): string {
	return source.replace(/^([\w-]+:[ \t]+)([^\s"'|>[{].*)$/gm, (_, key: string, value: string) => {
		return key + JSON.stringify(value.trimEnd());
	});
}

function toFields(document: Document): Map<unknown, unknown> {
	const fields = toValue(document);
	if (fields instanceof Map) return fields;
	throw new Error("the front matter of SKILL.md must hold fields, such as name and description");
}

/** Aliases could make a short text endless, and a skill needs none. */
function toValue(document: Document): unknown {
	try {
		return document.toJS({ maxAliasCount: 0, mapAsMap: true });
	} catch (error) {
		throw new Error(`the front matter of SKILL.md cannot be used: ${messageOf(error)}`, { cause: error });
	}
}

function checkName(name: unknown, folder: string): string {
	if (typeof name !== "string") throw new Error("the front matter of SKILL.md has no name");
	if (name.length > nameCharsMax || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
		const allowed = `lower-case letters and digits with single hyphens between, at most ${nameCharsMax} characters`;
		throw new Error(`the name ${JSON.stringify(name)} is not allowed; allowed are ${allowed}`);
	}
	if (name !== folder) throw new Error(`its name is "${name}", but its folder is called "${folder}"`);
	return name;
}

function checkDescription(description: unknown): string {
	const text = typeof description === "string" ? description.trim() : "";
	if (text === "") throw new Error("the front matter of SKILL.md has no description");
	if ([...text].length > descriptionCharsMax) {
		throw new Error(`the description is longer than ${descriptionCharsMax} characters`);
	}
	return text;
}
