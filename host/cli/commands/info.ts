import type { Items, Kind } from "../../../runtime/records.ts";
import type { Host } from "../../host.ts";
import { keyOf } from "../../registry.ts";
import type { CommandContext } from "../context.ts";
import { describeForPeople, exitCodeOf, reportFailure } from "../failure.ts";
import { withHost } from "../session.ts";
import { explainMissing, failedPlugins } from "./failed.ts";
import { describeInfo } from "./info-text.ts";
import { pluginRecord } from "./record.ts";

/** `brood info`: everything about one plugin. @returns 4 or 7 when it failed to load, like `list` */
export function info(context: CommandContext, name: string): Promise<number> {
	const { output } = context;
	return withHost(context, async ({ host }) => {
		const plugin = await explainMissing(host, () => host.plugins.get(name));
		const record = infoRecord(host, name);
		output.result(output.json ? JSON.stringify(record) : describeInfo(record, output.paint.result));
		const [failed] = failedPlugins([plugin]);
		if (failed === undefined) return 0;
		if (output.json) return reportFailure(failed.error, output);
		output.note(describeForPeople(failed.error, output));
		return exitCodeOf(failed.error);
	});
}

export type InfoRecord = ReturnType<typeof infoRecord>;

/** The plugin as `list` has it, with `why` where it lost a name, its log, and the files that it shadows. */
function infoRecord(host: Host, name: string) {
	const { tools, skills, modes, ...record } = pluginRecord(host.plugins.get(name));
	const others = host.plugins.list().filter((plugin) => plugin.name === name && plugin.state === "shadowed");
	return {
		...record,
		tools: tools.map((item) => explained(host, name, "tool", item)),
		skills: skills.map((item) => explained(host, name, "skill", item)),
		modes: modes.map((item) => explained(host, name, "mode", item)),
		shadows: others.map(({ path }) => path),
		log: host.plugins.log(name),
	};
}

/** Why a plugin does not have a name that it registered. */
export interface WhyLost {
	/** Who has it instead. */
	plugin: string | null;
	reason: string;
}

function explained<K extends Kind, Item extends Items[K]>(
	host: Host,
	name: string,
	kind: K,
	item: Item,
): Item & { why?: WhyLost } {
	const { plugin, refused } = host.why(kind, keyOf(kind, name, item));
	const own = refused.find((loser) => loser.plugin === name);
	return own === undefined ? item : { ...item, why: { plugin, reason: own.reason } };
}
