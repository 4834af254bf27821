import { failure, isBroodError } from "../../../runtime/errors.ts";
import type { Limits } from "../../../runtime/limits.ts";
import type { WebhookCreateParams } from "../../../runtime/protocol-providers.ts";
import type { ThreadReference } from "../../../runtime/threads.ts";
import { wrongAnswer } from "../../base/provider-failure.ts";
import type { AskContext } from "../../contracts/ask-context.ts";
import type { Backend } from "../../contracts/backend.ts";
import type { WebhookService } from "../../contracts/services.ts";
import type { OpenWebhook, WebhookDelivery, WebhooksProvider } from "../../contracts/webhooks.ts";
import { Deliveries } from "./deliveries.ts";

/** A webhook that a plugin has asked for. */
export interface KnownWebhook {
	plugin: string;
	key: string;
	/** Names of the request headers that are passed on, in lower case. */
	headers: readonly string[];
}

export interface HostWebhook extends KnownWebhook {
	/** A secret: whoever knows it can send. */
	url: string;
	/** Events that wait or are under delivery; absent where the provider does not count. */
	pending?: number;
	/** Events that were put aside since they failed too long. */
	failed?: number;
}

/** What of a plugin it takes to hand it an event. */
export interface WebhookOwner {
	/** @throws BroodError `plugin_not_ready` */
	use<Result>(task: (backend: Backend) => Promise<Result>): Promise<Result>;
	/** How often somebody wanted it to stop. */
	readonly stops: number;
	/** Leaves a warning in its log. */
	warn(message: string): void;
	/** Leaves a line there that needs no action. */
	inform(message: string): void;
	/** It has a secret from now on. */
	learn(secret: string): void;
}

export interface WebhookServiceParts {
	provider: WebhooksProvider;
	workspaceRoot: string;
	limits: Limits["webhooks"];
	/** How long the end of the host waits for a delivery that is under way. */
	finishMs: number;
	/** @throws BroodError `plugin_not_found` */
	owner(plugin: string): WebhookOwner;
	activeThread(): ThreadReference | null;
}

/** What a host asks about the webhooks of all plugins. */
export interface OpenWebhooks {
	list(): Promise<HostWebhook[]>;
	/** Those whose provider has answered. */
	known(): KnownWebhook[];
}

interface Answered {
	webhook: OpenWebhook;
	headers: readonly string[];
}

/** Brings webhooks of plugins and what receives for them together. */
export function createWebhookService(parts: WebhookServiceParts): WebhookService & OpenWebhooks {
	/** By plugin and key; undefined as long as the provider has not answered. */
	const open = new Map<string, Map<string, Answered | undefined>>();
	const deliveries = new Deliveries(parts.finishMs);
	let isClosed = false;

	function answered(): (KnownWebhook & Answered)[] {
		return [...open].flatMap(([plugin, own]) =>
			[...own].flatMap(([key, webhook]) => (webhook === undefined ? [] : [{ plugin, key, ...webhook }])),
		);
	}

	function ofPlugin(plugin: string): Map<string, Answered | undefined> {
		const own = open.get(plugin) ?? new Map<string, Answered | undefined>();
		open.set(plugin, own);
		return own;
	}

	return {
		async open(webhook, context) {
			const { key } = webhook;
			const { plugin } = context;
			const own = ofPlugin(plugin);
			const { webhooksMax } = parts.limits;
			if (!own.has(key) && own.size >= webhooksMax) throw tooMany(plugin, webhooksMax);
			own.set(key, own.get(key));
			try {
				const { opened, url } = await openOne(parts, deliveries, webhook, context);
				own.set(key, { webhook: opened, headers: webhook.headers });
				if (!isClosed) return { url: url.href };
				await opened.close();
				throw failure("host_stopped");
			} catch (error) {
				if (own.get(key) === undefined) own.delete(key);
				throw error;
			}
		},
		hear({ type, plugin, state }) {
			if (type !== "state" || state !== "ready" || plugin === undefined) return;
			for (const known of open.get(plugin)?.values() ?? []) known?.webhook.wake?.();
		},
		async list() {
			const told = answered().map(async ({ webhook, ...known }) => {
				// What cannot be counted now is there all the same.
				const counts = await Promise.try(() => webhook.counts?.()).catch(() => undefined);
				return { ...known, url: webhook.url, ...counts };
			});
			return await Promise.all(told);
		},
		known: () => answered().map(({ plugin, key, headers }) => ({ plugin, key, headers })),
		finish: (plugin, stop) => deliveries.finish(plugin, stop),
		async close() {
			isClosed = true;
			const all = answered();
			open.clear();
			await Promise.allSettled(all.map(async ({ webhook }) => webhook.close()));
		},
	};
}

async function openOne(
	parts: WebhookServiceParts,
	deliveries: Deliveries,
	{ key, headers }: WebhookCreateParams,
	context: AskContext,
): Promise<{ opened: OpenWebhook; url: URL }> {
	const { provider, workspaceRoot, limits } = parts;
	const { plugin } = context;
	const owner = parts.owner(plugin);
	const opened = await provider.open(
		{
			workspaceRoot,
			key,
			headers,
			limits,
			deliver: (event, { signal }) => deliveries.run(plugin, () => handOver(parts, { plugin, key, event, signal })),
			problem: (message) => owner.warn(message),
			inform: (message) => owner.inform(message),
		},
		context,
	);
	const url = checked(plugin, opened);
	// Before anybody can write it down.
	owner.learn(secretOf(opened, url));
	return { opened, url };
}

interface Delivery {
	plugin: string;
	key: string;
	event: WebhookDelivery;
	signal: AbortSignal;
}

async function handOver(parts: WebhookServiceParts, { plugin, key, event, signal }: Delivery): Promise<void> {
	const owner = parts.owner(plugin);
	const { stops } = owner;
	const threadID = parts.activeThread()?.id ?? `T-${crypto.randomUUID()}`;
	try {
		await owner.use((backend) =>
			backend.call({ kind: "webhook", key, event, threadID }, { signal, timeoutMs: parts.limits.handlerMs }),
		);
	} catch (error) {
		const wasStopped = parts.owner(plugin).stops !== stops;
		if (!wasStopped && !isBroodError(error, "webhook_not_found")) throw error;
		const reason = wasStopped ? "it was being stopped" : `it has no webhook "${key}" now`;
		throw failure("plugin_not_ready", { plugin, reason, cause: error });
	}
}

/** @throws BroodError `invalid_answer` */
function checked(plugin: string, webhook: { url?: unknown } | undefined): URL {
	const url = typeof webhook?.url === "string" ? URL.parse(webhook.url) : null;
	if (url !== null && /^https?:$/.test(url.protocol)) return url;
	throw wrongAnswer({ provider: "webhooks", subject: "createWebhook", plugin }, "url begins with http:// or https://");
}

function secretOf({ secret }: OpenWebhook, { href, origin }: URL): string {
	return secret ?? href.slice(origin.length + 1);
}

function tooMany(plugin: string, max: number): Error {
	return failure("busy", { plugin, subject: "createWebhook", reason: `a plugin has at most ${max} webhooks` });
}
