import type { ContentBlock, Json } from "../../runtime/records.ts";

/** The text blocks of a content, joined by line ends. */
export function textOf(content: ContentBlock[]): string {
	let text: string | undefined;
	for (const block of content) {
		if (block.type === "text") text = text === undefined ? block.text : `${text}\n${block.text}`;
	}
	return text ?? "";
}

/** A content as the output that `tool.result` handlers see: a text when it is only text, else the blocks. */
export function outputOf(content: ContentBlock[]): Json {
	return content.every(({ type }) => type === "text") ? textOf(content) : content.map((block) => ({ ...block }));
}

/** A content from what a `tool.result` handler put in the place of an output. */
export function contentFrom(output: Json): ContentBlock[] {
	if (typeof output === "string") return [{ type: "text", text: output }];
	if (Array.isArray(output) && output.length > 0 && output.every(isBlock)) return output;
	return output === null ? [] : [{ type: "text", text: JSON.stringify(output) }];
}

function isBlock(value: Json): value is ContentBlock {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
	if (value.type === "text") return typeof value.text === "string";
	const hasData = typeof value.data === "string";
	return value.type === "image" && typeof value.mimeType === "string" && hasData !== (typeof value.url === "string");
}
