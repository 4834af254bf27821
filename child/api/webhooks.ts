import { failure } from "../../runtime/errors.ts";
import type { WebhookEventParams } from "../../runtime/protocol-providers.ts";
import { type Ask, apiRejection } from "../ask.ts";
import type { PluginAPI } from "../types/plugin-api.ts";
import type { Webhook, WebhookEvent, WebhookHandlerContext } from "../types/webhooks.ts";
import { defineLazy } from "./lazy.ts";

export interface Webhooks {
	create: PluginAPI["createWebhook"];
	/** Runs the handler of a key. @throws BroodError `webhook_not_found` when this process of the plugin has none */
	execute(key: string, event: WebhookEventParams, context: WebhookHandlerContext): unknown;
}

/** The webhooks of one process of a plugin: of two with the same key the last one has the handler. */
export function createWebhooks(ask: Ask): Webhooks {
	const handlers = new Map<string, Webhook["handler"]>();

	return {
		async create(webhook) {
			const { key, handler, headers } = checked(webhook);
			const before = handlers.get(key);
			// An event may come before the answer.
			handlers.set(key, handler);
			try {
				return { url: (await ask("webhook.create", { key, headers })).url };
			} catch (error) {
				if (handlers.get(key) === handler) {
					if (before === undefined) handlers.delete(key);
					else handlers.set(key, before);
				}
				throw error;
			}
		},
		execute(key, event, context) {
			const handler = handlers.get(key);
			if (handler === undefined) throw failure("webhook_not_found", { subject: key });
			return handler(eventOf(event), context);
		},
	};
}

function checked(webhook: unknown): { key: string; handler: Webhook["handler"]; headers: string[] } {
	const { key, handler, headers = [] } = Object(webhook) as Record<keyof Webhook, unknown>;
	const isKey = typeof key === "string" && /^\S(?:.{0,126}\S)?$/s.test(key);
	const isHandler = typeof handler === "function";
	const areNames = Array.isArray(headers) && headers.length <= 64 && headers.every(isHeaderName);
	if (isKey && isHandler && areNames) {
		return { key, handler: handler as Webhook["handler"], headers: [...new Set(headers.map(lowerCase))] };
	}
	const wrong = [
		...(isKey ? [] : ["key has 1 to 128 characters and no space at either end"]),
		...(isHandler ? [] : ["handler is a function"]),
		...(areNames ? [] : ["headers is a list of at most 64 names of headers"]),
	];
	const subject = `createWebhook(${JSON.stringify(String(key).slice(0, 140))})`;
	throw apiRejection(failure("invalid_registration", { subject, reason: wrong.join("; ") }), "webhook.create");
}

function isHeaderName(name: unknown): boolean {
	return typeof name === "string" && /^[!#$%&'*+.^_`|~\w-]{1,256}$/.test(name);
}

function lowerCase(name: string): string {
	return name.toLowerCase();
}

/** The body is read as JSON when somebody asks for it. */
function eventOf({ id, body, headers, metadata, receivedAt }: WebhookEventParams): WebhookEvent {
	const bytes = Uint8Array.fromBase64(body);
	return defineLazy({ id, body: bytes, headers, metadata, receivedAt }, { payload: () => payloadOf(bytes) });
}

function payloadOf(bytes: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
	} catch {
		return null;
	}
}
