import type { EventName, Json, JsonObject } from "../../runtime/records.ts";

/**
 * What is wrong with the members that handlers read of an event, as a clause; undefined when nothing is. Members that
 * nobody knows pass, since a newer host may have more.
 */
export function payloadFault(event: EventName, data: JsonObject): string | undefined {
	const { messages } = data;
	const wrong = memberFault(members[event], data);
	return wrong ?? (event === "agent.end" && Array.isArray(messages) ? messagesFault(messages) : undefined);
}

interface Member {
	/** What a value of it is, as a clause. */
	what: string;
	is(value: Json): boolean;
	/** Whether it must be there. */
	isNeeded?: boolean;
	/** Whether null stands for none, as some hosts write it. */
	mayBeNull?: boolean;
}

type Members = Record<string, Member>;

const isText = (value: Json) => typeof value === "string";
const text: Member = { what: "a text", is: isText };
const id: Member = { what: "the id, a text", is: isText };
const input: Member = { what: "an object", is: isObject };
const oneOf = (...values: string[]): Member => ({
	what: `one of ${values.join(", ")}`,
	is: (value) => typeof value === "string" && values.includes(value),
});
const thread: Member = {
	what: "an object with an id",
	is: (value) => isObject(value) && typeof value.id === "string",
};
const call: Members = {
	thread,
	toolUseID: id,
	tool: { what: "the name of the tool", is: isText, isNeeded: true },
	input,
};
const workflow = oneOf("ship", "push_branch");

const members: Record<EventName, Members> = {
	"session.start": { thread },
	"tool.call": call,
	"tool.result": { ...call, status: oneOf("done", "error", "cancelled"), error: { ...text, mayBeNull: true } },
	"agent.start": { thread, message: text, id, changesWorkflow: { ...workflow, mayBeNull: true } },
	"agent.end": {
		thread,
		message: text,
		id,
		status: oneOf("done", "error", "interrupted", "cancelled"),
		messages: { what: "a list of messages", is: (value) => Array.isArray(value) },
	},
	"changes.prompt": { thread, workflow },
};

function memberFault(known: Members, data: JsonObject): string | undefined {
	for (const [name, { what, is, isNeeded, mayBeNull }] of Object.entries(known)) {
		const value = Object.hasOwn(data, name) ? data[name] : undefined;
		if (value === undefined ? isNeeded !== true : is(value) || (value === null && mayBeNull)) continue;
		return `${name} is ${what}, ${value === undefined ? "and it is missing" : `not ${describe(value)}`}`;
	}
	return undefined;
}

/** What handlers and helpers cannot do without; roles and blocks that are new to brood pass. */
function messagesFault(messages: Json[]): string | undefined {
	for (const [index, message] of messages.entries()) {
		const at = `messages[${index}]`;
		if (!isObject(message)) return `${at} is an object with role, id and content, not ${describe(message)}`;
		const wrong = memberFault(messageMembers, message) ?? blocksFault(message.content);
		if (wrong !== undefined) return `${at}.${wrong}`;
	}
	return undefined;
}

function blocksFault(content: Json | undefined): string | undefined {
	if (!Array.isArray(content)) return undefined;
	for (const [index, block] of content.entries()) {
		const at = `content[${index}]`;
		if (!isObject(block)) return `${at} is a block such as { type: "text", text: "…" }, not ${describe(block)}`;
		const wrong = memberFault(blockMembers(block), block);
		if (wrong !== undefined) return `${at}.${wrong}`;
	}
	return undefined;
}

const needed = (member: Member): Member => ({ ...member, isNeeded: true });
const messageMembers: Members = {
	role: needed({ what: "user, assistant or info", is: isText }),
	// Some agents have a text there, or nothing; helpers find no tool calls in that.
	content: {
		what: 'a list of blocks such as { type: "text", text: "…" }, or a text',
		is: (value) => Array.isArray(value) || isText(value),
	},
};
const type = needed({ what: "text, thinking, tool_use or tool_result", is: isText });
const blocks: Record<string, Members> = {
	text: { text: needed(text) },
	thinking: { thinking: needed(text) },
	tool_use: { id: needed(id), name: needed(text), input },
	tool_result: { toolUseID: needed(id), status: oneOf("done", "error", "cancelled", "running", "pending") },
};

function blockMembers(block: JsonObject): Members {
	const own = typeof block.type === "string" && Object.hasOwn(blocks, block.type) ? blocks[block.type] : {};
	return { type, ...own };
}

function describe(value: Json): string {
	if (Array.isArray(value)) return "a list";
	if (isObject(value)) return "an object";
	return JSON.stringify(value).slice(0, quoteCharsMax);
}

function isObject(value: Json): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

// Enough to see which value is meant.
const quoteCharsMax = 80;
