import type { ClientInfo } from "../runtime/protocol.ts";
import { watchForCrashes } from "./crash.ts";
import { hideLaunch } from "./guard.ts";
import { readLaunch } from "./launch.ts";
import { type Ends, openLine } from "./line.ts";
import { loadPlugin } from "./load.ts";
import { keepOriginals } from "./originals.ts";
import { createRegistry } from "./registry.ts";
import type { Original, Rest, Session } from "./session.ts";
import { openSocket } from "./socket.ts";

/**
 * Makes this process the child of one plugin: hello, import, activate, ready, serve until the host goes away. Settles when
 * the plugin is ready, or has failed to load.
 */
export function startChild(): Promise<void> {
	const original = { exit: process.exit, printError: console.error };
	const launch = readLaunch(process.argv);
	hideLaunch();
	const { ends, guard } = launch.socket ? openSocket() : restOfRuntime().standardEnds();
	const session = createSession(ends, original);
	watchForCrashes((error, origin) => session.rest().uncaught(error, origin));
	process.exit = (code) => {
		session.loaded()?.leave();
		return original.exit(code);
	};
	return loadPlugin(session, launch, guard).catch((error) => session.rest().failed(error));
}

function createSession(ends: Ends, original: Original): Session {
	let rest: Rest | undefined;
	const withOriginals = keepOriginals();
	const hello = Promise.withResolvers<ClientInfo>();
	const line = openLine(ends, {
		answered: hello.resolve,
		answerTo: (method) =>
			method === "ping" ? "pong" : method === "dispose" && session.disposers.size === 0 ? {} : undefined,
		needed: () => session.rest(),
		closed: () => original.exit(0),
	});
	const notify: Session["notify"] = (method, params) => line.send({ jsonrpc: "2.0", method, params });
	const session: Session = {
		line,
		hello,
		original,
		progress: { stage: "client.info" },
		disposers: new Set(),
		registry: createRegistry((kind, revision, notTold) =>
			session.notify(`${kind}s.changed`, { revision }, () => {
				notTold();
				void rest?.flush().then(session.registry.announce);
			}),
		),
		log: (level, message) => session.notify("log", { level, message }),
		notify,
		lastHandler: 0,
		rest() {
			rest ??= withOriginals(() => restOfRuntime().createRest(session));
			return rest;
		},
		loaded: () => rest,
	};
	return session;
}

/** One module, so that a bundle has one part that is there from the start and one that is loaded when it is needed. */
function restOfRuntime() {
	return require("./rest.ts") as typeof import("./rest.ts");
}
