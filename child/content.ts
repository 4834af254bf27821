import { failure, messageOf } from "../runtime/errors.ts";
import type { ContentBlock, Json } from "../runtime/records.ts";

/**
 * What a tool returned, as content blocks: a text is one block, blocks stay as they are, nothing is no block,
 * any other JSON value becomes the text of its JSON.
 * @throws BroodError `not_serializable` or `invalid_answer`, naming the tool
 */
export function contentOf(result: unknown, tool: string): ContentBlock[] {
	if (typeof result === "string") return [{ type: "text", text: result }];
	if (result === undefined) return [];
	if (Array.isArray(result) && result.length > 0 && result.every(looksLikeBlock)) {
		return result.map((block) => checkBlock(block, tool));
	}
	return [{ type: "text", text: jsonText(result, `The result of tool "${tool}"`) }];
}

/** A handler's answer as JSON; nothing stays nothing. @throws BroodError `not_serializable` */
export function answerOf(answer: unknown, subject: string): Json | undefined {
	return answer === undefined ? undefined : parse(jsonText(answer, subject));
}

// Kept, since a plugin may replace the global functions.
const { stringify, parse } = JSON;

function jsonText(value: unknown, subject: string): string {
	try {
		const text: string | undefined = stringify(value, refuseLosses);
		if (text !== undefined) return text;
		throw new TypeError(`a ${typeof value} has no JSON`);
	} catch (error) {
		const reason = messageOf(error);
		throw failure("not_serializable", { subject, reason, cause: error });
	}
}

/** JSON.stringify drops these without a word. */
function refuseLosses(key: string, value: unknown): unknown {
	const name = key === "" ? "it" : `"${key}"`;
	if (typeof value === "function" || typeof value === "symbol") throw new TypeError(`${name} is a ${typeof value}`);
	if (typeof value !== "object" || value === null) return value;
	const kind = Object.prototype.toString.call(value).slice(8, -1);
	if (!carried.test(kind) && (emptied.test(kind) || Object.keys(value).length === 0)) {
		throw new TypeError(`${name} is ${/^[AEIO]/.test(kind) ? "an" : "a"} ${kind}, which JSON would show as {}`);
	}
	return value;
}

// What has members, or is one of the values that JSON knows in a box.
const carried = /^(?:Object|Array|String|Number|Boolean)$/;

// What these hold is not in their members, even if they have some.
const emptied = /^(?:Error|Map|Set)$/;

function looksLikeBlock(value: unknown): value is Record<string, unknown> {
	if (typeof value !== "object" || value === null || !("type" in value)) return false;
	return value.type === "text" || value.type === "image";
}

function checkBlock(block: Record<string, unknown>, tool: string): ContentBlock {
	const { type, text, mimeType, data, url } = block;
	if (type === "text" && typeof text === "string") return { type, text };
	if (type === "image" && typeof mimeType === "string") {
		if (typeof data === "string" && url === undefined) return { type, mimeType, data };
		if (typeof url === "string" && data === undefined) return { type, mimeType, url };
	}
	const reason =
		type === "text"
			? "a text block must have a text string"
			: "an image block must have a mimeType and either data (base64) or url, not both";
	throw failure("invalid_answer", { subject: `tool "${tool}"`, reason });
}
