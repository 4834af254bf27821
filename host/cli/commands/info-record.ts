import type { Items, Kind } from "../../../runtime/records.ts";
import { logRecord } from "../../base/log-sink.ts";
import type { Host } from "../../host.ts";
import { type WhyLost, whyLost } from "./lost.ts";
import { pluginRecord } from "./record.ts";

/** The plugin as `list` has it, with `why` where it lost a name, its log, and the files that it shadows. */
export function infoRecord(host: Host, name: string) {
	const { tools, skills, modes, ...record } = pluginRecord(host.plugins.get(name));
	const others = host.plugins.list().filter((plugin) => plugin.name === name && plugin.state === "shadowed");
	return {
		...record,
		tools: tools.map((item) => explained(host, name, "tool", item)),
		skills: skills.map((item) => explained(host, name, "skill", item)),
		modes: modes.map((item) => explained(host, name, "mode", item)),
		shadows: others.map(({ path }) => path),
		log: host.plugins.log(name).map(logRecord),
	};
}

export type InfoRecord = ReturnType<typeof infoRecord>;

function explained<K extends Kind, Item extends Items[K]>(
	host: Host,
	name: string,
	kind: K,
	item: Item,
): Item & { why?: WhyLost } {
	const why = whyLost(host, name, kind, item);
	return why === undefined ? item : { ...item, why };
}
