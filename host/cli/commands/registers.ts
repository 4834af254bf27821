import type { Items, Kind } from "../../../runtime/records.ts";
import type { Host } from "../../host.ts";
import type { PluginSnapshot } from "../../plugin.ts";
import { cleanLine } from "../../ui/clean.ts";
import type { Paint } from "../style.ts";
import { whyLost } from "./lost.ts";

/** What a plugin registers, by name: `tools greet, next · events tool.call`. */
export function describeRegistrations(host: Host, plugin: PluginSnapshot, paint: Paint): string {
	const { tools, commands, events, skills, modes, links } = plugin;
	const named = <K extends Kind>(kind: K, name: string, item: Items[K]) => {
		const lost = whyLost(host, plugin.name, kind, item);
		if (lost === undefined) return name;
		return `${name} ${paint("yellow", lost.plugin === null ? "(lost)" : `(lost to ${clean(lost.plugin)})`)}`;
	};
	const groups: [what: string, names: string[]][] = [
		["tools", tools.map((tool) => named("tool", clean(tool.name), tool))],
		["commands", commands.map(({ id }) => clean(id))],
		["events", events],
		["skills", skills.map((skill) => named("skill", clean(skill.name), skill))],
		["modes", modes.map((mode) => named("mode", clean(mode.key), mode))],
		["links", links.map(({ id }) => clean(id))],
	];
	const told = groups.filter(([, names]) => names.length > 0);
	if (told.length === 0) return "-";
	return told.map(([what, names]) => `${paint("dim", what)} ${names.join(", ")}`).join(" · ");
}

function clean(name: string): string {
	return cleanLine(name, nameCharsMax);
}

// A longer name says no more.
const nameCharsMax = 200;
