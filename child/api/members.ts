import { failure } from "../../runtime/errors.ts";
import type { JsonObject } from "../../runtime/records.ts";
import type { Ask } from "../ask.ts";
import type { PluginAPI, Webhook } from "../types/plugin-api.ts";

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

/** A copy that JSON can carry; a value that it cannot carry throws here, in the plugin's own call. */
function plain(value: unknown): JsonObject {
	return JSON.parse(JSON.stringify(value));
}
