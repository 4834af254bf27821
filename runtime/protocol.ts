/**
 * The protocol "brood/1": what host and child say to each other, in the order in which they say it.
 * JSON-RPC 2.0, one UTF-8 JSON object a line. Method names follow Amp's where Amp has one.
 */
import type { FailedParams, ModuleList, ReadyTimings, StageParams } from "./protocol-load.ts";
import type {
	AgentRunParams,
	AgentRunResult,
	AgentThreadParams,
	AIAnswerResult,
	AIAskParams,
	AIGenerateParams,
	AttachmentParams,
	ConfigurationDeleteParams,
	ConfigurationUpdateParams,
	KeepAlive,
	WebhookCreateParams,
	WebhookExecuteParams,
} from "./protocol-providers.ts";
import type { ValidationFinding } from "./protocol-validation.ts";
import type { ContentBlock, EventName, Items, Json, JsonObject, Kind, SkillItem, StatusItem } from "./records.ts";
import type { ThreadCallParams, ThreadReference, ThreadSubscribed, ThreadSubscribeParams } from "./threads.ts";
import type { WireError } from "./wire-error.ts";

/** Version of the wire, independent of the product's; the same major version means compatible. */
export const protocolVersion = "1.0.0";

/** The argument that makes a compiled host be a child: `binary --brood-child PLUGIN`. */
export const childSwitch = "--brood-child";

/** The argument after the plugin's path that tells a child that the wire is a socket at its descriptor 3, not stdin and stdout. */
export const socketWireFlag = "--wire=3";

/**
 * What a host sets in the environment of a child of its own, which hides it from its plugin. The signs tell these values
 * from those that somebody else has set. An idle Bun looks for garbage so many milliseconds apart, each time waking several
 * threads; and it reads modules in the thread that waits for them, which is faster for all but very many.
 */
export const childVariables = {
	BUN_GC_TIMER_INTERVAL: "+30000",
	BUN_FEATURE_FLAG_DISABLE_ASYNC_TRANSPILER: "+1",
} as const;

/** Set on globalThis once `brood/child` was imported, so that a host knows that its program can be a child: an `InstalledChild`. */
export const childSwitchInstalled = Symbol.for("brood.child.installed");

// ── 1. The child says hello ──────────────────────────────────────────────────────────────────────────────────────

/** How a side writes. Every side reads lines of JSON; parts beside them go to one that said that it reads them. */
export type CodecName = "ndjson" | "ndjson+parts";

/** How the wire is kept from the plugin: as a socket of its own, by moving descriptors, or, without ffi, by console alone. */
export type GuardKind = "socket" | "descriptors" | "console";

/** A child that tells nothing of itself is taken for one of this protocol. */
export interface ClientInfoParams {
	/** `protocolVersion` of the child. */
	protocol?: string;
	/** Version of Bun in the child. */
	runtimeVersion?: string;
	pid?: number;
	/** Names of the codecs that the child reads; "ndjson" alone when absent. A host skips what it does not know. */
	codecs?: string[];
	guard?: GuardKind;
	/** The child's clock, in milliseconds since it started, when it sent this. */
	ms?: number;
	/** It was started before there was a plugin for it; the answer brings one. */
	spare?: boolean;
}

export interface ClientInfo {
	protocol: string;
	client: { name: string; version: string };
	plugin: { name: string; path: string; root: string; scope: Scope; kind: PluginKind };
	workspaceRoot: string | null;
	ampURL: string;
	user: User | null;
	executor: { kind: "local" | "remote" | "unknown" };
	activeThread: { id: string } | null;
	/** Whether dialogs can be answered. */
	ui: boolean;
	/** Names of the providers that answer in this host; what needs another one is refused. */
	providers: string[];
	/** What the host reads, and writes itself once the child is ready; this answer is a line in any case. */
	codec: CodecName;
	/** The bounds of this wire; a side of another host that does not tell them has the defaults. */
	limits?: WireLimits;
	/** The plugin is only examined: the load goes on after a refusal, which `validation.found` tells. */
	validate?: true;
}

/** What both sides of a wire keep to. */
export interface WireLimits {
	lineBytesMax: number;
	writeQueueBytesMax: number;
	pendingCallsMax: number;
}

/** Where a plugin was found; not where it runs. */
export type Scope = "explicit" | "project" | "user";

/** A plugin is one file, or a directory with an index file. */
export type PluginKind = "file" | "directory";

export interface User {
	id: string;
	email: string;
	firstName: string | null;
	lastName: string | null;
	username: string | null;
	workspace: { id: string; name: string; displayName: string } | null;
}

// ── 2. It imports and activates the plugin ───────────────────────────────────────────────────────────────────────

export type * from "./protocol-load.ts";

export interface LogParams {
	level: LogLevel;
	message: string;
}

export type LogLevel = "error" | "warn" | "info" | "debug";

// ── 3. The host fetches what was registered ──────────────────────────────────────────────────────────────────────

export interface List<K extends Kind> {
	/** Grows with each change of this kind in this child. */
	revision: number;
	items: Items[K][];
}

/** What a child had registered when it became ready: each kind of which it ever registered something. */
export type Listings = { [K in Kind]?: List<K> };

// ── 4. The host calls ────────────────────────────────────────────────────────────────────────────────────────────

export interface ToolExecuteParams {
	name: string;
	input: JsonObject;
	thread: { id: string };
}

export interface CommandExecuteParams {
	id: string;
	thread: { id: string } | null;
}

export interface EventDispatchParams {
	event: EventName;
	handler: number;
	payload: JsonObject;
}

/** What a link pattern finds in a text; `start` and `end` count UTF-16 code units. */
export interface LinkMatch {
	id: string;
	start: number;
	end: number;
	href: string;
}

// ── 5. The plugin asks back ──────────────────────────────────────────────────────────────────────────────────────

/** Says which call a request was made in: the id of that call on the wire; absent when made outside of one. */
export interface Asked {
	call?: number;
}

export interface UiNotifyParams extends Asked {
	message: string;
}

export interface UiInputParams extends Asked {
	title?: string;
	helpText?: string;
	initialValue?: string;
	submitButtonText?: string;
	secret?: boolean;
	fieldName?: string;
	requireHuman?: boolean;
}

export interface UiConfirmParams extends Asked {
	title: string;
	message?: string;
	confirmButtonText?: string;
	requireHuman?: boolean;
	fields?: ConfirmField[];
}

export interface ConfirmField {
	type: "text" | "image";
	name: string;
	label: string;
	value: string;
	multiline?: boolean;
	optional?: boolean;
}

export interface UiSelectParams extends Asked {
	title: string;
	options: string[];
	allowOther?: boolean;
	message?: string;
	initialValue?: string;
	requireHuman?: boolean;
}

/** Value that an answer carries; absent when the person cancelled. */
export interface Answer<Value> {
	value?: Value;
}

// ── The tables ───────────────────────────────────────────────────────────────────────────────────────────────────

type Empty = Record<string, never>;
type Method<Params, Result> = { params: Params; result: Result };

/** Calls from child to host. */
export interface ChildCalls {
	"client.info": Method<ClientInfoParams, ClientInfo>;
	"ui.notify": Method<UiNotifyParams, Empty>;
	"ui.input": Method<UiInputParams, Answer<string>>;
	"ui.confirm": Method<UiConfirmParams, Answer<boolean | Record<string, string>>>;
	"ui.select": Method<UiSelectParams, Answer<string>>;
	"status.create": Method<StatusItem, Empty>;
	"status.update": Method<StatusItem, Empty>;
	"status.remove": Method<{ id: number }, Empty>;
	"skill.register": Method<{ path: string }, SkillItem>;
	"system.open": Method<{ url: string }, Empty>;
	"configuration.get": Method<Empty, JsonObject>;
	"configuration.update": Method<ConfigurationUpdateParams, Empty>;
	"configuration.delete": Method<ConfigurationDeleteParams, Empty>;
	/** Keeps the executor alive until it is released, or the process of the plugin ends. */
	"executor.keepAlive": Method<Empty, KeepAlive>;
	"executor.release": Method<KeepAlive, Empty>;
	/** Goes on, with `configuration.change` for each change, until it is cancelled. */
	"configuration.subscribe": Method<Empty, never>;
	"ai.ask": Method<AIAskParams, { value: AIAnswerResult }>;
	"ai.generate": Method<AIGenerateParams, { value: Json }>;
	"attachments.upload": Method<AttachmentParams, { url: string }>;
	"agent.run": Method<AgentRunParams, { value: AgentRunResult }>;
	"agent.createThread": Method<AgentThreadParams, { value: ThreadReference }>;
	"thread.call": Method<ThreadCallParams, { value?: Json }>;
	"thread.subscribe": Method<ThreadSubscribeParams, ThreadSubscribed>;
	"thread.unsubscribe": Method<ThreadSubscribeParams, Empty>;
	"activeThread.subscribe": Method<Empty, { value: ThreadReference | null }>;
	"webhook.create": Method<WebhookCreateParams, { url: string }>;
}

/** Notifications from child to host. */
export interface ChildNotifications {
	"runtime.stage": StageParams;
	"runtime.ready": { timings: ReadyTimings; lists?: Listings };
	"runtime.failed": FailedParams;
	log: LogParams;
	"validation.found": ValidationFinding;
	"commands.changed": { revision: number };
	"tools.changed": { revision: number };
	"skills.changed": { revision: number };
	"events.changed": { revision: number };
	"modes.changed": { revision: number };
	"links.changed": { revision: number };
	/** To a host that has asked for `module.list`: there are more files than it was told of. */
	"modules.changed": { revision: number };
}

/** Calls from host to child. */
export interface HostCalls {
	"command.list": Method<Empty, List<"command">>;
	"tool.list": Method<Empty, List<"tool">>;
	"skill.list": Method<Empty, List<"skill">>;
	"event.list": Method<Empty, List<"event">>;
	"mode.list": Method<Empty, List<"mode">>;
	"link.list": Method<Empty, List<"link">>;
	"module.list": Method<Empty, ModuleList>;
	"command.execute": Method<CommandExecuteParams, Empty>;
	"tool.execute": Method<ToolExecuteParams, { content: ContentBlock[] }>;
	"event.dispatch": Method<EventDispatchParams, { answer?: Json }>;
	"webhook.execute": Method<WebhookExecuteParams, Empty>;
	"link.resolve": Method<{ text: string }, { matches: LinkMatch[] }>;
	ping: Method<Empty, "pong">;
	dispose: Method<Empty, Empty>;
}

/** Notifications that either side may send. */
export interface CommonNotifications {
	/** Aborts the signal of the handler that serves this id, for that reason if one is told; the handler still answers. */
	"$/cancel": { id: number | string; error?: WireError };
}

/** The notification that tells of a change of one kind. */
export type ChangedNotification = `${Kind}s.changed`;
