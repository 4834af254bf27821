import type { Items, Kind } from "../../../runtime/records.ts";
import type { Host } from "../../host.ts";
import { keyOf } from "../../registry.ts";
import type { pluginRecord } from "./record.ts";

/** Why a plugin does not have a name that it registered. */
export interface WhyLost {
	/** Who has it instead. */
	plugin: string | null;
	reason: string;
}

/** Who has the name of an item instead of the plugin that registered it; undefined when that has it. */
export function whyLost<K extends Kind>(host: Host, name: string, kind: K, item: Items[K]): WhyLost | undefined {
	const { plugin, refused } = host.why(kind, keyOf(kind, name, item));
	const own = refused.find((loser) => loser.plugin === name);
	return own === undefined ? undefined : { plugin, reason: own.reason };
}

/** The record of a plugin with `why` at each item of which another one has the name. */
export function withLosses(host: Host, record: ReturnType<typeof pluginRecord>) {
	const { name, tools, skills, modes } = record;
	return {
		...record,
		tools: tools.map((item) => explained(host, name, "tool", item)),
		skills: skills.map((item) => explained(host, name, "skill", item)),
		modes: modes.map((item) => explained(host, name, "mode", item)),
	};
}

function explained<K extends Kind, Item extends Items[K]>(
	host: Host,
	name: string,
	kind: K,
	item: Item,
): Item & { why?: WhyLost } {
	const why = whyLost(host, name, kind, item);
	return why === undefined ? item : { ...item, why };
}
