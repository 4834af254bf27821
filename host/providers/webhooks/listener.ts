import { joinBytes } from "../../../runtime/codec/bytes.ts";
import type { Limits } from "../../../runtime/limits.ts";
import { headersAskedFor } from "./headers.ts";
import type { WebhookStore } from "./store.ts";

export interface ListenerParts {
	store: WebhookStore;
	limits: Limits["webhooks"];
	/** An event has been stored. */
	stored(webhook: number): void;
	problem(webhook: number | undefined, error: unknown): void;
}

export interface WebhookListener {
	readonly port: number;
	/** Takes no request any more; those under way have a moment to end. */
	close(): Promise<void>;
}

/** What a listener says of itself at its root, so that hosts which share a file know each other. */
export const identityHeader = "brood-webhooks";

/** Requests under way have this long as the host ends. */
const closeMs = 1_000;
/** A connection that nothing comes over. */
const idleSeconds = 30;
const idempotencyKeyCharsMax = 256;

/** Listens on 127.0.0.1; does not keep the program alive. @throws the error of the platform when the port is taken */
export function startListener(port: number, parts: ListenerParts): WebhookListener {
	const { store, limits, problem } = parts;
	const underWay = new Set<Promise<Response>>();
	const { identity } = store;
	const server = Bun.serve({
		hostname: "127.0.0.1",
		port,
		development: false,
		reusePort: false,
		idleTimeout: idleSeconds,
		maxRequestBodySize: Math.min(limits.bodyBytesMax, Number.MAX_SAFE_INTEGER),
		fetch(request) {
			const answer = answerTo(request, parts, identity).catch((error: unknown) => {
				problem(undefined, error);
				return refuse(503, "it cannot be stored now", { "retry-after": "5" });
			});
			underWay.add(answer);
			void answer.finally(() => underWay.delete(answer));
			return answer;
		},
	});
	server.unref();
	return {
		port: server.port ?? port,
		async close() {
			const stopped = server.stop();
			const late = Promise.withResolvers<void>();
			const timer = setTimeout(late.resolve, closeMs);
			await Promise.race([Promise.allSettled(underWay), late.promise]);
			clearTimeout(timer);
			// Answers leave in the next turn.
			await new Promise((resolve) => setImmediate(resolve));
			await Promise.all([stopped, server.stop(true)]);
		},
	};
}

async function answerTo(request: Request, parts: ListenerParts, identity: string): Promise<Response> {
	const { store, limits } = parts;
	const { pathname } = new URL(request.url);
	if (pathname === "/") return new Response(null, { status: 404, headers: { [identityHeader]: identity } });
	// What a proxy puts before it is not ours.
	const [path = ""] = /\/[^/]+\/[^/]+$/.exec(pathname) ?? [];
	const webhook = path === "" ? undefined : store.find(path);
	if (webhook === undefined) return refuse(404, "there is no such webhook");
	if (request.method !== "POST") return refuse(405, "a webhook takes POST", { allow: "POST" });
	const idempotencyKey = request.headers.get("idempotency-key") || null;
	if (idempotencyKey !== null && idempotencyKey.length > idempotencyKeyCharsMax) {
		return refuse(400, `an Idempotency-Key has at most ${idempotencyKeyCharsMax} characters`);
	}
	const room = store.admit(webhook.id, idempotencyKey);
	if ("known" in room) return accepted(room.known);
	if ("retryAfterSeconds" in room) return refuse(429, room.reason, { "retry-after": String(room.retryAfterSeconds) });
	const body = await receive(request, limits);
	if (body === "large") return tooLarge(limits);
	if (body === "late") return refuse(408, "the request did not come whole in time", { connection: "close" });
	if (body === "broken") return refuse(400, "the request broke off");
	const headers = headersAskedFor(webhook.headers, request.headers);
	const id = store.add(webhook.id, { idempotencyKey, body, headers });
	parts.stored(webhook.id);
	return accepted(id);
}

/** Reads the body as it was sent; the server ends one that is too large. */
async function receive(
	request: Request,
	{ receiveMs }: Limits["webhooks"],
): Promise<Uint8Array | "large" | "late" | "broken"> {
	if (request.body === null) return new Uint8Array();
	const reader = request.body.getReader();
	const late = Promise.withResolvers<"late">();
	const timer = setTimeout(() => late.resolve("late"), receiveMs);
	timer.unref();
	const pieces: Uint8Array[] = [];
	let bytes = 0;
	try {
		for (;;) {
			const read = await Promise.race([late.promise, reader.read()]);
			if (read === "late") return "late";
			if (read.done) return joinBytes(pieces, bytes);
			pieces.push(read.value);
			bytes += read.value.byteLength;
		}
	} catch {
		return request.signal.aborted ? "broken" : "large";
	} finally {
		clearTimeout(timer);
		void reader.cancel().catch(() => {});
	}
}

function accepted(id: string): Response {
	return Response.json({ id }, { status: 202, headers: { "cache-control": "no-store" } });
}

function tooLarge({ bodyBytesMax }: Limits["webhooks"]): Response {
	return refuse(413, `a body has at most ${bodyBytesMax} bytes`, { connection: "close" });
}

function refuse(status: number, error: string, headers: Record<string, string> = {}): Response {
	return Response.json({ error }, { status, headers: { "cache-control": "no-store", ...headers } });
}
