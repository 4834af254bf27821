import { isAnswer } from "../../runtime/answers.ts";
import { type BroodError, type ErrorCode, failure, isBroodError, messageOf } from "../../runtime/errors.ts";
import type { ContentBlock, Json, JsonObject, ToolItem } from "../../runtime/records.ts";
import type { Backend } from "../contracts/backend.ts";
import type { Entry, Registry } from "../registry.ts";
import type { ToolOutcome } from "./answers.ts";
import { contentFrom, outputOf, textOf } from "./envelope.ts";
import type { Decided, Events } from "./events.ts";
import { checkInput } from "./input-check.ts";
import { newID } from "./payload.ts";

export interface CallOptions {
	/** Aborting it cancels the call; the plugin's handler is told. */
	signal?: AbortSignal;
	/** Milliseconds until the call is given up, dialogs not counted; none when absent. */
	timeoutMs?: number;
	/** The thread that the call belongs to; a new one when absent. */
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
	/** Names of the plugins that failed to load. */
	failed(): string[];
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
	const entry = parts.registry.find("tool", name);
	if (entry === undefined) throw failure("tool_not_found", { subject: name, hint: nearest(parts, "tool", name) });
	if (typeof given !== "object" || given === null || Array.isArray(given)) {
		throw failure("invalid_input", { plugin: entry.plugin, subject: name, reason: "it is no object" });
	}
	const { events = true, threadID = newID("T"), signal } = options;
	const call = { thread: { id: threadID }, toolUseID: newID("toolu"), tool: name, input: given };
	const decision: Decided = events
		? (await parts.events.toolCall(call, { signal })).decision
		: { action: "allow", plugin: undefined };
	const input = decision.action === "modify" ? decision.input : given;
	const made = await outcomeOf(parts, entry, decision, input, { ...options, threadID });
	const done = (result: Omit<ToolResult, "ms" | "text">): ToolResult => {
		return { ...result, text: textOf(result.content), ms: performance.now() - begin };
	};
	if (!events) return done(made);
	const seen: ToolOutcome = made.ok
		? { status: "done", output: outputOf(made.content) }
		: { status: "error", error: textOf(made.content) };
	const after = await parts.events.toolResult({ ...call, input }, seen, { signal });
	if (after === seen) return done(made);
	return done(changedBy(made, after));
}

type Made = Omit<ToolResult, "ms" | "text">;

async function outcomeOf(
	parts: DispatchParts,
	{ plugin, item }: Entry<"tool">,
	decision: Decided,
	input: JsonObject,
	options: ToolCallOptions & { threadID: string },
): Promise<Made> {
	const { threadID, signal, timeoutMs } = options;
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
	if (parts.checkInputs) await checked(parts, plugin, item, input);
	try {
		const { content } = await parts.use(plugin, (backend) =>
			backend.call({ kind: "tool", name: item.name, input, threadID }, { signal, timeoutMs }),
		);
		return { ok: true, content, plugin };
	} catch (error) {
		const own = pluginsOwn(error);
		return { ok: false, content: [{ type: "text", text: messageOf(own) }], plugin, error: own };
	}
}

/** A schema that cannot be used is the plugin's fault, not that of the caller, so its log tells too. */
async function checked({ problem }: DispatchParts, plugin: string, item: ToolItem, input: JsonObject): Promise<void> {
	try {
		await checkInput(plugin, item, input);
	} catch (error) {
		if (isBroodError(error, "invalid_schema")) problem(plugin, error.message);
		throw error;
	}
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
	const { threadID = null, signal, timeoutMs } = options;
	try {
		await parts.use(plugin, (backend) =>
			backend.call({ kind: "command", id: item.id, threadID }, { signal, timeoutMs }),
		);
		return { ok: true, plugin, ms: performance.now() - begin };
	} catch (error) {
		return { ok: false, plugin, ms: performance.now() - begin, error: pluginsOwn(error) };
	}
}

function findCommand(parts: DispatchParts, id: string): Entry<"command"> {
	const { registry } = parts;
	const qualified = registry.find("command", id);
	if (qualified !== undefined) return qualified;
	const named = registry.list("command").filter(({ item }) => item.id === id);
	const [only, another] = named;
	if (only !== undefined && another === undefined) return only;
	const hint =
		only === undefined
			? nearest(parts, "command", id)
			: `Several plugins have it: ${named.map(({ key }) => key).join(", ")}.`;
	throw failure("command_not_found", { subject: id, hint });
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

// These say that the call was not made or not ended; any other error is the plugin's answer.
const notAnswered: ErrorCode[] = [
	"timeout",
	"cancelled",
	"busy",
	"channel_closed",
	"plugin_exited",
	"plugin_not_ready",
	"message_too_large",
	"host_stopped",
];

/** Gives back an error that is the plugin's answer. @throws the error when the call was not answered */
function pluginsOwn(error: unknown): Error {
	if (isBroodError(error) && notAnswered.includes(error.code) && !isAnswer(error)) throw error satisfies BroodError;
	return error instanceof Error ? error : new Error(messageOf(error));
}

/** Where else to look for a name that nobody has. */
function nearest({ registry, failed }: DispatchParts, kind: "tool" | "command", name: string): string {
	const names = registry.list(kind).map(({ key }) => key);
	const alike = names.find((known) => known.toLowerCase().includes(name.toLowerCase()));
	if (alike !== undefined) return `Is it "${alike}"?`;
	const missing = failed();
	if (missing.length > 0) return `It may belong to what failed to load: ${missing.join(", ")}.`;
	return names.length === 0 ? `No plugin has registered a ${kind}.` : `Known: ${names.slice(0, 12).join(", ")}.`;
}
