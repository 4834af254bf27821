import packageFacts from "../../package.json" with { type: "json" };
import { failure } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import { protocolVersion } from "../../runtime/protocol.ts";
import type { SkillItem } from "../../runtime/records.ts";
import type { ThreadReference } from "../../runtime/threads.ts";
import type { HostOptions } from "../contracts/options.ts";
import type { ConfigurationProvider, ExecutorProvider, Providers, UIProvider } from "../contracts/providers.ts";
import type { ConfigurationService, HostServices, Spend, StatusService } from "../contracts/services.ts";
import type { ThreadsProvider } from "../contracts/threads.ts";
import type { PluginSpec } from "../spec.ts";
import { createConfiguration } from "./configuration.ts";
import { hearSettings } from "./hear-settings.ts";
import { openAIFromEnvironment } from "./openai-environment.ts";
import { platformSystem } from "./system.ts";
import { createThreads, type ThreadStore } from "./threads.ts";
import { loopbackWebhooks } from "./webhooks/loopback.ts";
import { createWebhookService, type OpenWebhooks, type WebhookOwner } from "./webhooks/service.ts";

export interface ServiceParts {
	options: HostOptions;
	workspaceRoot: string;
	/** `null` when the user has none. */
	configHome: string | null;
	/** Dialogs, cleaned. */
	ui: UIProvider;
	status: StatusService;
	limits: Limits;
	readSkill(spec: PluginSpec, path: string, spend: Spend): Promise<SkillItem>;
	/** A plugin that may be handed events of its webhooks. @throws BroodError `plugin_not_found` */
	owner?(plugin: string): WebhookOwner;
}

export interface Services extends HostServices {
	/** The threads of this host where the embedder brought none of its own. */
	threadStore: ThreadStore | undefined;
	openWebhooks: OpenWebhooks;
}

/** What backends answer plugins with: the embedder's providers, and the defaults for those that it left out. */
export function createServices(parts: ServiceParts): Services {
	const { options, workspaceRoot, configHome, ui, status, readSkill } = parts;
	const places = { workspaceRoot, configHome };
	const { providers = {}, client } = options;
	const { lineBytesMax, writeQueueBytesMax, pendingCallsMax } = parts.limits.wire;
	const system = providers.system ?? platformSystem();
	const executor = providers.executor ?? { kind: "local" };
	const owner = parts.owner ?? noOwner;
	const { messageExcerptCharsMax } = parts.limits.text;
	const threadStore = createThreads({ messageExcerptCharsMax });
	const { threads = threadStore } = providers;
	const activeThread = () => activeThreadOf(threads);
	const webhooks = createWebhookService({
		provider: providers.webhooks ?? loopbackWebhooks(),
		workspaceRoot,
		limits: parts.limits.webhooks,
		finishMs: parts.limits.stop.disposeMs,
		owner,
		activeThread,
	});
	const services: Omit<Services, "clientInfo"> = {
		ui,
		system,
		executor,
		status,
		threads,
		threadStore: threads === threadStore ? threadStore : undefined,
		activeThread,
		ai: providers.ai ?? openAIFromEnvironment(process.env, parts.limits.ai),
		attachments: providers.attachments,
		agents: providers.agents,
		readSkill,
		configuration: hearSettings(
			configurationOf(providers.configuration) ?? createConfiguration(places, parts.limits.configuration.lockMs),
			(plugin, secret) => owner(plugin).learn(secret),
		),
		webhooks,
		openWebhooks: webhooks,
	};
	return {
		...services,
		clientInfo: ({ name, path, root, scope, kind }) => ({
			protocol: protocolVersion,
			client: { name: client?.name ?? packageFacts.name, version: client?.version ?? packageFacts.version },
			plugin: { name, path, root, scope, kind },
			workspaceRoot,
			ampURL: client?.url ?? "https://ampcode.com/",
			user: system.user ?? null,
			executor: { kind: kindOf(executor) },
			activeThread: activeThread(),
			ui: ui.available,
			providers: providerNames(services),
			codec: "ndjson",
			limits: {
				lineBytesMax: sent(lineBytesMax),
				writeQueueBytesMax: sent(writeQueueBytesMax),
				pendingCallsMax: sent(pendingCallsMax),
			},
		}),
	};
}

function noOwner(plugin: string): never {
	throw failure("plugin_not_found", { plugin });
}

/** The active thread of a provider; of one that cannot say there is none. */
function activeThreadOf({ activeThread }: ThreadsProvider): ThreadReference | null {
	try {
		const { current } = activeThread;
		return current === null ? null : { id: String(current.id) };
	} catch {
		return null;
	}
}

/** What an embedder's own provider does costs this program nothing that could be counted. */
function configurationOf(provider: ConfigurationProvider | undefined): ConfigurationService | undefined {
	if (provider === undefined) return undefined;
	const { update, delete: remove, subscribe } = provider;
	return {
		get: (context) => provider.get(context),
		...(update && { update: (...given) => update.call(provider, given[0], given[1], given[2]) }),
		...(remove && { delete: (...given) => remove.call(provider, given[0], given[1], given[2]) }),
		...(subscribe && { subscribe: (listener, context) => subscribe.call(provider, listener, context) }),
	};
}

/** Those that answer, be they the embedder's or the defaults. */
function providerNames(services: Omit<Services, "clientInfo">): (keyof Providers)[] {
	const { ui, executor, ai, attachments, agents } = services;
	const answers: [name: keyof Providers, does: boolean][] = [
		["ui", ui.available],
		["system", true],
		["executor", executor.keepAlive !== undefined],
		["configuration", true],
		["ai", ai !== undefined],
		["attachments", attachments !== undefined],
		["agents", agents !== undefined],
		["threads", true],
		["webhooks", true],
	];
	return answers.flatMap(([name, does]) => (does ? [name] : []));
}

/** A kind that nobody knows is told as that. */
function kindOf({ kind }: ExecutorProvider): ExecutorProvider["kind"] {
	return kind === "local" || kind === "remote" ? kind : "unknown";
}

/** JSON has no infinity; a child that is told the largest whole number is held by nothing as well. */
function sent(bound: number): number {
	return Math.min(bound, Number.MAX_SAFE_INTEGER);
}
