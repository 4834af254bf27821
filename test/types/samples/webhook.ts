import type { PluginAPI } from "@ampcode/plugin";

export default function (amp: PluginAPI) {
	amp.registerCommand("hook", { title: "Hook" }, async ({ ui }) => {
		const { url } = await amp.createWebhook({
			key: "build",
			headers: ["x-signature"],
			handler: async (event, ctx) => {
				ctx.signal.throwIfAborted();
				amp.logger.log(event.id, event.body.byteLength, event.headers["x-signature"], event.payload, event.receivedAt);
			},
		});
		await ui.notify(url);
	});
}
