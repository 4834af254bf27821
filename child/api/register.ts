import { type Subscription, subscription } from "../../runtime/disposable.ts";
import { failure, messageOf } from "../../runtime/errors.ts";
import type { ClientInfo } from "../../runtime/protocol.ts";
import { type EventName, eventNames, type SkillItem } from "../../runtime/records.ts";
import { type Ask, apiRejection } from "../ask.ts";
import type { Log } from "../log.ts";
import type { Registry } from "../registry.ts";
import type { PluginAPI, StatusItem, StatusText } from "../types/plugin-api.ts";
import type { AgentMode } from "../types/threads.ts";
import type { CommandAvailability, CommandDefinition, CommandSubscription } from "../types/tools.ts";
import { availabilityOf, commandItem, linkItem, modeItem, toolItem } from "./validate.ts";

interface Parts {
	info: ClientInfo;
	ask: Ask;
	registry: Registry;
	log: Log;
}

type Registrations = Pick<
	PluginAPI,
	| "on"
	| "registerTool"
	| "registerCommand"
	| "registerSkill"
	| "registerAgentMode"
	| "registerLinkPattern"
	| "createStatusItem"
>;

/** The members by which a plugin contributes something. */
export function createRegistrations({ info, ask, registry, log }: Parts): Registrations {
	let lastHandler = 0;
	let lastStatus = 0;

	return {
		on(event, handler): Subscription {
			if (!(eventNames as readonly string[]).includes(event)) {
				const { describeUnknownEvent } = require("./unknown-event.ts") as typeof import("./unknown-event.ts");
				log("warn", describeUnknownEvent(event));
				return subscription(() => {});
			}
			return ofSubscription(registerHandler(registry, event, ++lastHandler, handler));
		},
		registerTool(tool): Subscription {
			const item = toolItem(tool, log);
			return ofSubscription(registry.put("tool", item.name, item, (input, context) => tool.execute(input, context)));
		},
		registerCommand(id, command, handler): CommandSubscription {
			return registerCommand({ info, registry, log }, id, command, handler);
		},
		async registerSkill(skill): Promise<Subscription> {
			const item = await ask("skill.register", { path: String(skill?.path ?? "") });
			if (registry.get("skill", item.name) !== undefined)
				throw apiRejection(skillTaken(info.plugin.name, item), "skill.register");
			return ofSubscription(registry.put("skill", item.name, item));
		},
		registerAgentMode(mode: AgentMode): Subscription {
			const item = modeItem(mode, registry.keys("mode"));
			return ofSubscription(registry.put("mode", item.key, item));
		},
		registerLinkPattern(link): Subscription {
			const item = linkItem(link);
			return ofSubscription(registry.put("link", item.id, item));
		},
		createStatusItem: (initial) => createStatusItem(ask, log, ++lastStatus, initial),
	};
}

/** What a plugin gets of a registration; to change an item is the runtime's business. */
function ofSubscription({ unsubscribe, [Symbol.dispose]: dispose }: Subscription): Subscription {
	return { unsubscribe, [Symbol.dispose]: dispose };
}

function skillTaken(plugin: string, { name, path }: SkillItem): Error {
	const reason = "this plugin has registered it already";
	const hint = `It is the one in ${path}; unsubscribe that first.`;
	return failure("invalid_skill", { plugin, subject: name, reason, hint });
}

function registerHandler(registry: Registry, name: EventName, handler: number, serve: unknown): Subscription {
	const item = { name, handler };
	return registry.put("event", String(handler), item, handlerFunction(serve, `on(${JSON.stringify(name)})`));
}

function registerCommand(
	{ info, registry, log }: Pick<Parts, "info" | "registry" | "log">,
	id: string,
	command: CommandDefinition,
	handler: (context: never) => unknown,
): CommandSubscription {
	const item = { category: info.plugin.name, ...commandItem(id, command, handler, log) };
	const registration = registry.put("command", id, item, handler);
	return {
		...ofSubscription(registration),
		setAvailability(availability: CommandAvailability) {
			const checked = availabilityOf(availability, `setAvailability of "${id}"`, log);
			registration.update((current) => ({ ...current, availability: checked }));
		},
	};
}

/** A status item is shown at once; a host that cannot is told of in the log, never thrown to the plugin. */
function createStatusItem(ask: Ask, log: Log, id: number, initial?: StatusText): StatusItem {
	const tell = (method: "status.create" | "status.update", status: StatusText | undefined) => {
		if (typeof status?.text !== "string" && status !== undefined) {
			log("warn", 'a status item takes an object such as { text: "3 left" }, whose text is a text');
		}
		const { text = "", url } = status ?? {};
		const params = { id, text: String(text), ...(url === undefined ? {} : { url: String(url) }) };
		ask(method, params).catch((error: unknown) => log("warn", `status item: ${messageOf(error)}`));
	};
	tell("status.create", initial);
	return {
		update: (status) => tell("status.update", status),
		...subscription(() => {
			ask("status.remove", { id }).catch((error: unknown) => log("warn", `status item: ${messageOf(error)}`));
		}),
	};
}

function handlerFunction(value: unknown, subject: string): (event: never, context: never) => unknown {
	if (typeof value === "function") return value as (event: never, context: never) => unknown;
	throw failure("invalid_registration", { subject, reason: "the second argument is the handler function" });
}
