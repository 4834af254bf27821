import type { ExitFacts } from "../../runtime/errors.ts";
import type { LinkMatch, LogLevel } from "../../runtime/protocol.ts";
import type { ContentBlock, EventName, Items, Json, JsonObject, Kind } from "../../runtime/records.ts";
import type { WebhookDelivery } from "./webhooks.ts";

/**
 * One running plugin. A backend knows a protocol; it knows neither the registry nor when to start again.
 * It is used for one launch and never again after its exit.
 */
export interface Backend {
	readonly pid: number | null;
	/** Spawns, loads and fetches. @throws BroodError when the load fails; the process may then still run */
	start(signal: AbortSignal): Promise<Capabilities>;
	/** @throws BroodError, or the plugin's own error */
	call(call: BackendCall, options: BackendCallOptions): Promise<{ content: ContentBlock[] }>;
	/** Lets one handler of the plugin see an event. @returns its answer, unchecked */
	emit(event: BackendEvent, options: BackendCallOptions): Promise<Json | undefined>;
	/** Lets all link patterns of the plugin look at a text. @returns what they find, pattern by pattern, unchecked */
	links(text: string, options: BackendCallOptions): Promise<LinkMatch[]>;
	/** The files that it has loaded, those of packages left out; more of them are told by `loadedMore`. */
	modules(): Promise<string[]>;
	/** Asks the plugin to run its dispose callbacks; resolves when they have settled. */
	dispose(signal: AbortSignal): Promise<void>;
	/** Signals the whole process group; `why` is told by whatever this ends, as "the host stopped it". */
	kill(signal: "SIGINT" | "SIGKILL", why?: string): void;
	/** Resolves once, with how the process ended; at once when it never started. */
	readonly exited: Promise<ExitFacts>;
	/** What else there is to say about it, for `info`. */
	facts(): BackendFacts;
}

export type BackendCall =
	| { kind: "tool"; name: string; input: JsonObject; threadID: string }
	| { kind: "command"; id: string; threadID: string | null }
	| { kind: "webhook"; key: string; event: WebhookDelivery; threadID: string };

export interface BackendEvent {
	name: EventName;
	handler: number;
	payload: JsonObject;
}

export interface BackendCallOptions {
	signal?: AbortSignal | undefined;
	/** Milliseconds; time in which a dialog of this call is on screen does not count. None when absent. */
	timeoutMs?: number | undefined;
	/** The limit that the caller gave, for the message, where `timeoutMs` is what is left of it. */
	limitMs?: number | undefined;
	/** Hears, as the call ends, how many milliseconds of `timeoutMs` it took. */
	spent?: ((ms: number) => void) | undefined;
}

/** Everything that a plugin has registered. */
export type Capabilities = { [K in Kind]: Items[K][] };

/** What a backend tells while it runs. */
export interface BackendEvents {
	/** A fact of the load was reached; `ms` since the spawn, which for `found` may lie some time back. */
	fact(name: LoadFact, ms: number): void;
	/** After the load: items of one kind, fetched anew. */
	changed<K extends Kind>(kind: K, items: Items[K][]): void;
	/** To whoever has asked for its modules: it has loaded more. */
	loadedMore(): void;
	log(entry: BackendLog): void;
	/** It has stopped answering for a while, or answers again. */
	responsive(isResponsive: boolean): void;
}

/** The facts of a load, in order; none stands in for another. */
export const loadFacts = [
	"found",
	"spawned",
	"clientInfo",
	"imported",
	"activated",
	"registered",
	"ready",
	"published",
] as const;

export type LoadFact = (typeof loadFacts)[number];

export interface BackendLog {
	/** `output`: what the plugin printed; `plugin`: its logger; `host`: what brood says about it. */
	source: "output" | "plugin" | "host";
	level: LogLevel;
	message: string;
}

export interface BackendFacts {
	/** How the process was started, for people: `source`, `compiled`, … */
	form: string;
	/** How the wire is kept from the plugin: `socket`; over stdin and stdout `descriptors`, or `console` where descriptors cannot be moved. */
	guard: string | null;
	runtimeVersion: string | null;
	/** There when the process had been started before there was a plugin for it. */
	spare?: true;
}

/** No capabilities: what a plugin has before it is published. */
export function noCapabilities(): Capabilities {
	return { command: [], tool: [], skill: [], event: [], mode: [], link: [] };
}
