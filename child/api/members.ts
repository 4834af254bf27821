import { failure } from "../../runtime/errors.ts";
import type { ClientInfo } from "../../runtime/protocol.ts";
import type { JsonObject } from "../../runtime/records.ts";
import type { Ask } from "../ask.ts";
import type { AI, PluginThread, ThreadState } from "../types/agents.ts";
import type { PluginAPI, Webhook } from "../types/plugin-api.ts";
import { createObservable } from "./observable.ts";

/** Members that a provider of the host answers; without it each call rejects with `provider_missing`. */
export function createAI(ask: Ask): AI {
	return {
		ask: async (question, options = {}) => (await ask("ai.ask", plain({ question, ...options }))).value as never,
		generate: async (options) => (await ask("ai.generate", plain(options))).value as never,
	};
}

export function createAttachments(ask: Ask): PluginAPI["attachments"] {
	return {
		async upload({ data, mimeType }) {
			const encoded = typeof data === "string" ? data : data.toBase64();
			return (await ask("attachments.upload", { data: encoded, mimeType })).value as never;
		},
	};
}

export function createWebhooks(ask: Ask): PluginAPI["createWebhook"] {
	return async ({ key, headers = [], handler }: Webhook) => {
		const wrong: string[] = [];
		if (typeof key !== "string" || !/^\S(?:.{0,126}\S)?$/s.test(key)) {
			wrong.push("key has 1 to 128 characters and no space at either end");
		}
		if (typeof handler !== "function") wrong.push("handler is a function");
		if (wrong.length === 0) return (await ask("webhook.create", plain({ key, headers }))).value as never;
		const subject = `createWebhook(${JSON.stringify(String(key).slice(0, 140))})`;
		throw failure("invalid_registration", { subject, reason: wrong.join("; ") });
	};
}

export function createActiveThread(info: ClientInfo): PluginAPI["activeThread"] {
	const observable = createObservable<{ id: string } | null>((observer) => {
		observer.next?.(info.activeThread);
		return () => {};
	});
	return { ...observable, current: info.activeThread };
}

export function createThreads(ask: Ask): PluginAPI["threads"] {
	return { get: (id) => createThread(ask, id) };
}

/** A handle on one thread of the host; making it asks nothing. */
export function createThread(ask: Ask, id: string): PluginThread {
	const call = async (method: string, ...args: unknown[]) =>
		(await ask("thread.call", plain({ id, method, args }))).value as never;
	const value = <Value>(name: string) => ({
		...createObservable<Value>((observer) => {
			call(`${name}.subscribe`).catch((error: unknown) => observer.error?.(error));
			return () => {};
		}),
		get: (): Promise<Value> => call(`${name}.get`),
	});
	return {
		id,
		title: value<string>("title"),
		state: value<ThreadState>("state"),
		agent: () => call("agent"),
		parentThreadID: () => call("parentThreadID"),
		waitForResponse: (options) => call("waitForResponse", options),
		cancel: () => call("cancel"),
		setVisibility: (visibility) => call("setVisibility", visibility),
		setMultiplayer: (options) => call("setMultiplayer", options),
		messages: (options) => call("messages", options),
		append: (messages) => call("append", messages),
		appendUserMessage: (message, options) => call("appendUserMessage", message, options),
	};
}

/** A copy that JSON can carry; a value that it cannot carry throws here, in the plugin's own call. */
function plain(value: unknown): JsonObject {
	return JSON.parse(JSON.stringify(value));
}
