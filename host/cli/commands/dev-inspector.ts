import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failure, messageOf } from "../../../runtime/errors.ts";

/** One address for the debuggers of all processes that a plugin has while it is reloaded. */
export interface Inspector {
	/** What a debugger connects to. */
	readonly url: string;
	/** The debugger of Bun in a browser, connected to it. */
	readonly page: string;
	/** Where the debugger of the next process is to listen. */
	listen(): string;
	/** Lets go of all debuggers. */
	close(): Promise<void>;
}

/** Where it listens. */
export interface InspectAddress {
	hostname: string;
	/** Any free one when absent and the usual one is taken. */
	port?: number;
	/** What nobody guesses, unless given. */
	path?: string;
	/** Whether debuggers are sent away when another process comes, which waits for them; no when absent. */
	follow?: boolean;
}

/**
 * Opens the address. Whoever connects reaches the newest process of the plugin whose debugger listens; a connection ends
 * with its process, and can then be made anew.
 *
 * @throws BroodError `usage` when nobody can listen there
 */
export async function openInspector({
	hostname,
	port,
	path = crypto.randomUUID(),
	follow = false,
}: InspectAddress): Promise<Inspector> {
	/** Where processes listen, the newest first. */
	const sockets: Socket[] = [];
	const lines = new Map<Visitor, Line>();
	const serve = (at: number) =>
		Bun.serve<Visit>({
			hostname,
			port: at,
			fetch(request, server) {
				if (new URL(request.url).pathname !== `/${path}`) return new Response("Not found", { status: 404 });
				if (server.upgrade(request, { data: {} })) return undefined;
				return new Response("Connect with a debugger", { status: 426 });
			},
			websocket: {
				...whole,
				open: (visitor) =>
					void lines.set(
						visitor,
						openLine(visitor, () => sockets),
					),
				message: (visitor, message) => lines.get(visitor)?.send(message),
				close(visitor) {
					lines.get(visitor)?.close();
					lines.delete(visitor);
				},
			},
		});
	const server = atPort(port, serve, hostname);
	// Only now: what is refused leaves nothing behind.
	const folder = await mkdtemp(join(tmpdir(), "brood-inspect-")).catch(async (error: unknown) => {
		await server.stop(true);
		throw error;
	});
	const place = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${server.port}/${path}`;
	return {
		url: `ws://${place}`,
		page: `https://debug.bun.sh/#${place}`,
		listen() {
			const path = join(folder, `${sockets.length + 1}.sock`);
			sockets.unshift({ path, since: performance.now() });
			if (follow) for (const line of lines.values()) line.close();
			return addressOf(path);
		},
		async close() {
			for (const line of lines.values()) line.close();
			await server.stop(true);
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** The one that Bun's own debugger prefers. */
const usualPort = 6499;

/** Sources are sent whole, and nobody speaks while a program stands still. */
const whole = { maxPayloadLength: 256 * 1024 * 1024, backpressureLimit: 256 * 1024 * 1024, idleTimeout: 0 };

type Visit = Record<never, never>;
type Visitor = Bun.ServerWebSocket<Visit>;

/** The file is there a moment after its process, and stays behind it. */
interface Socket {
	path: string;
	/** When it was asked for. */
	since: number;
}

interface Line {
	send(message: string | Buffer<ArrayBuffer>): void;
	close(): void;
}

/** @throws BroodError `usage` */
function atPort<Server>(port: number | undefined, serve: (port: number) => Server, hostname: string): Server {
	try {
		return serve(port ?? usualPort);
	} catch (error) {
		if (port === undefined) return serve(0);
		throw failure("usage", {
			reason: `No debugger can be waited for at ${hostname}:${port}: ${messageOf(error)}`,
			hint: "Give another port with --inspect-at, or 0 for any that is free.",
		});
	}
}

/** Connects a debugger with a process, and keeps what it says until that is done. */
function openLine(visitor: Visitor, sockets: () => readonly Socket[]): Line {
	let waiting: (string | Buffer<ArrayBuffer>)[] = [];
	let target: WebSocket | undefined;
	let isOver = false;

	function end(): void {
		if (isOver) return;
		isOver = true;
		visitor.close(restartCode, "The process has ended.");
		target?.close();
	}

	async function find(): Promise<void> {
		while (!isOver) {
			for (const { path, since } of sockets()) {
				// The process is about to be there, and is the one that is meant.
				if (!existsSync(path) && performance.now() - since < startMs) break;
				const found = isOver ? undefined : await connect(addressOf(path));
				if (found !== undefined) return use(found);
			}
			await Bun.sleep(retryMs);
		}
	}

	function use(found: WebSocket): void {
		if (isOver) return found.close();
		target = found;
		found.addEventListener("message", ({ data }) => visitor.send(data));
		found.addEventListener("close", end);
		for (const message of waiting) found.send(message);
		waiting = [];
	}

	void find();
	return {
		send: (message) => (target === undefined ? void waiting.push(message) : target.send(message)),
		close: end,
	};
}

// What RFC 6455 has for a service that comes back.
const restartCode = 1012;
const retryMs = 50;
/** A process that has no debugger by then has none at all. */
const startMs = 5_000;

function addressOf(path: string): string {
	return `ws+unix://${path}`;
}

/** Nothing where nobody listens. */
function connect(socket: string): Promise<WebSocket | undefined> {
	const { promise, resolve } = Promise.withResolvers<WebSocket | undefined>();
	const found = new WebSocket(socket);
	found.addEventListener("open", () => resolve(found));
	found.addEventListener("close", () => resolve(undefined));
	found.addEventListener("error", () => resolve(undefined));
	return promise;
}
