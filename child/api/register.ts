import type { Subscription } from "../../runtime/disposable.ts";
import { type CommandItem, type EventName, eventNames, type ToolItem } from "../../runtime/records.ts";
import type { Session } from "../session.ts";
import type { PluginAPI } from "../types/plugin-api.ts";
import type { CommandSubscription } from "../types/tools.ts";
import { plainCommand, plainTool } from "./plain.ts";

/** The members by which nearly every plugin contributes something. */
export function createRegistrations(session: Session): Pick<PluginAPI, "on" | "registerTool" | "registerCommand"> {
	const judged = () => session.rest().judged;
	return {
		on(event, handler) {
			if (!eventNames.includes(event) || typeof handler !== "function") return judged().on(event, handler);
			return putHandler(session, event, handler as Handler);
		},
		registerTool(tool) {
			const item = plainTool(tool);
			return item === undefined ? judged().registerTool(tool) : putTool(session, item, tool as Executable);
		},
		registerCommand(id, command, handler) {
			const item = plainCommand(id, command, handler);
			if (item === undefined) return judged().registerCommand(id, command, handler);
			return putCommand(session, item, handler as Handler);
		},
	};
}

/** What serves an item; its arguments are the business of who serves it. */
export type Handler = (...given: never[]) => unknown;

export interface Executable {
	execute: (input: never, context: never) => unknown;
}

export function putHandler(session: Session, name: EventName, handler: Handler): Subscription {
	session.lastHandler += 1;
	const item = { name, handler: session.lastHandler };
	return ofSubscription(session.registry.put("event", String(item.handler), item, handler));
}

export function putTool({ registry }: Session, item: ToolItem, tool: Executable): Subscription {
	return ofSubscription(registry.put("tool", item.name, item, (input, context) => tool.execute(input, context)));
}

export function putCommand(session: Session, item: CommandItem, handler: Handler): CommandSubscription {
	const { id } = item;
	const full = { category: session.info?.plugin.name ?? "", ...item };
	const registration = session.registry.put("command", id, full, handler);
	return {
		...ofSubscription(registration),
		setAvailability(given) {
			const availability = session.rest().availabilityOf(given, id);
			registration.update((current) => ({ ...current, availability }));
		},
	};
}

/** What a plugin gets of a registration; to change an item is the runtime's business. */
export function ofSubscription({ unsubscribe, [Symbol.dispose]: dispose }: Subscription): Subscription {
	return { unsubscribe, [Symbol.dispose]: dispose };
}
