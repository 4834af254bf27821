import type { PluginSnapshot } from "../plugin.ts";
import { count, type Finding, type FindingDetail, finding } from "./finding.ts";
import type { Loaded } from "./load.ts";

type Facts = PluginSnapshot["facts"];

/** What a load consists of, each from the fact before it to its own. */
const stages = [
	["spawn", "found", "clientInfo"],
	["import", "clientInfo", "imported"],
	["activate", "imported", "registered"],
	["ready", "registered", "ready"],
] as const;

type Stage = (typeof stages)[number][0];

/** Milliseconds of each stage of a load, and of all of it. */
export type LoadTimes = Record<Stage | "total", number>;

/** Times as many as a plugin needs that does nothing; a plugin that reads a file or a large package needs far less. */
const slowRatio = 10;

/** Plugins whose load took much longer than that of a plugin that does nothing, in the same run. */
export function checkSpeed({ plugins, bare }: Loaded): Finding[] {
	const own = plugins.flatMap(({ name, path, facts }) => {
		const times = timesOf(facts);
		return times === undefined ? [] : [{ name, path, times }];
	});
	const reference = medianTimes(bare.flatMap(({ facts }) => timesOf(facts) ?? []));
	if (own.length === 0) return [finding("speed", "ok", "No plugin was loaded, so none is slow.")];
	if (reference === undefined) {
		const message = "No plugin that does nothing could be loaded to compare with.";
		return [finding("speed", "note", message, { hint: "Temporary files must be possible: see the check folders." })];
	}
	const judged = own.map((plugin) => ({ ...plugin, ...judge(plugin.times, reference) }));
	judged.sort((a, b) => b.ratio - a.ratio);
	const details = judged.map((plugin) => describe(plugin, reference));
	const slow = judged.filter(({ isSlow }) => isSlow);
	if (slow.length === 0) {
		const message = `No load took ${slowRatio} times as long as that of a plugin that does nothing (${ms(reference.total)}).`;
		return [finding("speed", "ok", message, { details })];
	}
	const message = `${count(slow.length, "plugin")} loaded more than ${slowRatio} times as slowly as one that does nothing (${ms(reference.total)}).`;
	const hint = "Import what is large, and do what takes long, when it is first needed instead of at the load.";
	return [finding("speed", "warning", message, { hint, details: details.slice(0, slow.length) })];
}

/** Whether a load was slow, by how much, and in which stage most was lost. */
export function judge(times: LoadTimes, reference: LoadTimes): { ratio: number; isSlow: boolean; stage: Stage } {
	const ratio = times.total / Math.max(reference.total, 0.001);
	const [stage] = stages
		.map(([name]): [Stage, number] => [name, times[name] - reference[name]])
		.reduce((worst, one) => (one[1] > worst[1] ? one : worst));
	return { ratio, isSlow: ratio > slowRatio, stage };
}

/** Undefined for a load that did not come to its end. */
export function timesOf(facts: Facts): LoadTimes | undefined {
	const times: Partial<LoadTimes> = {};
	for (const [stage, from, to] of stages) {
		const [start, end] = [facts[from], facts[to]];
		if (start === null || end === null) return undefined;
		// The last fact is on the host's clock.
		times[stage] = Math.max(0, end - start);
	}
	const { spawn = 0, import: imported = 0, activate = 0, ready = 0 } = times;
	return { spawn, import: imported, activate, ready, total: spawn + imported + activate + ready };
}

function medianTimes(all: LoadTimes[]): LoadTimes | undefined {
	return all.sort((a, b) => a.total - b.total)[Math.floor((all.length - 1) / 2)];
}

function describe(
	{ name, path, times, ratio, stage }: { name: string; path: string; times: LoadTimes; ratio: number; stage: Stage },
	reference: LoadTimes,
): FindingDetail {
	const parts = stages.map(([part]) => `${part} ${ms(times[part])}`).join(", ");
	const rounded = Object.fromEntries(
		Object.entries(times).map(([part, value]) => [part, Math.round(value * 100) / 100]),
	);
	return {
		text: `${name}: ${ms(times.total)}, ${ratio.toFixed(1)} times, most of it in ${stage} (${parts})`,
		plugin: name,
		path,
		ms: rounded,
		bareMs: Math.round(reference.total * 100) / 100,
		ratio: Math.round(ratio * 10) / 10,
		stage,
	};
}

function ms(value: number): string {
	return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ms`;
}
