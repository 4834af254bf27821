import { type BroodError, failure, isBroodError, messageOf } from "../../runtime/errors.ts";
import type { Limits } from "../../runtime/limits.ts";
import { nearest } from "../../runtime/near.ts";
import type { ThreadReference } from "../../runtime/threads.ts";
import type { Backend } from "../contracts/backend.ts";
import type { WebhookDelivery } from "../contracts/webhooks.ts";
import { headersAskedFor } from "../providers/webhooks/headers.ts";
import type { HostWebhook, KnownWebhook } from "../providers/webhooks/service.ts";
import { keyPrefix } from "../registry.ts";
import { createBudget } from "./budget.ts";
import type { CallOptions } from "./dispatch.ts";
import { pluginsOwn } from "./own-error.ts";
import { newID } from "./payload.ts";

/** The webhooks of a host. */
export interface Webhooks {
	/**
	 * Those that plugins have asked for since the host began, by plugin, in the order in which they asked; with their
	 * URLs, which are secrets.
	 */
	list(): Promise<HostWebhook[]>;
	/**
	 * Hands an event to the handler of a webhook now, as a request with this body and these headers would be: the handler
	 * gets the same event and context, and has `limits.webhooks.handlerMs`. No listener and no queue takes part: the event
	 * does not wait for others, is not counted, and is not delivered again.
	 *
	 * @param key of the webhook, or `plugin:key` where several plugins have it
	 * @throws BroodError when it could not be handed over or the handler came to no end: `webhook_not_found`, `usage` for
	 * what no request could hold, `timeout`, `plugin_exited`, `plugin_not_ready`
	 */
	deliver(key: string, event?: WebhookContent, options?: CallOptions): Promise<WebhookResult>;
}

/** What a request to a webhook brings. */
export interface WebhookContent {
	/** A text is sent as UTF-8; nothing when absent. At most `limits.webhooks.bodyBytesMax`. */
	body?: string | Uint8Array;
	/** All of the request; the handler gets those that the webhook asked for. */
	headers?: Record<string, string> | [name: string, value: string][];
	/** Of the event; a new one when absent. Give it again to see what the handler does with an event that comes twice. */
	id?: string;
	/** Which delivery of the event this is; 1 when absent. */
	attempt?: number;
}

/** What became of an event. Where the handler threw, it is not ok. */
export interface WebhookResult {
	ok: boolean;
	plugin: string;
	key: string;
	/** Milliseconds. */
	ms: number;
	error?: Error;
}

export interface WebhookCallsParts {
	webhooks: { list: Webhooks["list"]; known(): KnownWebhook[] };
	limits: Limits;
	activeThread?: () => ThreadReference | null;
	/** The plugins that serve nobody now, and the state of each. */
	absent(): { plugin: string; state: string }[];
	use<Result>(plugin: string, task: (backend: Backend) => Promise<Result>): Promise<Result>;
}

export function createWebhookCalls(parts: WebhookCallsParts): Webhooks {
	return {
		list: parts.webhooks.list,
		deliver: (key, event = {}, options = {}) => deliver(parts, key, event, options),
	};
}

async function deliver(
	parts: WebhookCallsParts,
	name: string,
	content: WebhookContent,
	{ signal, timeoutMs, threadID = parts.activeThread?.()?.id ?? newID("T") }: CallOptions,
): Promise<WebhookResult> {
	const begin = performance.now();
	const { plugin, key, headers } = findWebhook(parts, name);
	const event = eventOf(content, headers, parts.limits.webhooks);
	const budget = createBudget(timeoutMs, { plugin, subject: `webhook "${key}"` });
	const over = budget.over(signal);
	if (over !== undefined) throw over;
	const limits = budget.part(signal, parts.limits.webhooks.handlerMs);
	const result = (error?: Error): WebhookResult => {
		const facts = { ok: error === undefined, plugin, key, ms: performance.now() - begin };
		return error === undefined ? facts : { ...facts, error };
	};
	try {
		await parts.use(plugin, (backend) => backend.call({ kind: "webhook", key, event, threadID }, limits));
		return result();
	} catch (error) {
		// The plugin has been loaded anew since, and does not ask for it any more.
		if (isBroodError(error, "webhook_not_found")) throw error;
		return result(pluginsOwn(error));
	}
}

/** @throws BroodError `webhook_not_found` */
function findWebhook({ webhooks, absent }: WebhookCallsParts, name: string): KnownWebhook {
	const known = webhooks.known();
	const exact = known.find((webhook) => qualified(webhook) === name);
	if (exact !== undefined) return exact;
	const named = known.filter(({ key }) => key === name);
	const [only, another] = named;
	if (only !== undefined && another === undefined) return only;
	const hint =
		only === undefined
			? whereElse(name, known, absent())
			: `Several plugins have it: ${named.map(qualified).sort().join(", ")}.`;
	throw failure("webhook_not_found", { subject: name, hint });
}

/** Where else to look for a key that nobody has. */
function whereElse(name: string, known: KnownWebhook[], absent: { plugin: string; state: string }[]): string {
	const names = known.map(qualified).sort();
	const near = nearest(name, [...known.map(({ key }) => key), ...names]);
	const parts = [
		near === undefined ? undefined : `Is it "${near}"?`,
		known.length === 0
			? "No plugin has asked for a webhook."
			: `Known: ${names.slice(0, namesMax).join(", ")}${names.length > namesMax ? ", …" : ""}.`,
		absent.length === 0
			? undefined
			: `It may belong to a plugin that is not there: ${absent.map(({ plugin, state }) => `${plugin} (${state})`).join(", ")}.`,
	];
	return parts.filter((part) => part !== undefined).join(" ");
}

function qualified({ plugin, key }: KnownWebhook): string {
	return `${keyPrefix(plugin)}${key}`;
}

const namesMax = 12;

/** @throws BroodError `usage` for what no request could hold */
function eventOf(
	{ body = "", headers = {}, id = `evt_${Bun.randomUUIDv7()}`, attempt = 1 }: WebhookContent,
	asked: readonly string[],
	{ bodyBytesMax }: Limits["webhooks"],
): WebhookDelivery {
	if (typeof body !== "string" && !(body instanceof Uint8Array)) throw unusable("body is a text or a Uint8Array");
	if (typeof id !== "string" || id === "") throw unusable("id is a text that is not empty");
	if (!Number.isInteger(attempt) || attempt < 1) throw unusable("attempt is a whole number from 1");
	const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
	if (bytes.byteLength > bodyBytesMax) throw unusable(`a body has at most ${bodyBytesMax} bytes`);
	const passed = headersAskedFor(asked, readHeaders(headers));
	return { id, body: bytes, headers: passed, receivedAt: new Date(), attempt };
}

function readHeaders(headers: NonNullable<WebhookContent["headers"]>): Headers {
	try {
		return new Headers(headers);
	} catch (error) {
		throw unusable(`headers cannot be sent: ${messageOf(error)}`);
	}
}

function unusable(reason: string): BroodError {
	return failure("usage", { reason });
}
