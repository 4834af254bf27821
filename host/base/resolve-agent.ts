import { failure } from "../../runtime/errors.ts";
import type { AgentDefinitionParams, ToolSelectionParams } from "../../runtime/protocol-providers.ts";

export interface ResolveAgentOptions {
	/** Names of the tools that there are. */
	tools: readonly string[];
	/** The definitions of built-in modes, by key. */
	builtins?: Readonly<Record<string, AgentDefinitionParams>>;
}

/** An agent with all that it extends. */
export interface ResolvedAgent extends Omit<AgentDefinitionParams, "extends" | "tools"> {
	/** In the order in which the host has them. */
	tools: string[];
	/** Names and patterns that no tool of the host has; worth a warning. */
	unmatched: string[];
}

/**
 * Follows what an agent extends and picks its tools. A member of the agent takes the place of the one that it extends,
 * each member of `display` by itself. Pure: nothing is asked, and nothing given is changed.
 *
 * @throws BroodError `usage` when it extends a mode that is not among `builtins`, or itself
 */
export function resolveAgent(definition: AgentDefinitionParams, options: ResolveAgentOptions): ResolvedAgent {
	const chain = chainOf(definition, options.builtins ?? {});
	const resolved: ResolvedAgent = { tools: [...options.tools], unmatched: [] };
	for (const { extends: _, tools, display, ...own } of chain.reverse()) {
		Object.assign(resolved, defined(own));
		if (display !== undefined) resolved.display = { ...resolved.display, ...defined(display) };
		if (tools === undefined) continue;
		const selected = select(tools, resolved.tools, options.tools);
		resolved.tools = selected.tools;
		resolved.unmatched = [...new Set([...resolved.unmatched, ...selected.unmatched])];
	}
	return resolved;
}

/** The agent, what it extends, what that extends, and so on. */
function chainOf(
	definition: AgentDefinitionParams,
	builtins: Readonly<Record<string, AgentDefinitionParams>>,
): AgentDefinitionParams[] {
	const chain: AgentDefinitionParams[] = [];
	let next: AgentDefinitionParams | undefined = definition;
	while (next !== undefined) {
		if (chain.includes(next)) throw failure("usage", { reason: "An agent extends itself" });
		chain.push(next);
		const base: string | AgentDefinitionParams | undefined = next.extends;
		next = typeof base === "string" ? builtin(base, builtins) : base;
	}
	return chain;
}

function builtin(key: string, builtins: Readonly<Record<string, AgentDefinitionParams>>): AgentDefinitionParams {
	const found = Object.hasOwn(builtins, key) ? builtins[key] : undefined;
	if (found !== undefined) return found;
	const known = Object.keys(builtins).join(", ");
	const hint = known === "" ? "This host has none." : `There are ${known}.`;
	throw failure("usage", { reason: `There is no built-in mode "${key}"`, hint });
}

function select(selection: ToolSelectionParams, inherited: readonly string[], all: readonly string[]) {
	const unmatched: string[] = [];
	const matching = (patterns: readonly string[]) => {
		const found = new Set<string>();
		for (const pattern of patterns) {
			const names = all.filter((name) => matches(pattern, name));
			if (names.length === 0) unmatched.push(pattern);
			for (const name of names) found.add(name);
		}
		return found;
	};
	if (selection === "all") return { tools: [...all], unmatched };
	const { include, add = [], exclude = [] } = Array.isArray(selection) ? { include: selection } : selection;
	const start = typeof include === "object" ? matching(include) : new Set(include === "all" ? all : inherited);
	const [added, excluded] = [matching(add), matching(exclude)];
	const tools = all.filter((name) => (start.has(name) || added.has(name)) && !excluded.has(name));
	return { tools, unmatched };
}

/** Whether a name fits a pattern with `*` for any text and `?` for one character; never more than length × length steps. */
function matches(pattern: string, name: string): boolean {
	let [at, position] = [0, 0];
	let star: { at: number; position: number } | undefined;
	while (position < name.length) {
		if (pattern[at] === "*") {
			star = { at: at + 1, position };
			at += 1;
		} else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === name[position])) {
			at += 1;
			position += 1;
		} else if (star !== undefined) {
			star.position += 1;
			at = star.at;
			position = star.position;
		} else {
			return false;
		}
	}
	while (pattern[at] === "*") at += 1;
	return at === pattern.length;
}

function defined<Members extends object>(members: Members): Partial<Members> {
	const given = Object.entries(members).filter(([, value]) => value !== undefined);
	return Object.fromEntries(given) as Partial<Members>;
}
