import type { EventContext } from "./events.ts";

export interface Webhook {
	/** 1 to 128 characters, no space at either end. The same key keeps its URL over reloads and restarts. */
	key: string;
	/** Names of the request headers to pass on. */
	headers?: readonly string[];
	/**
	 * Handles one event. It is done when this returns; what it throws, or what takes over 30 seconds, is delivered again.
	 * Events of one webhook come one at a time, in the order in which they arrived, but that one which waits to be
	 * delivered again lets later ones pass. Each may come more than once.
	 */
	handler(event: WebhookEvent, context: WebhookHandlerContext): unknown;
}

/** A request that was received. Nothing about it is checked: whoever has the URL may have sent it. */
export interface WebhookEvent {
	/** The same each time that the event is delivered. */
	id: string;
	/** The bytes as they were sent. */
	body: Uint8Array;
	/** Those that were asked for, by lower-case name; several of one name are joined by ", ". */
	headers: Record<string, string>;
	/** What the body holds when it is JSON, else null. */
	payload: unknown;
	/** What the host tells about the event: `attempt`, which counts its deliveries from 1. */
	metadata: Record<string, unknown>;
	/** When the request was received, as ISO 8601. */
	receivedAt: string;
}

export interface WebhookHandlerContext extends EventContext {
	/** Aborts when the time is over or the plugin is being stopped; the event is delivered again then. */
	signal: AbortSignal;
}
