import type { Limits } from "../../runtime/limits.ts";
import type { AskContext } from "./ask-context.ts";

/**
 * Receives requests for plugins and hands them over, each at least once. When absent, brood listens on 127.0.0.1 and
 * keeps what it received in a file of the user; see `loopbackWebhooks`.
 */
export interface WebhooksProvider {
	/**
	 * Opens the webhook of one key of a plugin, as the plugin loads or later. The same workspace, plugin and key have the
	 * same URL over restarts where that can be; a second open of them takes the place of the first, with its own headers
	 * and its own `deliver`, and the first is not closed then. A webhook stays open while its plugin is disabled, crashed or
	 * does not ask for the key any more: what comes waits. An answer has `limits.webhooks.openMs`.
	 *
	 * What it rejects with reaches the plugin.
	 */
	open(request: WebhookRequest, context: AskContext): Promise<OpenWebhook>;
}

export interface WebhookRequest {
	workspaceRoot: string;
	/** 1 to 128 characters. */
	key: string;
	/** Names of the request headers to pass on, in lower case; no other is. */
	headers: string[];
	/** The bounds of this host, for a provider that keeps to them. */
	limits: Limits["webhooks"];
	/**
	 * Hands an event to the plugin, and resolves when its handler is done with it. What it rejects with:
	 * - `plugin_not_ready`: the plugin cannot be asked now, or was being stopped. That is no attempt: keep the event, and
	 *   try again after the next `wake`.
	 * - anything else is an attempt that failed: the handler threw or had no more time, or its process ended
	 *   (`plugin_exited`).
	 */
	deliver(event: WebhookDelivery, options: { signal: AbortSignal }): Promise<void>;
	/** Leaves a warning in the log of the plugin; what `secret` or the URL hold is masked there. */
	problem(message: string): void;
	/** Leaves a line of level info there. */
	inform(message: string): void;
}

/** One request that was received. */
export interface WebhookDelivery {
	/** The same for each delivery of it. */
	id: string;
	body: Uint8Array;
	/** By lower-case name. */
	headers: Record<string, string>;
	receivedAt: Date;
	/** Counts its deliveries, from 1. */
	attempt: number;
}

/** A webhook that is open. */
export interface OpenWebhook {
	/** Begins with http:// or https://; may change where the way to this host does. */
	readonly url: string;
	/** The part of the URL that logs and traces must not show; all behind the host name when absent. */
	readonly secret?: string;
	/** Events that are not done yet, and those that were put aside since they failed too long. */
	counts?(): WebhookCounts | Promise<WebhookCounts>;
	/** The plugin has become ready, after a start, a crash or a reload. */
	wake?(): void;
	/** The host ends: nothing is delivered any more, and what is under delivery is given up by its signal, and kept. */
	close(): void | Promise<void>;
}

export interface WebhookCounts {
	pending: number;
	failed: number;
}
