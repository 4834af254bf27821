import { type Subscription, subscription } from "../../runtime/disposable.ts";
import { failure, messageOf } from "../../runtime/errors.ts";
import { eventNames, type SkillItem } from "../../runtime/records.ts";
import { type Ask, apiRejection } from "../ask.ts";
import type { Log } from "../log.ts";
import type { Rest, Session } from "../session.ts";
import type { PluginAPI, StatusItem, StatusText } from "../types/plugin-api.ts";
import type { AgentMode } from "../types/threads.ts";
import { type Executable, type Handler, ofSubscription, putCommand, putHandler, putTool } from "./register.ts";
import { describeUnknownEvent } from "./unknown-event.ts";
import { commandItem, linkItem, modeItem, toolItem } from "./validate.ts";

/** The registrations of which there may be something to say: a refusal, or a warning. */
export function createJudged(session: Session): Rest["judged"] {
	return {
		on(event, handler): Subscription {
			if (!(eventNames as readonly string[]).includes(event)) {
				session.log("warn", describeUnknownEvent(event));
				return subscription(() => {});
			}
			return putHandler(session, event, handlerFunction(handler, `on(${JSON.stringify(event)})`));
		},
		registerTool: (tool) => putTool(session, toolItem(tool, session.log), tool as Executable),
		registerCommand: (id, command, handler) =>
			putCommand(session, commandItem(id, command, handler, session.log), handler as Handler),
		onDispose(callback) {
			const given = callback === null ? "null" : typeof callback;
			session.log("warn", `onDispose takes a function, not ${given}: nothing will run`);
			return subscription(() => {});
		},
	};
}

type FewUse = Pick<PluginAPI, "registerSkill" | "registerAgentMode" | "registerLinkPattern" | "createStatusItem">;

/** The members by which few plugins contribute something. */
export function createFewUsed(session: Session, ask: Ask): FewUse {
	let lastStatus = 0;
	return {
		async registerSkill(skill): Promise<Subscription> {
			const { registry } = session;
			const item = await ask("skill.register", { path: String(skill?.path ?? "") });
			if (registry.get("skill", item.name) !== undefined)
				throw apiRejection(skillTaken(session, item), "skill.register");
			return ofSubscription(registry.put("skill", item.name, item));
		},
		registerAgentMode(mode: AgentMode): Subscription {
			const item = modeItem(mode, session.registry.keys("mode"));
			return ofSubscription(session.registry.put("mode", item.key, item));
		},
		registerLinkPattern(link): Subscription {
			const item = linkItem(link);
			return ofSubscription(session.registry.put("link", item.id, item));
		},
		createStatusItem: (initial) => createStatusItem(ask, session.log, ++lastStatus, initial),
	};
}

function skillTaken({ info }: Session, { name, path }: SkillItem): Error {
	const reason = "this plugin has registered it already";
	const hint = `It is the one in ${path}; unsubscribe that first.`;
	const plugin = info === undefined ? {} : { plugin: info.plugin.name };
	return failure("invalid_skill", { ...plugin, subject: name, reason, hint });
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

function handlerFunction(value: unknown, subject: string): Handler {
	if (typeof value === "function") return value as Handler;
	throw failure("invalid_registration", { subject, reason: "the second argument is the handler function" });
}
