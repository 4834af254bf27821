import { join, resolve } from "node:path";
import { failure } from "../../../runtime/errors.ts";
import type { Limits } from "../../../runtime/limits.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { aNumber, aSwitch, aText, checkOptions } from "../../base/options.ts";
import { findStateHome } from "../../base/paths.ts";
import type { WebhooksProvider } from "../../contracts/webhooks.ts";
import type { WebhookAddresses } from "./addresses.ts";
import type { WebhookHub } from "./hub.ts";

export interface LoopbackWebhooksOptions {
	/**
	 * Where webhooks and their events are kept: `$XDG_STATE_HOME/brood/webhooks.sqlite` when absent, or the same under
	 * `~/.local/state`. Several hosts may use one file at a time.
	 */
	file?: string;
	/** The port of 127.0.0.1; when absent or 0 the one of last time, and any free one where somebody else has that. */
	port?: number;
	/**
	 * What leads from outside to that port, such as `https://hooks.example.com`, for whoever has a tunnel; the URLs of
	 * webhooks begin with it.
	 */
	publicURL?: string;
	/**
	 * Whether this host receives: listens, and delivers what comes and what waits; yes when absent. With `false` webhooks
	 * have the URLs that they have in hosts which do, and nothing else happens.
	 */
	receive?: boolean;
}

/**
 * Webhooks over a listener on 127.0.0.1, with a queue in a file. Nothing is opened before a plugin asks for a webhook.
 *
 * A sender is answered with 202 and the event's id once the event is on the disk; a request with an Idempotency-Key that
 * is known is answered alike and not stored again. 404: no such webhook; 405: not POST; 408: too slow; 413: too large;
 * 429 with Retry-After: too many; 503: cannot be stored. The events of one webhook are delivered one at a time in the
 * order of their arrival; one that failed is delivered again after `limits.webhooks.retryFirstMs`, doubled each time, and
 * later ones pass it meanwhile. After `limits.webhooks.failingMs` of failures it is put aside.
 *
 * Of several hosts with one file one listens for all, and another takes over when it ends; each delivers what is for its
 * own workspace, and no event is under delivery in two of them. A host with `receive: false` takes no part in that.
 *
 * @throws BroodError `usage` for an option that cannot be used
 */
export function loopbackWebhooks(options: LoopbackWebhooksOptions = {}): WebhooksProvider {
	checkOptions("loopbackWebhooks", options, { file: aText, port: aNumber, publicURL: aText, receive: aSwitch });
	return createLoopbackWebhooks(options);
}

/** What a test puts in the place of the machine's own. */
export interface LoopbackParts {
	clock?: Clock;
	/** Milliseconds of the wall clock. */
	wall?(): number;
	/** From 0 to 1. */
	random?(): number;
}

export function createLoopbackWebhooks(
	{ file, port = 0, publicURL, receive = true }: LoopbackWebhooksOptions,
	{ clock = systemClock, wall = Date.now, random = Math.random }: LoopbackParts = {},
): WebhooksProvider {
	if (!Number.isInteger(port) || port < 0 || port > 65_535) throw failure("usage", { reason: "port is 0 to 65535" });
	const base = publicURL === undefined ? undefined : checkedURL(publicURL);
	let hub: Promise<WebhookHub | WebhookAddresses> | undefined;
	/** Opens and ends come one after the other. */
	let turn: Promise<unknown> = Promise.resolve();

	function inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
		const done = turn.then(task);
		turn = done.catch(() => {});
		return done;
	}

	async function opened(limits: Limits["webhooks"]): Promise<WebhookHub | WebhookAddresses> {
		const place = file === undefined ? stateFile() : resolve(file);
		const wanted = port === 0 ? undefined : port;
		const idle = () => inTurn(closeIdle);
		const parts = { file: place, port: wanted, publicURL: base, limits, clock, wall, random, idle };
		if (receive) return (await import("./hub.ts")).WebhookHub.open(parts);
		return new (await import("./addresses.ts")).WebhookAddresses(parts);
	}

	/** Nothing of it stays when the last webhook is closed. */
	async function closeIdle(): Promise<void> {
		const open = await hub?.catch(() => undefined);
		if (open === undefined || !open.isIdle) return;
		hub = undefined;
		await open.close();
	}

	return {
		open: (request, { plugin }) =>
			inTurn(async () => {
				hub ??= opened(request.limits);
				try {
					return await (await hub).add(request, plugin);
				} catch (error) {
					// What was wrong with the file may be mended before the next webhook.
					if (await isBroken(hub)) hub = undefined;
					else await closeIdle();
					throw error;
				}
			}),
	};
}

function isBroken(hub: Promise<unknown>): Promise<boolean> {
	return hub.then(
		() => false,
		() => true,
	);
}

/** @throws BroodError `webhooks_unavailable` for a user without a home */
function stateFile(): string {
	const home = findStateHome();
	if (home !== null) return join(home, "brood", "webhooks.sqlite");
	const reason = "HOME is no absolute path, so there is no place for their file";
	throw failure("webhooks_unavailable", { reason, hint: "Set HOME or XDG_STATE_HOME." });
}

function checkedURL(url: string): string {
	const parsed = URL.parse(url);
	if (parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.search === "" && parsed.hash === "") {
		return parsed.href.replace(/\/+$/, "");
	}
	throw failure("usage", { reason: `publicURL begins with http:// or https:// and has no query, unlike "${url}"` });
}
