import { join } from "node:path";
import { limits } from "../../runtime/limits.ts";
import { confine } from "../base/confine.ts";
import { describeFileError, readTextFile } from "../base/text-file.ts";

/** The text of the SKILL.md in a folder of a plugin. @throws Error whose message is the reason as a clause */
export async function readSkillDocument(root: string, relativePath: string): Promise<string> {
	const file = await confine(root, join(relativePath, "SKILL.md"))
		.then((path) => readTextFile(path, limits.text.documentBytesMax))
		.catch((error: unknown) => {
			throw new Error(`SKILL.md cannot be read: ${describeFileError(error)}`, { cause: error });
		});
	if (file.cut) throw new Error(`SKILL.md is larger than ${limits.text.documentBytesMax} bytes`);
	return file.text;
}

/**
 * Divides a SKILL.md into its front matter, with line ends made `\n`, and the text after it, as it is.
 *
 * @throws Error whose message is the reason as a clause
 */
export function splitSkillDocument(text: string): { frontMatter: string; body: string } {
	const lines = text.split("\n");
	const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
	if (lines[0]?.trimEnd() !== "---" || end < 0) {
		throw new Error('SKILL.md must begin with front matter: a line "---", the fields, another line "---"');
	}
	const frontMatter = lines.slice(1, end).map((line) => line.replace(/\r$/, ""));
	return { frontMatter: frontMatter.join("\n"), body: lines.slice(end + 1).join("\n") };
}
