import type { Subscription } from "../runtime/disposable.ts";
import type { EventName, JsonObject, Kind } from "../runtime/records.ts";
import type { LogEntry } from "./base/log.ts";
import type { LogSink } from "./base/log-sink.ts";
import type { Dispatch } from "./calls/dispatch.ts";
import type { EmitOptions, EventOutcome } from "./calls/events.ts";
import type { LoadFact } from "./contracts/backend.ts";
import type { HostOptions } from "./contracts/options.ts";
import type { PluginState } from "./lifecycle/machine.ts";
import type { PluginSnapshot } from "./plugin.ts";
import type { OwnedStatusItem } from "./providers/status.ts";
import type { Entry, RegistryChange, Why } from "./registry.ts";
import type { SkippedCandidate } from "./spec.ts";

/** What happens in a host, as it happens. */
export type HostEvent =
	| { type: "found"; plugin: string; path: string }
	| { type: "fact"; plugin: string; fact: LoadFact; ms: number }
	| { type: "state"; plugin: string; state: PluginState; error?: Error }
	| { type: "log"; entry: LogEntry }
	/** How many dialogs of a plugin wait for a person, after that number changed. */
	| { type: "dialogs"; plugin: string; open: number }
	| { type: "registry"; change: RegistryChange };

/** A set of plugins that run, and everything that they contribute. */
export interface Host extends AsyncDisposable {
	readonly plugins: {
		list(): PluginSnapshot[];
		/** @throws BroodError `plugin_not_found` */
		get(name: string): PluginSnapshot;
		/** The last lines of its log. @throws BroodError `plugin_not_found` */
		log(name: string): LogEntry[];
	};
	/** What lay in a plugin place and is no plugin, with the reason. */
	readonly skipped: readonly SkippedCandidate[];
	readonly tools: { list(): readonly Entry<"tool">[]; call: Dispatch["callTool"] };
	readonly commands: { list(): readonly Entry<"command">[]; run: Dispatch["runCommand"] };
	readonly skills: { list(): readonly Entry<"skill">[] };
	readonly modes: { list(): readonly Entry<"mode">[] };
	readonly links: { list(): readonly Entry<"link">[] };
	readonly statusItems: { list(): OwnedStatusItem[] };
	/** Lets every handler of an event see it and merges their answers. */
	emit(event: EventName, data?: JsonObject, options?: EmitOptions): Promise<EventOutcome>;
	/** A new instance takes the place of the running one. @throws BroodError when it fails; the old one serves on */
	reload(name: string): Promise<void>;
	enable(name: string): Promise<void>;
	disable(name: string): Promise<void>;
	/** Who has a key and who lost it. */
	why(kind: Kind, key: string): Why;
	onChange(listener: (change: RegistryChange) => void): Subscription;
	/** Stops every plugin, all at once; resolves when their processes have ended. */
	stop(): Promise<void>;
}

export interface CreateHostOptions extends HostOptions {
	/** Hears what happens from the first moment on. */
	observe?: (event: HostEvent) => void;
	/** Takes the log entries that pass the filter; `jsonLog` makes one that writes lines of JSON. */
	log?: LogSink;
	/** Which entries `log` gets, such as `warn,notes=debug,noisy-*=off`; `BROOD_LOG` when absent, else all. */
	logFilter?: string;
}
