import { statSync } from "node:fs";
import type { Limits } from "../runtime/limits.ts";
import { systemClock } from "./base/clock.ts";
import { absolutePath, type Places, pluginPlaces } from "./base/paths.ts";
import type { HostOptions } from "./contracts/options.ts";
import type { Plugin } from "./plugin.ts";
import type { PluginSet, PluginSetChange } from "./plugin-set.ts";
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
	/** By how many. */
	let wanted = 0;
	let isOver = false;

	function begin(): Promise<RunningWatch> {
		const starting = start(parts, leaving, () => isOver);
		running = starting;
		starting.catch(() => forget(starting));
		return starting;
	}

	/** At once, so that whoever wants to watch from now on gets another one. */
	function forget(watch: Promise<RunningWatch>): void {
		if (running !== watch) return;
		running = undefined;
		wanted = 0;
	}

	async function release(watch: Promise<RunningWatch>): Promise<void> {
		if (running !== watch) return;
		wanted -= 1;
		if (wanted > 0) return;
		forget(watch);
		await (await watch).stop();
	}

	return {
		leaving,
		async watch() {
			const watch = running ?? begin();
			wanted += 1;
			await watch;
			let stopped: Promise<void> | undefined;
			const stop = () => {
				stopped ??= release(watch);
				return stopped;
			};
			return { stop, [Symbol.asyncDispose]: stop };
		},
		follow: (plugin) =>
			void running?.then(
				(watch) => watch.published(plugin),
				() => {},
			),
		async stop() {
			isOver = true;
			// Whoever wanted one that did not begin has been told why.
			const watch = await running?.catch(() => undefined);
			running = undefined;
			await watch?.stop();
		},
	};
}

async function start(parts: WatchingParts, leaving: Set<Plugin>, isOver: () => boolean): Promise<RunningWatch> {
	const { set, options, places, limits, report } = parts;
	const named = (options.plugins ?? []).map(absolutePath);
	const searched = options.places === false ? [] : pluginPlaces(places.workspaceRoot, places.configHome);
	// Most hosts never watch.
	const { startWatch } = await import("./reload/watch.ts");
	return startWatch({
		plugins: () => set.all(),
		places: [...searched.map(({ path }) => path), ...named.filter(isFolder)],
		named,
		rediscover: async (mayRemove, isStopped) => {
			const change = await rediscover(parts, mayRemove, () => isOver() || isStopped());
			for (const plugin of change.removed) leaving.add(plugin);
			return change;
		},
		left(gone) {
			for (const plugin of leaving) if (plugin === gone) leaving.delete(plugin);
		},
		clock: systemClock,
		limits: limits.reload,
		report,
		slowed(reason) {
			const message = `Files of plugins are looked at every now and then, since the system does not tell of changes: ${reason}`;
			process.emitWarning(message, "BroodWarning");
		},
	});
}

/** What has come and gone; nothing once nobody would start and stop it. */
async function rediscover(parts: WatchingParts, mayRemove: boolean, isOver: () => boolean): Promise<PluginSetChange> {
	const { set, options, places, enablement, found } = parts;
	const explicit = options.plugins ?? [];
	const discovery = await discoverAmp({ ...places, explicit, places: options.places ?? true, lenient: true });
	const disabled = await enablement.disabled(discovery.plugins);
	if (isOver()) return { added: [], removed: [], isSomeGone: false };
	const change = set.become(discovery.plugins, disabled, mayRemove);
	found(discovery);
	return change;
}

function isFolder(path: string): boolean {
	return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
