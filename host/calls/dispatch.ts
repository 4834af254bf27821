import { type BroodError, failure, isBroodError, messageOf } from "../../runtime/errors.ts";
import type { ContentBlock, Json, JsonObject } from "../../runtime/records.ts";
import type { ThreadReference } from "../../runtime/threads.ts";
import type { Backend, BackendCall } from "../contracts/backend.ts";
import { type Entry, keyPrefix, type Registry } from "../registry.ts";
import type { ToolOutcome } from "./answers.ts";
import { type Budget, cancelled, checkTimeout, createBudget } from "./budget.ts";
import { contentFrom, outputOf, textOf } from "./envelope.ts";
import type { Decided, Events } from "./events.ts";
import { inputCheck } from "./input-check.ts";
import { pluginsOwn } from "./own-error.ts";
import { carry, newID } from "./payload.ts";

export interface CallOptions {
	/** Aborting it cancels the call; the plugin's handler is told. */
	signal?: AbortSignal;
	/** Milliseconds until the call is given up, gates counted and dialogs not; none when absent. */
	timeoutMs?: number;
	/** The thread that the call belongs to; when absent the active one, else a new one for a tool and none for a command. */
	threadID?: string;
}

export interface ToolCallOptions extends CallOptions {
	/** Whether plugins see `tool.call` and `tool.result`, as with an agent's call; yes when absent. */
	events?: boolean;
}

/** What a tool call came to. A call that the plugin answered with an error, or that a gate stopped, is not ok. */
export interface ToolResult {
	ok: boolean;
	/** The text blocks, joined. */
	text: string;
	content: ContentBlock[];
	/** Who gave the result: the tool's plugin, or the gate that answered in its place. */
	plugin: string;
	/** Milliseconds. */
	ms: number;
	error?: Error;
}

export interface CommandResult {
	ok: boolean;
	plugin: string;
	/** Milliseconds. */
	ms: number;
	error?: Error;
}

export interface DispatchParts {
	registry: Registry;
	events: Events;
	checkInputs: boolean;
	/** The thread of calls that name none. */
	activeThread?: () => ThreadReference | null;
	/** The plugins that serve nobody now, and the state of each. */
	absent(): { plugin: string; state: string }[];
	/** Tells a plugin's log what is wrong with it. */
	problem(plugin: string, text: string): void;
	use<Result>(plugin: string, task: (backend: Backend) => Promise<Result>): Promise<Result>;
}

/** Finds who has a tool or command, and calls it. */
export interface Dispatch {
	/** @throws BroodError when the call could not be made or not be ended: not found, invalid input, timeout, crash */
	callTool(name: string, input: JsonObject, options?: ToolCallOptions): Promise<ToolResult>;
	/** `id` alone, or `plugin:id` where several plugins have it. @throws BroodError likewise */
	runCommand(id: string, options?: CallOptions): Promise<CommandResult>;
}

export function createDispatch(parts: DispatchParts): Dispatch {
	return {
		callTool: (name, input, options = {}) => callTool(parts, name, input, options),
		runCommand: (id, options = {}) => runCommand(parts, id, options),
	};
}

async function callTool(
	parts: DispatchParts,
	name: string,
	given: JsonObject,
	options: ToolCallOptions,
): Promise<ToolResult> {
	const begin = performance.now();
	const call = toolCallOf(parts, name, given, options);
	const { entry, events, budget, signal } = call;
	const { plugin, item } = entry;
	const decision = events?.isHeard("tool.call")
		? (await events.toolCall(toldOf(call, call.input), { signal, budget })).decision
		: undefined;
	const input = decision?.action === "modify" ? decision.input : call.input;
	let made = decision && decidedBy(decision, entry);
	if (made === undefined) {
		if (parts.checkInputs) {
			try {
				const check = inputCheck(plugin, item, input, (text) => parts.problem(plugin, text));
				// Compiled before, it takes no turn.
				(check instanceof Promise ? await check : check)(input);
			} catch (error) {
				// A schema that cannot be used is the plugin's fault, not that of the caller, so its log tells too.
				if (isBroodError(error, "invalid_schema")) parts.problem(plugin, error.message);
				throw error;
			}
		}
		const asked: BackendCall = { kind: "tool", name: item.name, input, threadID: call.threadID };
		try {
			const { content } = await parts.use(plugin, (backend) => backend.call(asked, budget.part(signal)));
			made = { ok: true, content, plugin };
		} catch (error) {
			made = failedBy(plugin, error);
		}
	}
	if (!events?.isHeard("tool.result")) return resultOf(made, begin);
	const seen: ToolOutcome = made.ok
		? { status: "done", output: outputOf(made.content) }
		: { status: "error", error: textOf(made.content) };
	const after = await events.toolResult(toldOf(call, input), seen, { signal, budget });
	return resultOf(after === seen ? made : changedBy(made, after), begin);
}

interface ToolCall {
	entry: Entry<"tool">;
	input: JsonObject;
	threadID: string;
	signal: AbortSignal | undefined;
	budget: Budget;
	/** Absent when no plugin is to see the call. */
	events: Events | undefined;
	/** Made when somebody hears of the call. */
	toolUseID: string | undefined;
}

/** All that is known of a call before anybody sees it. @throws BroodError when it cannot be made */
function toolCallOf(parts: DispatchParts, name: string, given: JsonObject, options: ToolCallOptions): ToolCall {
	const entry = findTool(parts, name);
	const { plugin } = entry;
	const input = carry(given, (reason) => failure("invalid_input", { plugin, subject: name, reason }));
	const { events: isShown = true, threadID = parts.activeThread?.()?.id ?? newID("T"), signal, timeoutMs } = options;
	checkThreadID(threadID);
	const budget = createBudget(timeoutMs, { plugin, subject: `tool "${name}"` });
	const over = budget.over(signal);
	if (over !== undefined) throw over;
	// What nobody hears is not told.
	const events = isShown ? parts.events : undefined;
	return { entry, input, threadID, signal, budget, events, toolUseID: undefined };
}

/** What plugins are told of a call. */
function toldOf(call: ToolCall, input: JsonObject): JsonObject {
	call.toolUseID ??= newID("toolu");
	return { thread: { id: call.threadID }, toolUseID: call.toolUseID, tool: call.entry.key, input };
}

function resultOf({ ok, content, plugin, error }: Made, begin: number): ToolResult {
	const result = { ok, text: textOf(content), content, plugin, ms: performance.now() - begin };
	return error === undefined ? result : { ...result, error };
}

type Made = Omit<ToolResult, "ms" | "text">;

/** What a gate put in the place of a call; nothing when the call is to be made. */
function decidedBy(decision: Decided, { plugin, item }: Entry<"tool">): Made | undefined {
	const gate = decision.plugin ?? plugin;
	switch (decision.action) {
		case "synthesize":
			return { ok: true, content: [{ type: "text", text: decision.result.output }], plugin: gate };
		case "reject-and-continue":
		case "error": {
			const error = failure("tool_rejected", { subject: item.name, plugin: gate, reason: decision.message });
			return { ok: false, content: [{ type: "text", text: decision.message }], plugin: gate, error };
		}
	}
	return undefined;
}

/** What the plugin answered with an error. @throws the error when the call was not answered */
function failedBy(plugin: string, error: unknown): Made {
	const own = pluginsOwn(error);
	return { ok: false, content: [{ type: "text", text: messageOf(own) }], plugin, error: own };
}

async function runCommand(parts: DispatchParts, id: string, options: CallOptions): Promise<CommandResult> {
	const begin = performance.now();
	const { plugin, item } = findCommand(parts, id);
	if (item.availability.type === "disabled") {
		throw failure("command_disabled", {
			plugin,
			subject: item.id,
			reason: item.availability.reason || "no reason given",
		});
	}
	const { threadID = parts.activeThread?.()?.id ?? null, signal, timeoutMs } = options;
	checkThreadID(threadID);
	checkTimeout(timeoutMs);
	if (signal?.aborted) throw cancelled(signal, { plugin, subject: `command "${item.id}"` });
	try {
		await parts.use(plugin, (backend) =>
			backend.call({ kind: "command", id: item.id, threadID }, { signal, timeoutMs }),
		);
		return { ok: true, plugin, ms: performance.now() - begin };
	} catch (error) {
		return { ok: false, plugin, ms: performance.now() - begin, error: pluginsOwn(error) };
	}
}

function checkThreadID(threadID: unknown): void {
	if (threadID === null || typeof threadID === "string") return;
	throw failure("usage", { reason: `threadID is a string, not a ${typeof threadID}` });
}

/** A plugin that restarts keeps its tools: nobody of a worse rank is called in its place. */
function findTool(parts: DispatchParts, name: string): Entry<"tool"> {
	const entry = parts.registry.find("tool", name);
	const [back] = returning(parts, parts.registry.lastOwners("tool", name));
	if (entry !== undefined && back === undefined) return entry;
	throw notFound(parts, "tool", name, nearest(parts, "tool", name));
}

function findCommand(parts: DispatchParts, id: string): Entry<"command"> {
	const { registry } = parts;
	const qualified = registry.find("command", id);
	if (qualified !== undefined) return qualified;
	// What begins with the name of a plugin is that plugin's alone, also while it is away.
	const owner = parts.absent().find(({ plugin }) => id.startsWith(keyPrefix(plugin)));
	if (owner !== undefined) throw notReady("command", id.slice(keyPrefix(owner.plugin).length), owner);
	const named = registry.list("command").filter(({ item }) => item.id === id);
	const away = named.length === 0 ? [] : returning(parts, registry.lastOwners("command", id));
	const [only, another = away[0]] = named;
	if (only !== undefined && another === undefined) return only;
	const all = [...named.map(({ key }) => key), ...away.map(({ plugin }) => `${keyPrefix(plugin)}${id}`)];
	const hint = only === undefined ? nearest(parts, "command", id) : `Several plugins have it: ${all.join(", ")}.`;
	if (only !== undefined) throw failure("command_not_found", { subject: id, hint });
	throw notFound(parts, "command", id, hint);
}

type Absent = ReturnType<DispatchParts["absent"]>[number];

/** Those of these plugins that are about to serve again. */
function returning({ absent }: DispatchParts, plugins: string[]): Absent[] {
	if (plugins.length === 0) return [];
	return absent().filter(({ plugin, state }) => plugins.includes(plugin) && comesBack(state));
}

function comesBack(state: string): boolean {
	return state === "restarting" || state === "starting";
}

/** What a `tool.result` handler made of a result. */
function changedBy(made: Made, after: ToolOutcome): Made {
	const content = after.output === undefined && after.error !== undefined ? after.error : (after.output ?? null);
	const base = {
		content: after.output === undefined && after.error === undefined ? made.content : contentFrom(content as Json),
	};
	if (after.status === "done") return { ...base, ok: true, plugin: made.plugin };
	const error = made.error ?? failure("plugin_error", { subject: "The call", reason: after.error ?? after.status });
	return { ...base, ok: false, plugin: made.plugin, error };
}

/** What nobody has; one that was there until its plugin went away comes back with it. */
function notFound(
	{ registry, absent }: DispatchParts,
	kind: "tool" | "command",
	key: string,
	hint: string,
): BroodError {
	const plugins = registry.lastOwners(kind, key);
	const owners = absent().filter(({ plugin }) => plugins.includes(plugin));
	const owner = owners.find(({ state }) => comesBack(state)) ?? owners[0];
	return owner === undefined ? failure(`${kind}_not_found`, { subject: key, hint }) : notReady(kind, key, owner);
}

function notReady(kind: "tool" | "command", key: string, { plugin, state }: Absent): BroodError {
	const next = comesBack(state) ? "It comes back by itself: try again." : "See its log.";
	const reason = `it has ${kind} "${key}" and ${state === "failed" ? "has failed" : `is ${state}`}`;
	return failure("plugin_not_ready", { plugin, reason, hint: state === "disabled" ? "Enable it first." : next });
}

/** Where else to look for a name that nobody has. */
function nearest({ registry, absent }: DispatchParts, kind: "tool" | "command", name: string): string {
	const names = registry.list(kind).map(({ key }) => key);
	const alike = names.find((known) => known.toLowerCase().includes(name.toLowerCase()));
	if (alike !== undefined) return `Is it "${alike}"?`;
	const missing = absent().map(({ plugin, state }) => `${plugin} (${state})`);
	if (missing.length > 0) return `It may belong to a plugin that is not there: ${missing.join(", ")}.`;
	return names.length === 0 ? `No plugin has registered a ${kind}.` : `Known: ${names.slice(0, 12).join(", ")}.`;
}
