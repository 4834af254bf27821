import { failure } from "../../runtime/errors.ts";
import type { HandlerContext } from "../../runtime/peer.ts";
import type { Ask } from "../ask.ts";
import type { Logger, Shell } from "../types/common.ts";
import type { CommandContext, EventContext } from "../types/events.ts";
import type { System } from "../types/system.ts";
import type { ToolContext } from "../types/tools.ts";
import { defineLazy } from "./lazy.ts";
import { createUI } from "./ui.ts";

/** Members that every context shares with the API. */
export interface SharedMembers {
	logger: Logger;
	readonly $: Shell;
	readonly ai: EventContext["ai"];
	readonly system: System;
}

/** Makes what handlers are called with beside their input: each call has dialogs and a signal of its own. */
export function createContexts({ ask, shared }: { ask: Ask; shared: SharedMembers }) {
	const uiOf = ({ id, signal }: HandlerContext) => createUI(ask, typeof id === "number" ? id : undefined, signal);
	const later = { $: () => shared.$, ai: () => shared.ai, system: () => shared.system };

	return {
		tool(call: HandlerContext, thread: { id: string }): ToolContext {
			return { ui: uiOf(call), logger: shared.logger, signal: call.signal, thread };
		},
		command(call: HandlerContext, thread: { id: string } | null): CommandContext {
			const base = { ui: uiOf(call), signal: call.signal };
			return defineLazy(thread === null ? base : { ...base, thread }, later);
		},
		event(call: HandlerContext, thread: { id: string }): EventContext {
			return defineLazy({ ui: uiOf(call), logger: shared.logger, thread }, later);
		},
	};
}

/** The thread that an event's payload names; the host always names one. */
export function threadOf(payload: { thread?: unknown }): { id: string } {
	const { thread } = payload;
	if (typeof thread === "object" && thread !== null && "id" in thread && typeof thread.id === "string") {
		return { id: thread.id };
	}
	throw failure("invalid_params", { subject: "event.dispatch", reason: "the payload names no thread" });
}
