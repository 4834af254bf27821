import type { PluginAPI } from "@ampcode/plugin";

export default function (amp: PluginAPI) {
	amp.registerCommand("upload", { title: "Upload" }, async ({ ui }) => {
		const { url } = await amp.attachments.upload({ data: new Uint8Array([137, 80, 78, 71]), mimeType: "image/png" });
		const other = await amp.attachments.upload({ data: "iVBORw0KGgo=", mimeType: "image/png" });
		await ui.notify(url + other.url);
	});
}
