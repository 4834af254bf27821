import { isPromiseLike } from "../runtime/answers.ts";
import { failure } from "../runtime/errors.ts";
import type { HandlerContext, Peer } from "../runtime/peer.ts";
import type { HostCalls } from "../runtime/protocol.ts";
import { serve } from "../runtime/typed.ts";
import { threadOf } from "./api/contexts.ts";
import { answerOf, contentOf } from "./content.ts";
import type { Members } from "./members.ts";
import { createModules, type Modules } from "./modules.ts";
import type { Registry } from "./registry.ts";
import type { Session } from "./session.ts";

// Kept, since a plugin may replace the global functions.
const soon = setImmediate;

/** Serves what the host may ask. The calls run concurrently; each has a signal that its caller can abort. */
export function serveHost(peer: Peer, session: Session, { contexts, webhooks, dispose }: Members): void {
	const { registry } = session;
	const modules = createModules((revision) => session.notify("modules.changed", { revision }), session.findCache);
	const handled = handledWith(registry, modules);
	const nothing = () => ({});

	serve<HostCalls>(peer, {
		"command.list": () => registry.list("command"),
		"tool.list": () => registry.list("tool"),
		"skill.list": () => registry.list("skill"),
		"event.list": () => registry.list("event"),
		"mode.list": () => registry.list("mode"),
		"link.list": () => registry.list("link"),
		"module.list": () => modules.list(),

		"tool.execute": handled(
			({ name, input, thread }, call) => {
				const entry = registry.get("tool", name);
				if (entry?.serve === undefined) throw failure("tool_not_found", { subject: name });
				const { serve: execute } = entry;
				return execute(input as never, contexts.tool(call, thread) as never);
			},
			(given, { name }) => ({ content: contentOf(given, name) }),
		),
		"command.execute": handled(({ id, thread }, call) => {
			const entry = registry.get("command", id);
			if (entry?.serve === undefined) throw failure("command_not_found", { subject: id });
			const { serve: run } = entry;
			return run(contexts.command(call, thread) as never);
		}, nothing),
		"event.dispatch": handled(
			({ handler, payload }, call) => {
				const entry = registry.get("event", String(handler));
				// Unsubscribed while the event was on its way: that handler has nothing to say.
				if (entry?.serve === undefined) return undefined;
				const context = contexts.event(call, threadOf(payload));
				const { serve: handle } = entry;
				return handle(payload as never, context as never);
			},
			(given, { event }) => {
				const answer = answerOf(given, `The answer to ${event}`);
				return answer === undefined ? {} : { answer };
			},
		),
		"webhook.execute": handled(({ key, event, thread }, call) => {
			const context = Object.assign(contexts.event(call, thread), { signal: call.signal });
			return webhooks().execute(key, event, context);
		}, nothing),
		"link.resolve"({ text }) {
			const { items } = registry.list("link");
			return { matches: (require("./api/links.ts") as typeof import("./api/links.ts")).matchLinks(items, text) };
		},
		ping: () => "pong",
		async dispose() {
			await dispose();
			// A handler that obeys its signal at once has answered before the end of this turn.
			await new Promise<void>((resolve) => soon(resolve));
			return {};
		},
	});
}

/**
 * Runs a handler and makes the answer of what it gives. What it registered is told before that, or its error, leaves; what
 * it loaded too, unless it gives at once: then that is told within a second.
 */
function handledWith({ announce }: Pick<Registry, "announce">, modules: Modules) {
	return <Params, Answer>(
		run: (params: Params, call: HandlerContext) => unknown,
		answer: (given: unknown, params: Params) => Answer,
	) => {
		const answerLater = async (given: PromiseLike<unknown>, params: Params): Promise<Answer> => {
			try {
				return answer(await given, params);
			} finally {
				announce();
				modules.announce();
			}
		};
		return (params: Params, call: HandlerContext): Answer | Promise<Answer> => {
			let isLate = false;
			try {
				const given = run(params, call);
				if (!isPromiseLike(given)) return answer(given, params);
				isLate = true;
				return answerLater(given, params);
			} finally {
				if (!isLate) announce();
			}
		};
	};
}
