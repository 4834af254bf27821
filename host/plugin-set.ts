import type { BroodError } from "../runtime/errors.ts";
import type { PluginState } from "./lifecycle/machine.ts";
import { absentOf, type Plugin, pluginOf } from "./plugin.ts";
import { compareRank, type PluginSpec } from "./spec.ts";

/** The plugins of a host: of each name the first in rank order, and those that it hides. */
export interface PluginSet {
	/** Those that have their names, in rank order. */
	all(): Plugin[];
	/** The same with those that are hidden. */
	everything(): Plugin[];
	/** @throws BroodError `plugin_not_found` */
	get(name: string): Plugin;
	find(name: string): Plugin | undefined;
	/** Those that serve nobody now. */
	absent(): ReturnType<typeof absentOf>;
	/**
	 * Makes the set what was found.
	 *
	 * @param found in rank order
	 * @param disabled those that are not to run, with what is wrong about that
	 * @param mayRemove whether what was not found goes; else it stays
	 */
	become(found: readonly PluginSpec[], disabled: Disabled, mayRemove?: boolean): PluginSetChange;
}

export type Disabled = ReadonlyMap<PluginSpec, BroodError | undefined>;

export interface PluginSetChange {
	/** To be started. */
	added: Plugin[];
	/** To be stopped. */
	removed: Plugin[];
	/** Whether some were not found, and stay. */
	isSomeGone: boolean;
}

/** Makes an empty set. @param create makes a plugin, which does nothing yet */
export function createPluginSet(
	create: (spec: PluginSpec, state: PluginState, error?: BroodError) => Plugin,
): PluginSet {
	let plugins = new Map<string, Plugin>();
	let shadowed: Plugin[] = [];
	const everything = () => [...plugins.values(), ...shadowed];

	return {
		all: () => [...plugins.values()],
		everything,
		get: (name) => pluginOf(plugins, name),
		find: (name) => plugins.get(name),
		absent: () => absentOf(plugins.values()),
		become(found, disabled, mayRemove = true) {
			const [before, beforeShadowed] = [plugins, shadowed];
			const paths = new Set(found.map(({ path }) => path));
			const gone = everything().filter(({ spec }) => !paths.has(spec.path));
			const kept = mayRemove ? [] : gone.map(({ spec }) => spec);
			const change: PluginSetChange = { added: [], removed: [], isSomeGone: kept.length > 0 };
			[plugins, shadowed] = [new Map(), []];
			for (const spec of merged(found, kept)) {
				const { name, path } = spec;
				const isWinner = !plugins.has(name);
				const known = (isWinner ? [...before.values()] : beforeShadowed).find((plugin) => plugin.spec.path === path);
				known?.describe(spec);
				if (!isWinner) shadowed.push(known ?? create(spec, "shadowed"));
				else if (known !== undefined) plugins.set(name, known);
				else {
					const plugin = disabled.has(spec) ? create(spec, "disabled", disabled.get(spec)) : create(spec, "discovered");
					plugins.set(name, plugin);
					if (!disabled.has(spec)) change.added.push(plugin);
				}
			}
			const now = new Set(plugins.values());
			change.removed = [...before.values()].filter((plugin) => !now.has(plugin));
			return change;
		},
	};
}

/** All in rank order. */
function merged(found: readonly PluginSpec[], kept: readonly PluginSpec[]): PluginSpec[] {
	return kept.length === 0 ? [...found] : [...found, ...kept].sort((a, b) => compareRank(a.rank, b.rank));
}
