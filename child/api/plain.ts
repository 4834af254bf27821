import type { CommandItem, JsonObject, ToolItem } from "../../runtime/records.ts";

/**
 * What a plugin registers when there is nothing to say about it, which is nearly always. The judgement of everything else,
 * with its refusals and warnings, is loaded when it is needed; for what passes here it gives the same item.
 */
export function plainTool(tool: unknown): ToolItem | undefined {
	const { name, title, description, inputSchema, execute, transcriptGroup } = membersOf(tool);
	if (!isText(name) || !isToolName(name) || !isText(description) || typeof execute !== "function") return undefined;
	if (transcriptGroup !== undefined || !isTextOrNone(title)) return undefined;
	const schema = (inputSchema as Given | null)?.type === "object" ? copyOf(inputSchema) : undefined;
	if (schema === undefined) return undefined;
	return { name, ...(title === undefined ? {} : { title }), description, inputSchema: schema };
}

type Given = Record<string, unknown>;

/** None of what is no object, which a function is not here. */
function membersOf(value: unknown): Given {
	return (typeof value === "object" && (value as Given | null)) || {};
}

/** What `validate.ts` says with a pattern; the first pattern of a process costs more than all that a plugin registers. */
function isToolName(name: string): boolean {
	for (let at = 0; at < name.length; at += 1) if (!nameCharacters.includes(name.charAt(at))) return false;
	return name.length > 0 && name.length <= 128;
}

const nameCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

export function plainCommand(id: unknown, command: unknown, handler: unknown): CommandItem | undefined {
	const { title, category, description, availability } = membersOf(command);
	if (!isText(id) || id === "" || typeof handler !== "function" || !isText(title)) return undefined;
	if (!isTextOrNone(category) || !isTextOrNone(description) || availability !== undefined) return undefined;
	return {
		id,
		title,
		...(category === undefined ? {} : { category }),
		...(description === undefined ? {} : { description }),
		availability: { type: "enabled" },
	};
}

function isText(value: unknown): value is string {
	return typeof value === "string";
}

function isTextOrNone(value: unknown): value is string | undefined {
	return value === undefined || isText(value);
}

/** A copy taken now, so that later changes in the plugin do not reach it; undefined for what JSON cannot carry. */
function copyOf(schema: unknown): JsonObject | undefined {
	try {
		return parse(stringify(schema)) ?? undefined;
	} catch {
		return undefined;
	}
}

// Kept, since a plugin may replace the global functions.
const { parse, stringify } = JSON;
