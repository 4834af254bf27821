import type { Limits } from "../../runtime/limits.ts";
import type { Clock } from "../base/clock.ts";
import { noCapabilities } from "../contracts/backend.ts";
import { PluginWatch, type WatchedPlugin } from "./plugin-watch.ts";
import { differenceOf, type ReloadReport } from "./report.ts";
import { createSettle, type Settle } from "./settle.ts";
import { createWatcher, type Watcher } from "./watcher.ts";

/** Reloads plugins as their files change, and starts and stops them as they come and go. */
export interface Watch extends AsyncDisposable {
	/** Ends it; what runs stays. Resolves when nothing is watched any more. */
	stop(): Promise<void>;
}

/** What a watch does of its own accord while it lasts. */
export interface RunningWatch extends Watch {
	/** A plugin has been published, by whatever brought it about, or has loaded more files. */
	published(plugin: string): void;
}

export interface WatchParts {
	/** Those that are there now, shadowed ones left out. */
	plugins(): WatchedPlugin[];
	/** Folders whose entries may be plugins; each may be missing. */
	places: string[];
	/** Paths of plugins that were named; each may be missing. */
	named: string[];
	/** Looks for plugins anew: those that came are to be started, those that went to be stopped. */
	rediscover(mayRemove: boolean, isOver: () => boolean): Promise<Rediscovered>;
	/** One that went does not run any more. */
	left(plugin: WatchedPlugin): void;
	clock: Clock;
	limits: Limits["reload"];
	report(report: ReloadReport): void;
	/** Hears that watching has become slower, and why. */
	slowed(reason: string): void;
}

export interface Rediscovered {
	added: WatchedPlugin[];
	removed: WatchedPlugin[];
	/** Whether some have gone that it was too early to remove. */
	isSomeGone: boolean;
}

/** Begins to watch; resolves when changes are heard. */
export async function startWatch(parts: WatchParts): Promise<RunningWatch> {
	const watch = new HostWatch(parts);
	await watch.begin();
	return watch;
}

class HostWatch implements RunningWatch {
	readonly #parts: WatchParts;
	readonly #watcher: Watcher;
	readonly #watches = new Map<string, PluginWatch>();
	readonly #settle: Settle;
	#looking: Promise<void> = Promise.resolve();
	#goneSince: number | undefined;
	#cancelLook: () => void = () => {};
	#isOver = false;

	constructor(parts: WatchParts) {
		const { clock, limits, slowed } = parts;
		this.#parts = parts;
		this.#settle = createSettle(clock, limits, (since) => this.#lookLater(since));
		this.#watcher = createWatcher({
			places: parts.places,
			named: parts.named,
			changed: (path) => this.#watches.forEach((watch) => void watch.heard(path)),
			// A file that is away for a moment is a change of its plugin, and perhaps of which plugins there are.
			moved: () => this.#settle.touch(),
			slowed,
		});
	}

	async begin(): Promise<void> {
		await Promise.all(this.#parts.plugins().map((plugin) => this.#watchOf(plugin).refresh()));
		await this.#watcher.ready();
		// What came and went before.
		this.#lookLater(this.#parts.clock.now());
		await this.#looking;
	}

	published(name: string): void {
		const plugin = this.#parts.plugins().find(({ spec }) => spec.name === name);
		if (plugin !== undefined && !this.#isOver) void this.#watchOf(plugin).refresh();
	}

	async stop(): Promise<void> {
		this.#isOver = true;
		this.#settle.cancel();
		this.#cancelLook();
		for (const watch of this.#watches.values()) watch.close();
		this.#watches.clear();
		await this.#watcher.close();
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.stop();
	}

	#watchOf(plugin: WatchedPlugin): PluginWatch {
		const { path } = plugin.spec;
		const known = this.#watches.get(path);
		if (known !== undefined) return known;
		const { clock, limits, report } = this.#parts;
		const watch = new PluginWatch({ plugin, watcher: this.#watcher, clock, limits, report });
		this.#watches.set(path, watch);
		return watch;
	}

	#lookLater(since: number): void {
		this.#looking = this.#looking.then(() => this.#look(since));
	}

	/** Finds out which plugins there are now. One that is gone may be on its way back: editors delete and write anew. */
	async #look(since: number): Promise<void> {
		if (this.#isOver) return;
		const { clock, limits } = this.#parts;
		this.#goneSince ??= since;
		const mayRemove = clock.now() - this.#goneSince >= limits.goneMs;
		const { added, removed, isSomeGone } = await this.#parts.rediscover(mayRemove, () => this.#isOver);
		const stops = new Map(removed.map((plugin) => [plugin.spec.name, this.#remove(plugin, since)]));
		for (const plugin of added) void this.#add(plugin, since, stops.get(plugin.spec.name));
		if (!isSomeGone) this.#goneSince = undefined;
		else
			this.#cancelLook = clock.after(Math.max(0, this.#goneSince + limits.goneMs - clock.now()), () =>
				this.#lookLater(since),
			);
	}

	async #add(plugin: WatchedPlugin, since: number, other: Promise<void> | undefined): Promise<void> {
		// Two of one name never run at once.
		await other;
		// Whoever has stopped the host meanwhile has stopped it too.
		if (!isNew(plugin)) return;
		if (this.#isOver) await plugin.beginReload().ended.catch(() => {});
		else await this.#watchOf(plugin).begin(since);
	}

	async #remove(plugin: WatchedPlugin, since: number): Promise<void> {
		this.#watches.get(plugin.spec.path)?.close();
		this.#watches.delete(plugin.spec.path);
		const { clock, report } = this.#parts;
		const { name, path } = plugin.spec;
		const difference = differenceOf(plugin.ledger(), noCapabilities());
		const stopped = plugin.stop();
		report({ plugin: name, outcome: "removed", ms: clock.now() - since, files: [path], ...difference });
		await stopped;
		this.#parts.left(plugin);
	}
}

function isNew({ state }: WatchedPlugin): boolean {
	return state === "discovered";
}
