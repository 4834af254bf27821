import { failure, messageOf } from "../../../runtime/errors.ts";
import { identityHeader, type WebhookListener } from "./listener.ts";
import type { WebhookStore } from "./store.ts";

export interface PortParts {
	store: WebhookStore;
	/** The port that the embedder wants; undefined for the one of last time. */
	wanted: number | undefined;
	/** @throws the error of the platform when the port is taken */
	listen(port: number): WebhookListener;
}

export interface ClaimedPort {
	port: number;
	/** Absent where another host that has the same file listens, for all of them. */
	listener?: WebhookListener;
	/** The port that a program of somebody else has. */
	lost?: number;
}

/**
 * Listens on the port that the webhooks of this file have had, so that their URLs stay. Where another host of the same
 * file listens there, that one is enough. Where it is somebody else, any free port is taken.
 *
 * @throws BroodError `webhooks_unavailable`
 */
export async function claimPort({ store, wanted, listen }: PortParts): Promise<ClaimedPort> {
	for (let tries = 0; tries < triesMax; tries += 1) {
		const port = wanted ?? store.port ?? 0;
		const listener = listenOn(port, store, listen);
		if (listener !== undefined) return { port: listener.port, listener };
		if (await isListening(port, store.identity)) return { port };
		// Two that lose a port at once agree on the next one.
		const next = store.exclusively(() => {
			const saved = store.port;
			if (saved !== undefined && saved !== port && wanted === undefined) return undefined;
			return listenOn(0, store, listen);
		});
		if (next !== undefined) return { port: next.port, listener: next, lost: port };
	}
	throw failure("webhooks_unavailable", { reason: "no port could be had to listen on", hint: "Try again." });
}

// Each try loses only to another host that moved at the same moment.
const triesMax = 5;

/** Listens and keeps the port in mind; undefined when it is taken. */
export function listenOn(port: number, store: WebhookStore, listen: PortParts["listen"]): WebhookListener | undefined {
	return store.exclusively(() => {
		try {
			const listener = listen(port);
			if (listener.port !== store.port) store.savePort(listener.port);
			return listener;
		} catch (error) {
			if (isTaken(error)) return undefined;
			const reason = `port ${port} of 127.0.0.1 cannot be listened on (${messageOf(error)})`;
			throw failure("webhooks_unavailable", { reason, hint: "Choose another port." });
		}
	});
}

/** The port that the webhooks of this file have; where none has listened yet, a free one that is theirs from now on. */
export function reservePort(store: WebhookStore): number {
	return store.exclusively(() => {
		if (store.port !== undefined) return store.port;
		const free = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
		free.stop(true);
		store.savePort(free.port);
		return free.port;
	});
}

/** Whether a host with this file listens there. By hand, since a proxy of the environment knows nothing of this machine. */
export async function isListening(port: number, identity: string): Promise<boolean> {
	const heard = Promise.withResolvers<boolean>();
	const timer = setTimeout(() => heard.resolve(false), probeMs);
	timer.unref();
	let answer = "";
	const no = () => heard.resolve(false);
	const socket = await Bun.connect({
		hostname: "127.0.0.1",
		port,
		socket: {
			open: (opened) => void opened.write("HEAD / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"),
			data(_, bytes) {
				answer = (answer + bytes.toString()).slice(0, answerCharsMax);
				if (answer.includes(`${identityHeader}: ${identity}\r\n`)) heard.resolve(true);
				else if (answer.includes("\r\n\r\n") || answer.length >= answerCharsMax) no();
			},
			close: no,
			error: no,
		},
	}).catch(no);
	const isOurs = await heard.promise;
	clearTimeout(timer);
	socket?.end();
	return isOurs;
}

// On this machine, from a program that has nothing else to do.
const probeMs = 1_000;
const answerCharsMax = 4_096;

function isTaken(error: unknown): boolean {
	return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}
