import type { Subscription } from "../runtime/disposable.ts";
import type { Kind } from "../runtime/records.ts";
import type { LogEntry } from "./base/log.ts";
import type { LogSink } from "./base/log-sink.ts";
import type { Calls } from "./calls/calls.ts";
import type { Skills } from "./calls/skills.ts";
import type { LoadFact } from "./contracts/backend.ts";
import type { HostOptions } from "./contracts/options.ts";
import type { PluginState } from "./lifecycle/machine.ts";
import type { PluginSnapshot } from "./plugin.ts";
import type { OwnedStatusItem } from "./providers/status.ts";
import type { ThreadStore } from "./providers/threads.ts";
import type { Entry, RegistryChange, Why } from "./registry.ts";
import type { ReloadReport } from "./reload/report.ts";
import type { Watch } from "./reload/watch.ts";
import type { SkippedCandidate } from "./spec.ts";

/** What happens in a host, as it happens. */
export type HostEvent =
	| { type: "found"; plugin: string; path: string }
	| { type: "fact"; plugin: string; fact: LoadFact; ms: number }
	| { type: "state"; plugin: string; state: PluginState; error?: Error }
	| { type: "log"; entry: LogEntry }
	/** How many dialogs of a plugin wait for a person, after that number changed. */
	| { type: "dialogs"; plugin: string; open: number }
	/** All status items, after one was shown, changed or taken away. */
	| { type: "statusItems"; items: OwnedStatusItem[] }
	/** How many processes wait for a plugin, after that number changed; see `warm`. */
	| { type: "spares"; waiting: number }
	| { type: "registry"; change: RegistryChange }
	/** What came of a change on disk; see `Host.watch`. */
	| { type: "reload"; report: ReloadReport };

/** How a plugin is switched on or off. */
export interface SwitchOptions {
	/** Whether later hosts find it so too, as with `brood on` and `brood off`; no when absent. */
	persist?: boolean;
}

/** A set of plugins that run, and everything that they contribute. */
export interface Host extends AsyncDisposable, Calls {
	readonly plugins: {
		list(): PluginSnapshot[];
		/** @throws BroodError `plugin_not_found` */
		get(name: string): PluginSnapshot;
		/** The last lines of its log. @throws BroodError `plugin_not_found` */
		log(name: string): LogEntry[];
	};
	/** What lay in a plugin place and is no plugin, with the reason. */
	readonly skipped: readonly SkippedCandidate[];
	readonly skills: Skills;
	/** The threads in memory that plugins see; undefined when the embedder brought a provider of threads. */
	readonly threads: ThreadStore | undefined;
	readonly modes: { list(): readonly Entry<"mode">[] };
	/** A new instance takes the place of the running one. @throws BroodError when it fails; the old one serves on */
	reload(name: string): Promise<void>;
	/**
	 * Starts a plugin that does not run, and forgets how often it crashed; resolves when it is ready or has failed.
	 *
	 * @throws BroodError `plugin_not_found`, or what keeps it from being kept; nothing has then happened
	 */
	enable(name: string, options?: SwitchOptions): Promise<void>;
	/** Withdraws and stops a plugin; one of the same name that it hides stays hidden. @throws BroodError as `enable` does */
	disable(name: string, options?: SwitchOptions): Promise<void>;
	/** Who has a key and who lost it. */
	why(kind: Kind, key: string): Why;
	/** Hears each change of the registry. What the listener throws is thrown as by `observe`. */
	onChange(listener: (change: RegistryChange) => void): Subscription;
	/**
	 * Lets the plugins follow their files: one whose files have changed is loaded anew as by `reload`, one that was added is
	 * started, one whose file is gone is stopped. What comes of each change is told by the event `reload`. Watched are the
	 * files that a plugin has loaded, but for those of packages, its package.json and tsconfig.json, and the plugin places.
	 * Resolves when changes are heard; ends with the host, or before by `stop` of what it gives.
	 */
	watch(): Promise<Watch>;
	/** Stops every plugin, all at once; resolves when their processes have ended. */
	stop(): Promise<void>;
}

export interface CreateHostOptions extends HostOptions {
	/**
	 * Hears what happens from the first moment on. What it throws harms neither the host nor other listeners: it is an
	 * uncaught error of the program, so `process.on("uncaughtException")` hears it, and where there is no such handler
	 * the program ends with exit code 1, and the plugins with it.
	 */
	observe?: (event: HostEvent) => void;
	/**
	 * Takes the log entries of all plugins that pass the filter, as they come; `jsonLog` makes one that writes lines of
	 * JSON. `plugins.log()` and the `log` events of `observe` are not filtered. What the sink throws, or rejects with,
	 * reaches nobody else: the first failure is told as a warning in the log of the plugin whose entry it was about, and
	 * the sink gets the next entries all the same.
	 *
	 * @example Into a file, which has all lines after the host has stopped:
	 * ```ts
	 * const file = Bun.file("plugins.log").writer();
	 * const host = await createHost({ log: jsonLog((line) => file.write(line)), logFilter: "warn,notes=debug" });
	 * // …
	 * await host.stop();
	 * await file.end();
	 * ```
	 */
	log?: LogSink;
	/**
	 * Which entries `log` gets: parts with commas between, each a level for all plugins (`warn`) or one for those of a
	 * name (`notes=debug`, `noisy-*=off`, where `*` stands for any text). The levels are `error`, `warn`, `info` and
	 * `debug`, each with the graver ones before it, and `off` for nothing; case does not matter. A level for a name beats
	 * the one for all, and of several that fit the last counts. Whatever nothing fits is at `debug`: everything passes.
	 *
	 * When absent, the variable `BROOD_LOG` says the same, but only where `log` is given, and one that cannot be used is
	 * told by `process.emitWarning` and ignored. `""` lets everything pass whatever `BROOD_LOG` says. A filter given
	 * here that cannot be used makes `createHost` reject with `usage`.
	 */
	logFilter?: string;
}
