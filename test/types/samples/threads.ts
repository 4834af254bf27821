import type { PluginAPI } from "@ampcode/plugin";

export default function (amp: PluginAPI) {
	let current: string | undefined = amp.activeThread.current?.id;
	amp.activeThread.subscribe((thread) => {
		current = thread?.id;
	});
	amp.registerCommand("thread", { title: "Thread" }, async ({ ui }) => {
		if (current === undefined) return;
		const thread = amp.threads.get(current);
		const title: string | null = await thread.title.get();
		const state = await thread.state.get();
		const subscription = thread.state.subscribe({ next: (next) => amp.logger.log(next === "awaiting-approval") });
		for (let offset = 0; ; offset += 20) {
			const page = await thread.messages({
				full: true,
				from: "start",
				offset,
				limit: 20,
				roles: ["user", "assistant"],
			});
			for (const message of page) {
				for (const block of message.content) {
					if (block.type === "tool_use") amp.logger.log(block.id, block.name, block.input);
					else if (block.type === "tool_result") amp.logger.log(block.toolUseID, block.status, block.output);
					else if (block.type === "text") amp.logger.log(block.text);
				}
			}
			if (page.length < 20) break;
		}
		await thread.append([{ type: "user-message", content: "more" }]);
		await thread.appendUserMessage("now", { steer: true });
		await thread.waitForResponse({ timeoutMs: 1_000 });
		await thread.setVisibility("private");
		await thread.setMultiplayer({ ttlSeconds: 60 });
		await thread.cancel();
		subscription.unsubscribe();
		await ui.notify(`${title}: ${state}, ${await thread.parentThreadID()}`);
	});
}
