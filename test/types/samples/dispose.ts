import type { PluginAPI } from "@ampcode/plugin";

export default function (amp: PluginAPI, now = Date.now()) {
	const timer = setInterval(() => amp.logger.log(Date.now() - now), 60_000);
	amp.onDispose(() => clearInterval(timer));
	amp.onDispose(async () => {
		await Bun.sleep(1);
	});
	amp.onDispose(() => {}).unsubscribe();
}
