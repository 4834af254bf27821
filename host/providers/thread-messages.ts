import { limits } from "../../runtime/limits.ts";
import type { Json } from "../../runtime/records.ts";
import type { AssistantMessage, ThreadMessage, ThreadMessagesOptions } from "../../runtime/threads.ts";

/**
 * The page of messages that a plugin asked for: those of the roles, counted from one end, in the order of the thread.
 * Without `full`, each text in a thought, a tool input or a tool output is cut after `excerptCharsMax` characters and says how
 * many are missing; what people and models said to each other is never cut.
 */
export function pageOfMessages(
	messages: readonly ThreadMessage[],
	options: ThreadMessagesOptions = {},
	excerptCharsMax: number = limits.text.messageExcerptCharsMax,
): ThreadMessage[] {
	const { full = false, from = "end", offset = 0, limit = 10, roles } = options;
	const wanted = roles === undefined ? messages : messages.filter(({ role }) => roles.includes(role));
	const end = from === "start" ? offset + limit : wanted.length - offset;
	const page = wanted.slice(Math.max(0, end - limit), Math.max(0, end));
	return structuredClone(full ? page : page.map((message) => shortened(message, excerptCharsMax)));
}

/** The last message of the assistant after the newest text of the user, if it is there. */
export function responseIn(messages: readonly ThreadMessage[]): AssistantMessage | undefined {
	const asked = messages.findLastIndex(
		({ role, content }) => role === "user" && content.some(({ type }) => type === "text"),
	);
	const response = messages.slice(asked + 1).findLast(({ role }) => role === "assistant");
	return response?.role === "assistant" ? response : undefined;
}

function shortened(message: ThreadMessage, max: number): ThreadMessage {
	if (message.role === "info") return message;
	if (message.role === "user") {
		const content = message.content.map((block) => {
			if (block.type === "text" || block.output === undefined) return block;
			return { ...block, output: excerptOf(block.output, max) };
		});
		return { ...message, content };
	}
	const content = message.content.map((block) => {
		if (block.type === "thinking") return { ...block, thinking: excerptOfText(block.thinking, max) };
		if (block.type === "text") return block;
		const input = Object.entries(block.input).map(([name, value]) => [name, excerptOf(value, max)] as const);
		return { ...block, input: Object.fromEntries(input) };
	});
	return { ...message, content };
}

function excerptOf(value: Json, max: number): Json {
	if (typeof value === "string") return excerptOfText(value, max);
	if (Array.isArray(value)) return value.map((member) => excerptOf(member, max));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, excerptOf(member, max)]));
}

function excerptOfText(text: string, max: number): string {
	if (text.length <= max) return text;
	// Half a pair of surrogates is no text.
	const kept = text.slice(0, max).replace(/[\ud800-\udbff]$/, "");
	return `${kept}… [${text.length - kept.length} more characters]`;
}
