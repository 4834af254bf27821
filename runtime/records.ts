/**
 * What a plugin registers, as the host lists it: one record a kind, and what its tools answer with.
 */

/** What JSON can carry. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A JSON object whose members the other side defines. */
export type JsonObject = { [key: string]: Json };

export interface ToolItem {
	name: string;
	title?: string;
	description: string;
	/** A JSON Schema of type object. */
	inputSchema: JsonObject;
	transcriptGroup?: { active: string; complete: string };
}

export interface CommandItem {
	id: string;
	title: string;
	category?: string;
	description?: string;
	availability: Availability;
}

export type Availability = { type: "enabled" } | { type: "disabled"; reason: string } | { type: "hidden" };

export interface SkillItem {
	/** `<plugin>:<skill>` */
	name: string;
	description: string;
	/** Absolute path of the skill's folder. */
	path: string;
}

/** One handler of one event; the same event may have several. */
export interface EventItem {
	name: EventName;
	handler: number;
}

export interface ModeItem {
	key: string;
	label: string;
	description?: string;
	color?: string;
	agent: JsonObject;
}

export interface LinkItem {
	id: string;
	pattern: string;
	href: string;
}

/** A short text that the host shows for a plugin; `command:ID` as its URL runs a command. */
export interface StatusItem {
	id: number;
	text: string;
	url?: string;
}

/** What a plugin has registered, by kind. */
export interface Items {
	command: CommandItem;
	tool: ToolItem;
	skill: SkillItem;
	event: EventItem;
	mode: ModeItem;
	link: LinkItem;
}

export type Kind = keyof Items;

/** The six kinds, in the order in which they are listed. */
export const kinds = ["command", "tool", "skill", "event", "mode", "link"] as const satisfies Kind[];

export type ContentBlock =
	| { type: "text"; text: string }
	| { type: "image"; mimeType: string; data: string }
	| { type: "image"; mimeType: string; url: string };

/** The events that a plugin can handle. */
export const eventNames = [
	"session.start",
	"tool.call",
	"tool.result",
	"agent.start",
	"agent.end",
	"changes.prompt",
] as const;

export type EventName = (typeof eventNames)[number];
