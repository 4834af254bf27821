import { failure } from "../runtime/errors.ts";
import type { Peer } from "../runtime/peer.ts";
import type { HostCalls } from "../runtime/protocol.ts";
import { serve } from "../runtime/typed.ts";
import { threadOf } from "./api/contexts.ts";
import { answerOf, contentOf } from "./content.ts";
import type { Members } from "./members.ts";
import type { Session } from "./session.ts";

// Kept, since a plugin may replace the global functions.
const soon = setImmediate;

/** Serves what the host may ask. The calls run concurrently; each has a signal that its caller can abort. */
export function serveHost(peer: Peer, session: Session, { contexts, webhooks, dispose }: Members): void {
	const { registry } = session;
	/** Runs a handler; what it registered is told before its answer, or its error, leaves. */
	const handled = async (task: () => unknown): Promise<unknown> => {
		try {
			return await task();
		} finally {
			registry.announce();
		}
	};

	serve<HostCalls>(peer, {
		"command.list": () => registry.list("command"),
		"tool.list": () => registry.list("tool"),
		"skill.list": () => registry.list("skill"),
		"event.list": () => registry.list("event"),
		"mode.list": () => registry.list("mode"),
		"link.list": () => registry.list("link"),

		async "tool.execute"({ name, input, thread }, call) {
			const entry = registry.get("tool", name);
			if (entry?.serve === undefined) throw failure("tool_not_found", { subject: name });
			const { serve: execute } = entry;
			const result = await handled(() => execute(input as never, contexts.tool(call, thread) as never));
			return { content: contentOf(result, name) };
		},
		async "command.execute"({ id, thread }, call) {
			const entry = registry.get("command", id);
			if (entry?.serve === undefined) throw failure("command_not_found", { subject: id });
			const { serve: run } = entry;
			await handled(() => run(contexts.command(call, thread) as never));
			return {};
		},
		async "event.dispatch"({ event, handler, payload }, call) {
			const entry = registry.get("event", String(handler));
			// Unsubscribed while the event was on its way: that handler has nothing to say.
			if (entry?.serve === undefined) return {};
			const context = contexts.event(call, threadOf(payload));
			const { serve: handle } = entry;
			const given = await handled(() => handle(payload as never, context as never));
			const answer = answerOf(given, `The answer to ${event}`);
			return answer === undefined ? {} : { answer };
		},
		async "webhook.execute"({ key, event, thread }, call) {
			const context = Object.assign(contexts.event(call, thread), { signal: call.signal });
			await handled(() => webhooks().execute(key, event, context));
			return {};
		},
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
