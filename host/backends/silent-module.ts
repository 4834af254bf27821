import { limits } from "../../runtime/limits.ts";
import { revealHidden } from "../base/hidden.ts";
import { readTextFile } from "../base/text-file.ts";

/**
 * Bun says of a CommonJS module that throws as it loads only that it lacks what is imported of it. The advice says how
 * to see the error; undefined for everything else. Never throws.
 */
export async function adviseOnSilentModule({ message }: Error): Promise<string | undefined> {
	const path = lacking.exec(message)?.[1];
	if (path === undefined) return undefined;
	const source = await readTextFile(path, limits.text.documentBytesMax).catch(() => undefined);
	if (source === undefined || /^\s*export\b/m.test(source.text)) return undefined;
	const command = revealHidden(`bun -e ${quote(`require(${JSON.stringify(path)})`)}`);
	return `That module may have thrown as it was loaded, which Bun does not tell: see ${command}.`;
}

const lacking = /^(?:Missing 'default' export|Export named '[^']{1,200}' not found) in module '(\/[^\n]{1,4096})'\.?$/;

function quote(word: string): string {
	return `'${word.replaceAll("'", "'\\''")}'`;
}
