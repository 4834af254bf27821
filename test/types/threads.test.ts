import { expect, expectTypeOf, test } from "bun:test";
import type { z } from "zod";
import type * as authors from "../../child/plugin.ts";
import type { PluginAPI } from "../../child/plugin.ts";
import type { threadAnswers, threadParams } from "../../runtime/schema/threads.ts";
import type * as wire from "../../runtime/threads.ts";

/** Compiled, never run: each line is a claim about what authors may write. */
async function _claims(amp: PluginAPI): Promise<void> {
	const thread = amp.threads.get("T-1");
	expectTypeOf(amp.experimental.threads).toEqualTypeOf<PluginAPI["threads"]>();
	expectTypeOf(amp.experimental.activeThread).toEqualTypeOf<PluginAPI["activeThread"]>();
	expectTypeOf(amp.activeThread.current).toEqualTypeOf<{ id: string } | null>();
	amp.activeThread.subscribe((active) => expectTypeOf(active).toEqualTypeOf<{ id: string } | null>());
	const subscription = thread.title.subscribe({ next: (title) => title?.length, error: () => {} });
	subscription.unsubscribe();
	expectTypeOf(thread.title.pipe((source) => source)).toEqualTypeOf<authors.Observable<string | null>>();
	expectTypeOf(await thread.title.get()).toEqualTypeOf<string | null>();
	expectTypeOf(await thread.state.get()).toEqualTypeOf<"idle" | "running" | "awaiting-approval" | "error">();
	expectTypeOf(await thread.agent()).toEqualTypeOf<authors.Agent>();
	expectTypeOf(await thread.parentThreadID()).toEqualTypeOf<string | null>();
	expectTypeOf(await thread.waitForResponse()).toEqualTypeOf<authors.ThreadAssistantMessage>();
	await thread.waitForResponse({ timeoutMs: 1 });
	await thread.cancel();
	await thread.setVisibility("workspace");
	// @ts-expect-error there is no such visibility
	await thread.setVisibility("public");
	await thread.setMultiplayer({ ttlSeconds: 60 });
	await thread.setMultiplayer({ ttlSeconds: null });
	await thread.setMultiplayer(null);
	await thread.append([{ type: "user-message", content: "x" }]);
	// @ts-expect-error only messages of the user can be added
	await thread.append([{ type: "assistant-message", content: "x" }]);
	await thread.appendUserMessage("x", { steer: true });
	const messages = await thread.messages({ full: true, from: "start", offset: 1, limit: 20, roles: ["user", "info"] });
	// @ts-expect-error there is no such role
	await thread.messages({ roles: ["robot"] });
	for (const message of messages) {
		if (message.role === "info") expectTypeOf(message.content).toEqualTypeOf<authors.TextContent[]>();
		if (message.role !== "assistant") continue;
		for (const block of message.content) {
			if (block.type === "tool_use") expectTypeOf(block.input).toEqualTypeOf<Record<string, unknown>>();
			else expectTypeOf(block.type === "text" ? block.text : block.thinking).toEqualTypeOf<string>();
		}
	}
}

test("what authors read of threads is what goes over the wire, JSON taken for unknown", () => {
	expectTypeOf<authors.ThreadState>().toEqualTypeOf<wire.ThreadState>();
	expectTypeOf<wire.ThreadMessage>().toExtend<authors.ThreadMessage>();
	expectTypeOf<authors.ThreadMessage["role"]>().toEqualTypeOf<wire.ThreadRole>();
	expectTypeOf<authors.ThreadMessagesOptions>().toEqualTypeOf<wire.ThreadMessagesOptions>();
	expectTypeOf<authors.ToolResultContent["status"]>().toEqualTypeOf<wire.ToolResultStatus>();
	expect(typeof _claims).toBe("function");
});

test("each schema of threads infers exactly the type of the protocol", () => {
	expectTypeOf<z.infer<(typeof threadParams)["thread.call"]>>().toEqualTypeOf<wire.ThreadCallParams>();
	expectTypeOf<z.infer<(typeof threadParams)["thread.subscribe"]>>().toEqualTypeOf<wire.ThreadSubscribeParams>();
	expectTypeOf<z.infer<typeof threadAnswers.messages>>().toEqualTypeOf<wire.ThreadMessage[]>();
	expectTypeOf<z.infer<typeof threadAnswers.response>>().toEqualTypeOf<wire.AssistantMessage>();
	expectTypeOf<z.infer<typeof threadAnswers.state>>().toEqualTypeOf<wire.ThreadState>();
});
