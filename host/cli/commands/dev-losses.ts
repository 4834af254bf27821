import type { Items, Kind } from "../../../runtime/records.ts";
import type { Host } from "../../host.ts";
import { registrationName } from "../../reload/report.ts";
import { whyLost } from "./lost.ts";

/** Names that a plugin registers and another one has. */
export interface Loss {
	plugin: string;
	/** Who has them. */
	to: string;
	/** By kind and name, as in "tool hello". */
	names: string[];
}

/** Who has names of others now; those that nobody has, as while a plugin starts again, are left out. */
export function lossesOf(host: Host): Loss[] {
	return host.plugins.list().flatMap(({ name, state, tools, skills, modes }) => {
		if (state === "shadowed") return [];
		const lost = <K extends Kind>(kind: K, items: readonly Items[K][]) =>
			items.map((item) => ({ to: whyLost(host, name, kind, item)?.plugin, text: registrationName(kind, item) }));
		const all = [...lost("tool", tools), ...lost("skill", skills), ...lost("mode", modes)];
		const byWinner = Map.groupBy(all, ({ to }) => to ?? undefined);
		return [...byWinner].flatMap(([to, items]) =>
			to === undefined ? [] : [{ plugin: name, to, names: items.map(({ text }) => text) }],
		);
	});
}

/** What is new among losses since these were told. */
export function newLosses(before: readonly Loss[], now: readonly Loss[]): Loss[] {
	return now.flatMap((loss) => {
		const told = before.find(({ plugin, to }) => plugin === loss.plugin && to === loss.to)?.names ?? [];
		const names = loss.names.filter((name) => !told.includes(name));
		return names.length === 0 ? [] : [{ ...loss, names }];
	});
}
