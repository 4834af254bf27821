import type { PluginAPI, StatusItem } from "@ampcode/plugin";

export default function (amp: PluginAPI) {
	const item: StatusItem = amp.createStatusItem({ text: "starting", url: "command:show" });
	const empty = amp.createStatusItem();
	item.update({ text: "ready" });
	empty.unsubscribe();
}
