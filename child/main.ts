import type { ClientInfo } from "../runtime/protocol.ts";
import { watchForCrashes } from "./crash.ts";
import { hideLaunch } from "./guard.ts";
import { readLaunch } from "./launch.ts";
import { type Ends, openLine } from "./line.ts";
import { loadPlugin } from "./load.ts";
import { keepOriginals } from "./originals.ts";
import { createRegistry } from "./registry.ts";
import type { Original, Rest, RestOfRuntime, Session } from "./session.ts";
import { openSocket } from "./socket.ts";

/**
 * Makes this process the child of one plugin: hello, import, activate, ready, serve until the host goes away. Settles when
 * the plugin is ready, or has failed to load.
 *
 * @param loadRest loads what of the runtime is not there from the start
 */
export function startChild(loadRest = restOfRuntime): Promise<void> {
	const original = { exit: process.exit, printError: console.error };
	const launch = readLaunch(process.argv);
	hideLaunch();
	const { ends, guard } = launch.socket ? openSocket() : loadRest().standardEnds();
	const session = createSession(ends, original, loadRest);
	return loadPlugin(session, launch, guard).catch((error) => session.rest().failed(error));
}

/**
 * Makes what there is of one plugin before it is loaded. From now on its crashes are told, and what it said leaves before
 * it ends.
 */
export function createSession(ends: Ends, original: Original, loadRest: () => RestOfRuntime): Session {
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
		import: (url) => import(url),
		rest() {
			try {
				rest ??= withOriginals(() => loadRest().createRest(session));
				return rest;
			} catch (error) {
				// Without it nobody can be told. A stack, since an error comes with lines of code, which are long in a bundle.
				original.printError((error as Partial<Error> | null)?.stack ?? error);
				return original.exit(1);
			}
		},
		loaded: () => rest,
	};
	watchForCrashes((error, origin) => session.rest().uncaught(error, origin));
	process.exit = (code) => {
		rest?.leave();
		return original.exit(code);
	};
	return session;
}

/** The rest as a module of its own. */
export function restOfRuntime(): RestOfRuntime {
	return require("./rest.ts") as RestOfRuntime;
}
