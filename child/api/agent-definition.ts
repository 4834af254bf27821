import { failure, messageOf } from "../../runtime/errors.ts";
import type { AgentDefinitionParams } from "../../runtime/protocol-providers.ts";
import type { Agent, AgentDefinition } from "../types/threads.ts";
import { builtinModes, colorPattern, definitionOf, labelCharsMax } from "./agent-rules.ts";

/** Checks all that a plugin passes to createAgent. @throws BroodError `invalid_registration` that says what is allowed */
export function checkedDefinition(definition: AgentDefinition): AgentDefinition {
	const wrong = definitionFault(definition);
	if (wrong !== undefined) throw failure("invalid_registration", { subject: "createAgent", reason: wrong });
	return definition;
}

/** A definition as the host gets it. */
export function definitionParams(definition: AgentDefinition): AgentDefinitionParams {
	return JSON.parse(JSON.stringify(plainDefinition(definition)));
}

/**
 * A definition as plugins read it: `kind` tells an agent that somebody defined from a built-in mode, which is one that
 * extends a mode of its own name and changes nothing but the effort. No host needs to know of `kind`.
 */
export function describedDefinition(definition: AgentDefinition): Agent["definition"] {
	const { kind: _kind, mode: _mode, ...described } = { ...definition, ...modeExtended(definition) };
	const { extends: base, name, reasoningEffort: _effort, ...others } = described;
	const mode = typeof base === "string" && base === name ? builtinModes.get(base) : undefined;
	if (mode === undefined || Object.keys(others).length > 0) return { kind: "agent-definition", ...described };
	return { kind: "builtin-agent", mode, ...described };
}

/**
 * A definition as it leaves the child: `extends` is a definition or the newer name of a mode, where it was an agent or
 * an older name.
 */
export function plainDefinition(definition: AgentDefinition): AgentDefinition {
	const { kind: _kind, mode: _mode, ...plain } = { ...definition, ...modeExtended(definition) };
	const { extends: base } = plain;
	if (base === undefined) return plain;
	return {
		...plain,
		extends: typeof base === "string" ? (builtinModes.get(base) ?? base) : plainDefinition(definitionOf(base)),
	};
}

/** What a built-in mode that is written out, as `kind` and `mode`, means as something to be extended. */
function modeExtended({ kind, mode, extends: base }: AgentDefinition): AgentDefinition {
	if (kind !== "builtin-agent" || base !== undefined || mode === undefined) return {};
	const known = builtinModes.get(mode) ?? mode;
	return { extends: known, name: known };
}

/** What is wrong with a definition, as a clause; undefined when nothing is. */
export function definitionFault(definition: unknown): string | undefined {
	if (!isObject(definition)) return "it takes an object";
	const { model, instructions, name, reasoningEffort, compactionThresholdTokens: threshold } = definition;
	const { extends: base } = { ...definition, ...modeExtended(definition) };
	if (base === undefined) {
		if (typeof model !== "string") return "model is required unless extends is given";
		if (typeof instructions !== "string") return "instructions are required unless extends is given";
	}
	if (model !== undefined && !/^[^/\s]+\/\S+$/.test(String(model))) {
		return `model is "provider/model", not "${String(model)}"`;
	}
	if (instructions !== undefined && typeof instructions !== "string") return "instructions are a text";
	if (name !== undefined && typeof name !== "string") return "name is a text";
	if (reasoningEffort !== undefined && typeof reasoningEffort !== "string") {
		return `reasoningEffort is a text such as "high", not ${String(reasoningEffort)}`;
	}
	if (threshold !== undefined && !(Number.isSafeInteger(threshold) && Number(threshold) > 0)) {
		return "compactionThresholdTokens is a positive integer";
	}
	return (
		faultOfBase(base) ?? faultOfTools(definition.tools) ?? faultOfDisplay(definition.display) ?? faultOfJSON(definition)
	);
}

function faultOfBase(base: unknown): string | undefined {
	if (base === undefined || (typeof base === "string" && builtinModes.has(base))) return undefined;
	if (!isObject(base)) {
		const names = [...builtinModes.keys()].join(", ");
		const given = typeof base === "string" ? `"${base}"` : String(base);
		return `extends is an agent or one of the modes ${names}, not ${given}`;
	}
	if (!("definition" in base)) return faultWithin(base);
	return isObject(base.definition) ? faultWithin(base.definition) : "extends is an agent, and its definition an object";
}

function faultWithin(base: object): string | undefined {
	const wrong = definitionFault(base);
	return wrong === undefined ? undefined : `in what it extends: ${wrong}`;
}

function faultOfTools(tools: unknown): string | undefined {
	const allowed =
		'tools is "all", a list of names, or { include, add, exclude } with lists of names, include perhaps "all"';
	if (tools === undefined || tools === "all" || isNames(tools)) return undefined;
	// A set of names has no members of its own: read as an object it would mean every tool.
	if (!isObject(tools) || Symbol.iterator in tools) return allowed;
	for (const [key, names] of Object.entries(tools)) {
		if (!["include", "add", "exclude"].includes(key)) return `${allowed}; there is no "${key}"`;
		const isAll = key === "include" && names === "all";
		if (names !== undefined && !isAll && !isNames(names)) return `${allowed}; ${key} is no list of names`;
	}
	return undefined;
}

function faultOfDisplay(display: unknown): string | undefined {
	if (display === undefined) return undefined;
	if (!isObject(display)) return "display is an object of label and color";
	const { label, color } = display;
	if (label !== undefined && !(typeof label === "string" && label.length <= labelCharsMax)) {
		return `display.label is a text of at most ${labelCharsMax} characters`;
	}
	if (color !== undefined && !(typeof color === "string" && colorPattern.test(color))) {
		return `display.color is a hexadecimal colour such as "#3af", not "${String(color)}"`;
	}
	return undefined;
}

/** What is passed on unread must be fit to be passed on. */
function faultOfJSON({ oracle, subagents, features }: Record<string, unknown>): string | undefined {
	for (const [name, value] of Object.entries({ oracle, subagents, features })) {
		try {
			JSON.stringify(value);
		} catch (error) {
			return `${name} cannot be carried as JSON: ${messageOf(error)}`;
		}
	}
	return undefined;
}

function isNames(value: unknown): boolean {
	return Array.isArray(value) && value.every((name) => typeof name === "string" && name !== "");
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null;
}
