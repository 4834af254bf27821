import { failure, messageOf } from "../../runtime/errors.ts";
import type { Availability, CommandItem, JsonObject, LinkItem, ModeItem, ToolItem } from "../../runtime/records.ts";
import type { Log } from "../log.ts";
import type { AgentMode } from "../types/threads.ts";
import { builtinModes, colorPattern, definitionOf, labelCharsMax } from "./agent-rules.ts";

/**
 * Checks of what a plugin registers, structural and in the child, so that the message reaches the author's own call.
 * Where Amp accepts what is odd, brood warns; it refuses only what cannot work.
 */
export function toolItem(tool: unknown, log: Log): ToolItem {
	const { name, title, description, inputSchema, execute, transcriptGroup } = record(tool, "registerTool");
	const subject = `registerTool(${typeof name === "string" ? JSON.stringify(name.slice(0, 140)) : ""})`;
	const missing = Object.entries({ name, description, inputSchema, execute })
		.filter(([, value]) => value === undefined)
		.map(([key]) => key);
	const wrong: string[] = [];
	if (missing.some((key) => key !== "description")) wrong.push(`it lacks ${missing.join(", ")}`);
	if (name !== undefined && (typeof name !== "string" || !/^[a-zA-Z0-9_-]{1,128}$/.test(name))) {
		wrong.push("a tool name has 1 to 128 letters, digits, _ or -");
	}
	if (execute !== undefined && typeof execute !== "function") wrong.push("execute is a function");
	if (inputSchema !== undefined && !isObjectSchema(inputSchema)) {
		wrong.push('inputSchema is a JSON Schema whose type is "object"');
	}
	if (wrong.length > 0) throw failure("invalid_registration", { subject, reason: wrong.join("; ") });
	if (typeof description !== "string") log("warn", `${subject}: a tool without a description is hard to choose`);
	return {
		name: name as string,
		...optionalText({ title }),
		description: typeof description === "string" ? description : "",
		inputSchema: jsonCopy(inputSchema, subject) as JsonObject,
		...transcriptTexts(transcriptGroup),
	};
}

export function commandItem(id: unknown, command: unknown, handler: unknown, log: Log): CommandItem {
	const subject = `registerCommand(${JSON.stringify(String(id).slice(0, 140))})`;
	const wrong: string[] = [];
	if (typeof id !== "string" || id === "") wrong.push("an id is a text that is not empty");
	if (typeof handler !== "function") wrong.push("the third argument is the handler function");
	if (wrong.length > 0) throw failure("invalid_registration", { subject, reason: wrong.join("; ") });
	const { title, category, description, availability } = record(command, subject);
	if (typeof title !== "string") log("warn", `${subject}: without a title the palette shows the id`);
	return {
		id: id as string,
		title: typeof title === "string" ? title : (id as string),
		...optionalText({ category, description }),
		availability: availabilityOf(availability, subject, log),
	};
}

export function availabilityOf(availability: unknown, subject: string, log: Log): Availability {
	const { type, reason } = (availability ?? { type: "enabled" }) as { type?: unknown; reason?: unknown };
	if (type === "enabled" || type === "hidden") return { type };
	if (type === "disabled") return { type, reason: typeof reason === "string" ? reason : "" };
	log("warn", `${subject}: availability.type is enabled, disabled or hidden; it is taken as enabled`);
	return { type: "enabled" };
}

export function modeItem(mode: AgentMode, otherKeys: string[]): ModeItem {
	const { key, label, description, color, agent } = record(mode, "registerAgentMode");
	const subject = `registerAgentMode(${JSON.stringify(key)})`;
	const wrong: string[] = [];
	const isKey = typeof key === "string" && key !== "";
	const clash = isKey && otherKeys.find((other) => other !== key && other.toLowerCase() === key.toLowerCase());
	if (!isKey) wrong.push("key is a text that is not empty");
	if (clash) wrong.push(`keys differ by more than case, and "${clash}" is registered beside "${key}"`);
	const isAgent = typeof agent === "object" && agent !== null;
	if (!isAgent) wrong.push("agent is what createAgent or getBuiltinAgent gave");
	const definition = isAgent ? definitionOf(agent as AgentMode["agent"]) : {};
	const fault = isAgent ? definitions().definitionFault(definition) : undefined;
	if (fault !== undefined) wrong.push(`agent: ${fault}`);
	const shown = label ?? definition.display?.label;
	if (typeof shown !== "string" || shown === "") {
		if (isAgent) wrong.push("a label is needed, here or in the agent's display");
	} else if (shown.length > labelCharsMax) {
		wrong.push(`a label has at most ${labelCharsMax} characters, not ${shown.length}`);
	} else if (builtinModes.has(shown.toLowerCase())) wrong.push(`"${shown}" is the label of a built-in mode`);
	if (color !== undefined && !(typeof color === "string" && colorPattern.test(color))) {
		wrong.push(`color is a hexadecimal colour such as "#3af", not ${JSON.stringify(color)}`);
	}
	if (wrong.length > 0) throw failure("invalid_registration", { subject, reason: wrong.join("; ") });
	const agentCopy = jsonCopy(definitions().plainDefinition(definition), subject) as JsonObject;
	const own = definition.display?.color;
	const tint = color ?? (typeof own === "string" && colorPattern.test(own) ? own : undefined);
	return {
		key: key as string,
		label: shown as string,
		...optionalText({ description, color: tint }),
		agent: agentCopy,
	};
}

export function linkItem(link: unknown): LinkItem {
	const { id, pattern, href } = record(link, "registerLinkPattern");
	const wrong: string[] = [];
	if (typeof id !== "string" || !/^[A-Za-z0-9-]{1,64}$/.test(id))
		wrong.push("id has 1 to 64 letters, digits or hyphens");
	if (typeof pattern === "string" && pattern.length > 0 && pattern.length <= 200) wrong.push(...patternFaults(pattern));
	else wrong.push("pattern is a regular expression of 1 to 200 characters");
	if (typeof href === "string" && /^(?:https?:\/\/|\/(?!\/))/.test(href)) {
		if (typeof pattern === "string") wrong.push(...placeholderFaults(href, pattern));
	} else wrong.push("href begins with http://, https:// or a single /");
	if (wrong.length === 0) return { id, pattern, href } as LinkItem;
	const subject = `registerLinkPattern(${JSON.stringify(id)})`;
	throw failure("invalid_registration", { subject, reason: wrong.join("; ") });
}

function patternFaults(pattern: string): string[] {
	const wrong: string[] = [];
	if (/\(\?<[=!]/.test(pattern)) wrong.push("pattern may not look behind");
	if (/\\(?:[1-9]|k<)/.test(pattern)) wrong.push("pattern may not refer back to a group");
	const compiled = compile(pattern);
	if (typeof compiled === "string") wrong.push(`pattern is no regular expression: ${compiled}`);
	else if (compiled.test("")) wrong.push("pattern may not match the empty text");
	return wrong;
}

function placeholderFaults(href: string, pattern: string): string[] {
	const groups = new Set(["match", ...[...pattern.matchAll(/\(\?<([A-Za-z_$][\w$]*)>/g)].map((found) => found[1])]);
	const used = [...href.matchAll(/\{\{([^}]*)\}\}/g)].map((found) => found[1]);
	if (used.length === 0) return ["href has a placeholder: {{match}}, or {{name}} of a named group"];
	const unknown = used.find((name) => !groups.has(name));
	return unknown === undefined ? [] : [`href names {{${unknown}}}, and pattern has no group of that name`];
}

function compile(pattern: string): RegExp | string {
	try {
		return new RegExp(`^(?:${pattern})$`, "u");
	} catch (error) {
		return messageOf(error);
	}
}

function isObjectSchema(schema: unknown): boolean {
	return typeof schema === "object" && schema !== null && "type" in schema && schema.type === "object";
}

function record(value: unknown, subject: string): Record<string, unknown> {
	if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
	throw failure("invalid_registration", { subject, reason: `it takes an object, not ${String(value)}` });
}

/** A copy taken now, so that later changes in the plugin do not reach it; what JSON cannot carry is refused. */
function jsonCopy(value: unknown, subject: string): unknown {
	try {
		return JSON.parse(JSON.stringify(value));
	} catch (error) {
		const reason = `JSON cannot carry it: ${messageOf(error)}`;
		throw failure("invalid_registration", { subject, reason });
	}
}

function optionalText<Name extends string>(members: Record<Name, unknown>): { [N in Name]?: string } {
	const kept = Object.entries(members).filter(([, value]) => typeof value === "string");
	return Object.fromEntries(kept) as { [N in Name]?: string };
}

function transcriptTexts(group: unknown): Pick<ToolItem, "transcriptGroup"> {
	if (typeof group !== "object" || group === null) return {};
	const { active, complete } = group as { active?: unknown; complete?: unknown };
	return typeof active === "string" && typeof complete === "string" ? { transcriptGroup: { active, complete } } : {};
}

function definitions() {
	return require("./agent-definition.ts") as typeof import("./agent-definition.ts");
}
