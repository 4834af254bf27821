import { failure } from "../../runtime/errors.ts";
import type { HandlerContext } from "../../runtime/peer.ts";
import type { Ask } from "../ask.ts";
import type { Logger, Shell } from "../types/common.ts";
import type { CommandContext, EventContext } from "../types/events.ts";
import type { System } from "../types/system.ts";
import type { PluginThread } from "../types/threads.ts";
import type { ToolContext } from "../types/tools.ts";
import { defineLazy, settle } from "./lazy.ts";
import { createUI } from "./ui.ts";

/** Members that every context shares with the API. */
export interface SharedMembers {
	logger: Logger;
	readonly $: Shell;
	readonly system: System;
}

/** Members that are made anew for a call, when it touches them. */
export interface CallMembers {
	/** Gives up what was asked when the signal aborts. */
	ai(signal: AbortSignal): EventContext["ai"];
	thread(id: string): PluginThread;
}

/** Makes what handlers are called with beside their input: each call has dialogs and a signal of its own. */
export function createContexts({ ask, shared, own }: { ask: Ask; shared: () => SharedMembers; own: CallMembers }) {
	const uiOf = ({ id, signal }: HandlerContext) => createUI(ask, typeof id === "number" ? id : undefined, signal);
	const later = (call: HandlerContext) => ({
		ui: () => uiOf(call),
		$: () => shared().$,
		ai: () => own.ai(call.signal),
		system: () => shared().system,
	});
	const signalOf = (call: HandlerContext) => ({ signal: () => call.signal });
	const handleOf = (id: string) => ({ thread: () => own.thread(id) });

	return {
		/** As with `defineLazy`, but written out: no other context is made as often, and few tools touch any of it. */
		tool(call: HandlerContext, thread: { id: string }): ToolContext {
			const context: ToolContext = {
				logger: shared().logger,
				get ui() {
					return settle(context, "ui", uiOf(call));
				},
				set ui(value) {
					settle(context, "ui", value);
				},
				get signal() {
					return settle(context, "signal", call.signal);
				},
				set signal(value) {
					settle(context, "signal", value);
				},
				get thread() {
					return settle(context, "thread", own.thread(thread.id));
				},
				set thread(value) {
					settle(context, "thread", value);
				},
			};
			return context;
		},
		command(call: HandlerContext, thread: { id: string } | null): CommandContext {
			const base = defineLazy({}, { ...later(call), ...signalOf(call) });
			return thread === null ? base : defineLazy(base, handleOf(thread.id));
		},
		event(call: HandlerContext, thread: { id: string }): EventContext {
			return defineLazy({ logger: shared().logger }, { ...later(call), ...handleOf(thread.id) });
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
