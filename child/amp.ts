import { type Subscription, subscription } from "../runtime/disposable.ts";
import { messageOf } from "../runtime/errors.ts";
import type { Peer } from "../runtime/peer.ts";
import type { ClientInfo } from "../runtime/protocol.ts";
import type { ActiveThreadPushes } from "./active-thread.ts";
import { createAgents } from "./api/agents.ts";
import { createContexts } from "./api/contexts.ts";
import { defineLazy } from "./api/lazy.ts";
import { createLogger } from "./api/logger.ts";
import { createRegistrations } from "./api/register.ts";
import { createUI } from "./api/ui.ts";
import type { Webhooks } from "./api/webhooks.ts";
import type { Ask } from "./ask.ts";
import type { Log } from "./log.ts";
import { observableSymbol } from "./observable-symbol.ts";
import type { Registry } from "./registry.ts";
import type { Experimental, PluginAPI } from "./types/plugin-api.ts";
import type { Threads } from "./types/threads.ts";

/** The API of one plugin, and what the runtime does with it from outside. */
export interface Amp {
	api: PluginAPI;
	contexts: ReturnType<typeof createContexts>;
	webhooks(): Webhooks;
	/** Runs the dispose callbacks, all at once; one that fails is logged. */
	dispose(): Promise<void>;
}

export interface AmpParts {
	info: ClientInfo;
	ask: Ask;
	activeThread: ActiveThreadPushes;
	/** Hears notifications of the host. */
	listen: Peer["listen"];
	registry: Registry;
	log: Log;
}

/** Composes the object that a plugin's default export is called with; parts that few need load when touched. */
export function createAmp(parts: AmpParts): Amp {
	const { info, ask, registry, log } = parts;
	observableSymbol();
	const disposers = new Set<() => unknown>();
	const threads = threadsOf(parts);
	const agents = createAgents(ask, threads);
	const webhooks = webhooksOf(ask);
	const base = {
		logger: createLogger(log),
		ui: createUI(ask),
		...createRegistrations({ info, ask, registry, log }),
		...agents,
		onDispose(callback: () => unknown): Subscription {
			if (typeof callback !== "function") {
				log(
					"warn",
					`onDispose takes a function, not ${callback === null ? "null" : typeof callback}: nothing will run`,
				);
				return subscription(() => {});
			}
			const entry = () => callback();
			disposers.add(entry);
			return subscription(() => disposers.delete(entry));
		},
	};
	const api: PluginAPI = defineLazy(base, {
		...laterMembers(parts),
		threads,
		createWebhook: () => webhooks().create,
		experimental: () => experimentalOf(api),
	});

	return {
		api,
		webhooks,
		contexts: createContexts({ ask, shared: api, own: { ai: aiOf(ask), thread: (id) => threads().get(id) } }),
		async dispose() {
			await Promise.all(
				[...disposers].map(async (callback) => {
					try {
						await callback();
					} catch (error) {
						log("warn", `a dispose callback failed: ${messageOf(error)}`);
					}
				}),
			);
		},
	};
}

/** Older names of members that have a place of their own now. */
function experimentalOf(api: PluginAPI): Experimental {
	const { createAgent, getBuiltinAgent, registerAgentMode, createStatusItem } = api;
	return defineLazy(
		{ createAgent, getBuiltinAgent, registerAgentMode, createStatusItem },
		{ activeThread: () => api.activeThread, threads: () => api.threads },
	);
}

/** Members that load on first touch, since most plugins need none of them. */
function laterMembers(parts: AmpParts) {
	const { info, ask } = parts;
	return {
		$: () => (require("./api/shell.ts") as typeof import("./api/shell.ts")).createShell(info.plugin.root),
		helpers: () => (require("./helpers.ts") as typeof import("./helpers.ts")).createHelpers(info.workspaceRoot),
		system: () => (require("./api/system.ts") as typeof import("./api/system.ts")).createSystem(info, ask),
		configuration: () =>
			(require("./api/configuration.ts") as typeof import("./api/configuration.ts")).createConfiguration(parts),
		ai: () => aiOf(ask)(),
		attachments: () =>
			(require("./api/attachments.ts") as typeof import("./api/attachments.ts")).createAttachments(ask),
		activeThread: () => threadMembers().createActiveThread(info, parts.activeThread),
	};
}

/** Questions to a model that are given up with the signal, where there is one. */
function aiOf(ask: Ask) {
	return (signal?: AbortSignal) => (require("./api/ai.ts") as typeof import("./api/ai.ts")).createAI(ask, signal);
}

/** Handles of threads share what the host is asked to tell, also those that agents make. */
function threadsOf(parts: AmpParts): () => Threads {
	let threads: Threads | undefined;
	return () => {
		threads ??= threadMembers().createThreads(parts);
		return threads;
	};
}

function webhooksOf(ask: Ask): () => Webhooks {
	let webhooks: Webhooks | undefined;
	return () => {
		webhooks ??= (require("./api/webhooks.ts") as typeof import("./api/webhooks.ts")).createWebhooks(ask);
		return webhooks;
	};
}

function threadMembers() {
	return require("./api/threads.ts") as typeof import("./api/threads.ts");
}
