import type { PluginAPI, URI } from "@ampcode/plugin";

export default async function (amp: PluginAPI): Promise<void> {
	const root: URI | null = amp.system.workspaceRoot;
	const base: URL = amp.system.ampURL;
	const { user, executor } = amp.system;
	amp.logger.log(root?.toString(), base.href, user?.email, user?.workspace?.displayName, executor.kind === "local");
	amp.registerCommand("open", { title: "Open" }, async ({ system }) => {
		await system.open(new URL("/threads", system.ampURL));
		await system.open("https://example.com");
	});
	if (executor.kind === "remote") {
		const kept = await executor.keepAlive();
		amp.onDispose(() => kept.unsubscribe());
	}
}
