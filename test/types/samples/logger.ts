import type { PluginAPI } from "@ampcode/plugin";

export const description = "Logs what it is given";

export default function (amp: PluginAPI) {
	amp.logger.log("loaded", { at: new Date() }, [1, 2], null, undefined);
	const { log } = amp.logger;
	log("taken off");
}
