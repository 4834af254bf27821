import { messageOf } from "../runtime/errors.ts";
import type { Peer } from "../runtime/peer.ts";
import type { ClientInfo } from "../runtime/protocol.ts";
import type { ActiveThreadPushes } from "./active-thread.ts";
import { createAgents } from "./api/agents.ts";
import { createContexts } from "./api/contexts.ts";
import { defineLazy } from "./api/lazy.ts";
import { createFewUsed } from "./api/register-judged.ts";
import { createUI } from "./api/ui.ts";
import type { Webhooks } from "./api/webhooks.ts";
import type { Ask } from "./ask.ts";
import type { Log } from "./log.ts";
import type { Rest, Session } from "./session.ts";
import type { Experimental, PluginAPI } from "./types/plugin-api.ts";

/** The parts of the API that are made when they are touched, and what the runtime does with them from outside. */
export interface Members {
	lazy: Rest["members"];
	contexts: ReturnType<typeof createContexts>;
	webhooks(): Webhooks;
	/** Runs the dispose callbacks, all at once; one that fails is logged. */
	dispose(): Promise<void>;
}

export interface MembersParts {
	session: Session;
	ask: Ask;
	activeThread: ActiveThreadPushes;
	/** Hears notifications of the host. */
	listen: Peer["listen"];
}

export function createMembers(parts: MembersParts): Members {
	const { session, ask, listen } = parts;
	const log: Log = (level, message) => session.log(level, message);
	const threads = once(() => threadMembers().createThreads({ ask, listen, log }));
	const agents = createAgents(ask, threads);
	const webhooks = once(() => (require("./api/webhooks.ts") as typeof import("./api/webhooks.ts")).createWebhooks(ask));
	const fewUsed = createFewUsed(session, ask);
	const api = () => apiOf(session);
	const ai = (signal?: AbortSignal) => (require("./api/ai.ts") as typeof import("./api/ai.ts")).createAI(ask, signal);

	return {
		lazy: {
			...seldomMembers(parts, log),
			ui: () => createUI(ask),
			ai: () => ai(),
			createAgent: () => agents.createAgent,
			getBuiltinAgent: () => agents.getBuiltinAgent,
			registerSkill: () => fewUsed.registerSkill,
			registerAgentMode: () => fewUsed.registerAgentMode,
			registerLinkPattern: () => fewUsed.registerLinkPattern,
			createStatusItem: () => fewUsed.createStatusItem,
			threads,
			createWebhook: () => webhooks().create,
			experimental: () => experimentalOf(api()),
		},
		webhooks,
		contexts: createContexts({ ask, shared: api, own: { ai, thread: (id) => threads().get(id) } }),
		async dispose() {
			await Promise.all(
				[...session.disposers].map(async (callback) => {
					try {
						await callback();
					} catch (error) {
						session.log("warn", `a dispose callback failed: ${messageOf(error)}`);
					}
				}),
			);
		},
	};
}

/** What contexts share with the API, which is there before anything is called. */
function apiOf({ api }: Session): PluginAPI {
	if (api === undefined) throw new Error("there is no API before the host has answered hello");
	return api;
}

function infoOf({ info }: Session): ClientInfo {
	if (info === undefined) throw new Error("nothing is known of the host before it has answered hello");
	return info;
}

/** Older names of members that have a place of their own now. */
function experimentalOf(api: PluginAPI): Experimental {
	const { createAgent, getBuiltinAgent, registerAgentMode, createStatusItem } = api;
	return defineLazy(
		{ createAgent, getBuiltinAgent, registerAgentMode, createStatusItem },
		{ activeThread: () => api.activeThread, threads: () => api.threads },
	);
}

/** Members that most plugins do not need at all. */
function seldomMembers({ session, ask, listen, activeThread }: MembersParts, log: Log) {
	const info = () => infoOf(session);
	return {
		$: () => (require("./api/shell.ts") as typeof import("./api/shell.ts")).createShell(info().plugin.root),
		helpers: () => (require("./helpers.ts") as typeof import("./helpers.ts")).createHelpers(info().workspaceRoot),
		system: () => (require("./api/system.ts") as typeof import("./api/system.ts")).createSystem(info(), ask),
		configuration: () =>
			(require("./api/configuration.ts") as typeof import("./api/configuration.ts")).createConfiguration({
				ask,
				listen,
				log,
			}),
		attachments: () =>
			(require("./api/attachments.ts") as typeof import("./api/attachments.ts")).createAttachments(ask),
		activeThread: () => threadMembers().createActiveThread(info(), activeThread),
	};
}

function threadMembers() {
	return require("./api/threads.ts") as typeof import("./api/threads.ts");
}

/** Handles of threads share what the host is asked to tell, also those that agents make. */
function once<Value>(make: () => Value): () => Value {
	let made: { value: Value } | undefined;
	return () => {
		made ??= { value: make() };
		return made.value;
	};
}
