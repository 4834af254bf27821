import type { PluginAPI } from "@ampcode/plugin";

interface Settings {
	"sample.enabled"?: boolean;
}

export default async (amp: PluginAPI) => {
	let settings = await amp.configuration.get<Settings>();
	const subscription = amp.configuration.subscribe((next) => {
		settings = next;
	});
	amp.onDispose(() => subscription.unsubscribe());
	amp.registerCommand("toggle", { title: "Toggle" }, async () => {
		await amp.configuration.update({ "sample.enabled": !settings["sample.enabled"] });
		await amp.configuration.update({ "sample.seen": true }, "global");
		await amp.configuration.delete("sample.old");
		await amp.configuration.delete("sample.old", "workspace");
	});
};
