import { failure, isBroodError } from "../../../runtime/errors.ts";
import type { Limits } from "../../../runtime/limits.ts";
import type { WebhookCreateParams } from "../../../runtime/protocol-providers.ts";
import type { ThreadReference } from "../../../runtime/threads.ts";
import type { AskContext } from "../../contracts/ask-context.ts";
import type { Backend } from "../../contracts/backend.ts";
import type { WebhookService } from "../../contracts/services.ts";
import type { OpenWebhook, WebhookDelivery, WebhooksProvider } from "../../contracts/webhooks.ts";

/** The webhooks of a host. */
export interface Webhooks {
	/** Those that plugins have asked for since the host began, by plugin, in the order in which they asked. */
	list(): Promise<HostWebhook[]>;
}

export interface HostWebhook {
	plugin: string;
	key: string;
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
	/** It has a secret from now on. */
	learn(secret: string): void;
}

export interface WebhookServiceParts {
	provider: WebhooksProvider;
	workspaceRoot: string;
	limits: Limits["webhooks"];
	/** @throws BroodError `plugin_not_found` */
	owner(plugin: string): WebhookOwner;
	activeThread(): ThreadReference | null;
}

/** Brings webhooks of plugins and what receives for them together. */
export function createWebhookService(parts: WebhookServiceParts): WebhookService & { list: Webhooks["list"] } {
	/** By plugin and key; undefined as long as the provider has not answered. */
	const open = new Map<string, Map<string, OpenWebhook | undefined>>();
	let isClosed = false;

	function ofPlugin(plugin: string): Map<string, OpenWebhook | undefined> {
		const own = open.get(plugin) ?? new Map<string, OpenWebhook | undefined>();
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
				const { opened, url } = await openOne(parts, webhook, context);
				own.set(key, opened);
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
			for (const webhook of open.get(plugin)?.values() ?? []) webhook?.wake?.();
		},
		async list() {
			const all = [...open].flatMap(([plugin, own]) => [...own].map(([key, webhook]) => ({ plugin, key, webhook })));
			const told = all.map(async ({ plugin, key, webhook }) => {
				if (webhook === undefined) return [];
				// What cannot be counted now is there all the same.
				const counts = await Promise.try(() => webhook.counts?.()).catch(() => undefined);
				return [{ plugin, key, url: webhook.url, ...counts }];
			});
			return (await Promise.all(told)).flat();
		},
		async close() {
			isClosed = true;
			const all = [...open.values()].flatMap((own) => [...own.values()]);
			open.clear();
			await Promise.allSettled(all.map(async (webhook) => webhook?.close()));
		},
	};
}

async function openOne(
	parts: WebhookServiceParts,
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
			deliver: (event, { signal }) => handOver(parts, { plugin, key, event, signal }),
			problem: (message) => owner.warn(message),
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
	throw failure("invalid_answer", { plugin, subject: "createWebhook", reason: "url begins with http:// or https://" });
}

function secretOf({ secret }: OpenWebhook, { href, origin }: URL): string {
	return secret ?? href.slice(origin.length + 1);
}

function tooMany(plugin: string, max: number): Error {
	return failure("busy", { plugin, subject: "createWebhook", reason: `a plugin has at most ${max} webhooks` });
}
