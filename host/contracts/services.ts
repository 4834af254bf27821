import type { ClientInfo } from "../../runtime/protocol.ts";
import type { WebhookCreateParams } from "../../runtime/protocol-providers.ts";
import type { JsonObject, SkillItem, StatusItem } from "../../runtime/records.ts";
import type { ThreadReference } from "../../runtime/threads.ts";
import type { PluginSpec } from "../spec.ts";
import type { AgentsProvider } from "./agents.ts";
import type {
	AIProvider,
	AskContext,
	AttachmentsProvider,
	ConfigurationProvider,
	ConfigurationTarget,
	ExecutorProvider,
	SystemProvider,
	UIProvider,
} from "./providers.ts";
import type { ThreadsProvider } from "./threads.ts";

/** What a backend needs of the host to answer the plugin it runs; host/host.ts wires it. */
export interface HostServices {
	/** The answer to a child's `client.info`. */
	clientInfo(spec: PluginSpec): ClientInfo;
	/** Dialogs, cleaned; rejects with `ui_not_available` where nobody answers. */
	ui: UIProvider;
	/** @throws BroodError `invalid_settings` */
	configuration: ConfigurationService;
	system: SystemProvider;
	executor: ExecutorProvider;
	status: StatusService;
	threads: ThreadsProvider;
	/** The thread that the person looks at. */
	activeThread(): ThreadReference | null;
	ai: AIProvider | undefined;
	attachments: AttachmentsProvider | undefined;
	agents: AgentsProvider | undefined;
	/** @throws BroodError `invalid_skill` */
	readSkill(spec: PluginSpec, path: string, spend: Spend): Promise<SkillItem>;
	webhooks: WebhookService;
}

/** The webhooks of all plugins. */
export interface WebhookService {
	/** @throws BroodError `webhooks_unavailable`, `busy` for one too many, or what the provider rejects with */
	open(webhook: WebhookCreateParams, context: AskContext): Promise<{ url: string }>;
	/** Hears what happens in the host: a plugin that is ready can be asked again. */
	hear(event: { type: string; plugin?: string; state?: string }): void;
	/** The host ends: stops a plugin once what is under delivery to it has ended, or has had its time; nothing new begins. */
	finish(plugin: string, stop: () => Promise<void>): Promise<void>;
	/** Its plugins have ended. */
	close(): Promise<void>;
}

/** A configuration provider that counts what its work costs. */
export interface ConfigurationService extends Pick<ConfigurationProvider, "subscribe"> {
	get(context: AskContext, spend: Spend): Promise<JsonObject>;
	update?(partial: JsonObject, target: ConfigurationTarget, context: AskContext, spend: Spend): Promise<void>;
	delete?(key: string, target: ConfigurationTarget, context: AskContext, spend: Spend): Promise<void>;
}

/** Does work that this program cannot interrupt, and counts it against the plugin it is done for. */
export type Spend = <Result>(work: () => Result) => Result;

/** Status items of all plugins. */
export interface StatusService {
	/** A place for the items of one process of a plugin. */
	open(plugin: string): StatusBoard;
}

/** The status items of one process of a plugin. */
export interface StatusBoard {
	/** @throws BroodError `invalid_params` for one too many, or one too large */
	put(item: StatusItem): void;
	/** One that was removed stays so. */
	update(item: StatusItem): void;
	remove(id: number): void;
	/** Shows them from now on, in the place of those of another process of the plugin. */
	show(): void;
	/** The process has ended. */
	close(): void;
}

/** How a backend starts a process for a plugin. */
export interface Launch {
	command: string[];
	cwd: string;
	env: Record<string, string>;
	/** What the process speaks on: a socket at its descriptor 3, or its stdin and stdout. */
	wire: "socket" | "stdio";
	/** For people: `source`, `compiled`, `cached`, `be-bun`, `graph` or `custom`. */
	form: string;
	/** Whether Bun may fetch what the plugin imports and nobody installed; it may not when absent. */
	install?: LaunchInstall;
	/** Hears that the process ended before it said anything: what it runs may be broken. */
	mute?: () => void;
}

/** A child may fetch packages; `unavailable` where that is allowed and this form of launch cannot. */
export type LaunchInstall = "auto" | "unavailable";
