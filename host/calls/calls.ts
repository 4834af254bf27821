import type { Limits } from "../../runtime/limits.ts";
import type { EventName, JsonObject } from "../../runtime/records.ts";
import type { ThreadReference } from "../../runtime/threads.ts";
import type { StatusItems } from "../providers/status.ts";
import type { Entry } from "../registry.ts";
import { createDispatch, type Dispatch, type DispatchParts } from "./dispatch.ts";
import type { EmitOptions, EventOutcome } from "./events.ts";
import { createLinks, type Links } from "./links.ts";
import { createHostStatusItems, type HostStatusItems } from "./status-items.ts";
import type { TurnParts } from "./turn.ts";
import type { TurnOptions, TurnOutcome, TurnScript } from "./turn-types.ts";
import { createWebhookCalls, type WebhookCallsParts, type Webhooks } from "./webhooks.ts";

/** What a program may ask the plugins of a host to do. */
export interface Calls {
	readonly tools: { list(): readonly Entry<"tool">[]; call: Dispatch["callTool"] };
	/** The palette: each command with its availability, also those that are disabled or hidden. */
	readonly commands: { list(): readonly Entry<"command">[]; run: Dispatch["runCommand"] };
	readonly links: Links;
	readonly statusItems: HostStatusItems;
	readonly webhooks: Webhooks;
	/**
	 * Lets every handler of an event see it and merges their answers. An event whose data names no thread is one of the
	 * active thread, or of a new one when none is active.
	 */
	emit(event: EventName, data?: JsonObject, options?: EmitOptions): Promise<EventOutcome>;
	/**
	 * Plays a whole turn of an agent: session.start, agent.start, for each tool tool.call, the tool and tool.result, then
	 * agent.end, and another round as long as a plugin wants to continue, at most `limits.call.turnRoundsMax`.
	 *
	 * @throws BroodError `usage` for a script that cannot be played; what plugins do wrong is told in the outcome
	 */
	turn(script: TurnScript, options?: TurnOptions): Promise<TurnOutcome>;
}

export interface CallsParts extends DispatchParts {
	webhooks: WebhookCallsParts["webhooks"];
	limits: Limits;
	statusItems: StatusItems;
	/** Does the task while the host runs. @throws BroodError `host_stopped` */
	running<Result>(task: () => Promise<Result>): Promise<Result>;
}

export function createCalls(parts: CallsParts): Calls {
	const { registry, events, limits, running } = parts;
	const dispatch = createDispatch(parts);
	const links = createLinks(parts);
	const statusItems = createHostStatusItems(parts.statusItems, dispatch);
	const webhooks = createWebhookCalls(parts);
	return {
		tools: {
			list: () => registry.list("tool"),
			call: (name, input, options) => running(() => dispatch.callTool(name, input, options)),
		},
		commands: {
			list: () => registry.list("command"),
			run: (id, options) => running(() => dispatch.runCommand(id, options)),
		},
		links: {
			list: links.list,
			resolve: (text, options) => running(() => links.resolve(text, options)),
		},
		statusItems: {
			...statusItems,
			activate: (plugin, id, options) => running(() => statusItems.activate(plugin, id, options)),
		},
		webhooks: {
			list: webhooks.list,
			deliver: (key, event, options) => running(() => webhooks.deliver(key, event, options)),
		},
		emit: (event, data = {}, options) =>
			running(() => events.emit(event, inThread(data, parts.activeThread?.()), options)),
		turn: (script, options) =>
			running(async () => {
				const { playTurn } = await import("./turn.ts");
				const turn: TurnParts = {
					emit: (...given) => events.emit(...given),
					callTool: dispatch.callTool,
					hasTool: (name) => registry.find("tool", name) !== undefined,
					activeThread: () => parts.activeThread?.()?.id,
					roundsMax: limits.call.turnRoundsMax,
				};
				return playTurn(turn, script, options);
			}),
	};
}

function inThread(data: JsonObject, thread: ThreadReference | null = null): JsonObject {
	return thread === null || data.thread !== undefined ? data : { ...data, thread: { id: thread.id } };
}
