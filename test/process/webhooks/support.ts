import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import type { CreateHostOptions } from "../../../host/host.ts";
import type { Bench, Running } from "../support/host.ts";

/** What a plugin of these tests saw of one event. */
export interface Seen {
	key: string;
	id: string;
	/** Base64. */
	body: string;
	headers: Record<string, string>;
	payload: unknown;
	metadata: Record<string, unknown>;
	receivedAt: string;
	thread: string;
	context: string[];
	pid: number;
}

/**
 * A plugin with one webhook that notes each event, and then does what `handle` says; the URL is in the file `KEY.url`.
 *
 * @param handle statements with `event`, `context`, `note(text)`, `amp` and `count`, the number of this event
 */
export function hookPlugin(bench: Bench, { key = "hook", headers = [] as string[], handle = "" } = {}): string {
	const file = (name: string) => JSON.stringify(bench.path(name));
	return `import { appendFileSync, writeFileSync } from "node:fs";
		let count = 0;
		const note = (text) => appendFileSync(${file("notes")}, text + "\\n");
		export default async (amp) => {
			const { url } = await amp.createWebhook({
				key: ${JSON.stringify(key)},
				headers: ${JSON.stringify(headers)},
				async handler(event, context) {
					count += 1;
					const { id, body, headers, payload, metadata, receivedAt } = event;
					const seen = { key: ${JSON.stringify(key)}, id, body: body.toBase64(), headers, payload, metadata, receivedAt,
						thread: context.thread.id, context: Object.keys(context).sort(), pid: process.pid };
					appendFileSync(${file("seen")}, JSON.stringify(seen) + "\\n");
					${handle}
				},
			});
			writeFileSync(${file(`${key}.url`)}, url);
		};`;
}

export function urlOf(bench: Bench, key = "hook"): string {
	return readFileSync(bench.path(`${key}.url`), "utf8");
}

export function seenIn(bench: Bench): Seen[] {
	return linesOf(bench.path("seen")).map((line) => JSON.parse(line));
}

export function notesIn(bench: Bench): string[] {
	return linesOf(bench.path("notes"));
}

function linesOf(path: string): string[] {
	return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
}

/** Waits until the plugin has seen so many events. */
export async function seesEvents(bench: Bench, count: number): Promise<Seen[]> {
	await holds(
		() => seenIn(bench).length >= count,
		() => `${seenIn(bench).length} of ${count} events were seen`,
	);
	return seenIn(bench);
}

/** Waits for what no event tells: what another process does with files. */
export async function holds(condition: () => unknown, otherwise: () => string = () => "it never held"): Promise<void> {
	for (const end = performance.now() + 15_000; performance.now() < end; ) {
		if (await condition()) return;
		await Bun.sleep(10);
	}
	throw new Error(otherwise());
}

export function post(
	url: string,
	body: NonNullable<RequestInit["body"]> = "{}",
	headers: Record<string, string> = {},
): Promise<Response> {
	return fetch(url, { method: "POST", body, headers });
}

/** The answers of these requests, in order. */
export async function statuses(url: string, bodies: string[]): Promise<number[]> {
	const all: number[] = [];
	for (const body of bodies) all.push((await post(url, body)).status);
	return all;
}

/** Bounds with which nothing takes long. */
export const soon = { retryFirstMs: 1, retryLastMs: 1, leaseMs: 300 };

export function startHook(bench: Bench, source: string, options: CreateHostOptions = {}): Promise<Running> {
	return bench.start({ hook: source }, { limits: { webhooks: soon }, ...options });
}

/** Writes bytes to a port by hand; resolves with what came back when the other side closes, or after a while. */
export function raw(
	url: string,
	text: (path: string) => string,
	{ end = false, waitMs = 15_000 } = {},
): Promise<string> {
	const { port, pathname } = new URL(url);
	return new Promise((resolve) => {
		let answer = "";
		const socket = connect(Number(port), "127.0.0.1", () => {
			socket.write(text(pathname), "latin1");
			if (end) socket.end();
		});
		const timer = setTimeout(() => socket.destroy(), waitMs);
		socket.on("data", (bytes) => {
			answer += bytes.toString("latin1");
		});
		socket.on("error", () => {});
		socket.on("close", () => {
			clearTimeout(timer);
			resolve(answer);
		});
	});
}
