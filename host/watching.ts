import { statSync } from "node:fs";
import type { Limits } from "../runtime/limits.ts";
import { systemClock } from "./base/clock.ts";
import { absolutePath, type Places, pluginPlaces } from "./base/paths.ts";
import type { HostOptions } from "./contracts/options.ts";
import type { Plugin } from "./plugin.ts";
import type { PluginSet } from "./plugin-set.ts";
import type { Enablement } from "./providers/enablement.ts";
import type { ReloadReport } from "./reload/report.ts";
import type { RunningWatch, Watch } from "./reload/watch.ts";
import { discoverAmp } from "./sources/amp.ts";
import type { Discovery } from "./spec.ts";

/** Lets the plugins of a host follow their files, once somebody wants that. */
export interface Watching {
	/** Resolves when changes are heard; whoever wants it more than once shares it. */
	watch(): Promise<Watch>;
	/** A plugin was published, or has loaded more files. */
	follow(plugin: string): void;
	/** Those that are gone from disk and may still run. */
	readonly leaving: ReadonlySet<Plugin>;
	stop(): Promise<void>;
}

export interface WatchingParts {
	set: PluginSet;
	options: Pick<HostOptions, "plugins" | "places">;
	places: Places;
	enablement: Enablement;
	limits: Limits;
	/** Hears what was found when it was looked for anew. */
	found(discovery: Discovery): void;
	report(report: ReloadReport): void;
}

export function createWatching(parts: WatchingParts): Watching {
	const leaving = new Set<Plugin>();
	let running: Promise<RunningWatch> | undefined;

	async function end(watch: RunningWatch): Promise<void> {
		if ((await running?.catch(() => undefined)) === watch) running = undefined;
		await watch.stop();
	}

	return {
		leaving,
		async watch() {
			running ??= start(parts, leaving);
			const starting = running;
			starting.catch(() => {
				if (running === starting) running = undefined;
			});
			const watch = await starting;
			return { stop: () => end(watch), [Symbol.asyncDispose]: () => end(watch) };
		},
		follow: (plugin) =>
			void running?.then(
				(watch) => watch.published(plugin),
				() => {},
			),
		async stop() {
			// Whoever wanted one that did not begin has been told why.
			const watch = await running?.catch(() => undefined);
			if (watch !== undefined) await end(watch);
		},
	};
}

async function start(parts: WatchingParts, leaving: Set<Plugin>): Promise<RunningWatch> {
	const { set, options, places, limits, report } = parts;
	const named = (options.plugins ?? []).map(absolutePath);
	const searched = options.places === false ? [] : pluginPlaces(places.workspaceRoot, places.configHome);
	// Most hosts never watch.
	const { startWatch } = await import("./reload/watch.ts");
	return startWatch({
		plugins: () => set.all(),
		places: [...searched.map(({ path }) => path), ...named.filter(isFolder)],
		named,
		rediscover: (mayRemove) => rediscover(parts, leaving, mayRemove),
		clock: systemClock,
		limits: limits.reload,
		report,
		slowed(reason) {
			const message = `Files of plugins are looked at every now and then, since the system does not tell of changes: ${reason}`;
			process.emitWarning(message, "BroodWarning");
		},
	});
}

async function rediscover(parts: WatchingParts, leaving: Set<Plugin>, mayRemove: boolean) {
	const { set, options, places, enablement, found } = parts;
	const explicit = options.plugins ?? [];
	const discovery = await discoverAmp({ ...places, explicit, places: options.places ?? true, lenient: true });
	const disabled = await enablement.disabled(discovery.plugins);
	const change = set.become(discovery.plugins, disabled, mayRemove);
	found(discovery);
	for (const plugin of change.removed) leaving.add(plugin);
	return change;
}

function isFolder(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
