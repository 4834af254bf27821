import { type ExitFacts, isBroodError } from "../../runtime/errors.ts";
import type { Backend } from "../contracts/backend.ts";
import type { AmpBackend } from "./amp-parts.ts";

/**
 * A backend that starts another one in its place when it was given a spare which had just died: nothing of the plugin had
 * run in it, so that is no failure of the plugin.
 *
 * @param make makes a backend; the second one takes no spare
 */
export function withColdFallback(make: (mayTakeSpare: boolean) => AmpBackend): Backend {
	let backend = make(true);
	let isKilled = false;
	const exited = Promise.withResolvers<ExitFacts>();
	const isSettled = Promise.withResolvers<void>();
	void isSettled.promise.then(() => backend.exited.then(exited.resolve));

	return {
		get pid() {
			return backend.pid;
		},
		exited: exited.promise,
		facts: () => backend.facts(),
		async start(signal) {
			try {
				return await backend.start(signal);
			} catch (error) {
				if (!diedUnused(error) || !backend.tookSpare || signal.aborted || isKilled) throw error;
				backend = make(false);
				return await backend.start(signal);
			} finally {
				isSettled.resolve();
			}
		},
		call: (call, options) => backend.call(call, options),
		emit: (event, options) => backend.emit(event, options),
		links: (text, options) => backend.links(text, options),
		modules: () => backend.modules(),
		dispose: (signal) => backend.dispose(signal),
		kill(signal, why) {
			isKilled = true;
			backend.kill(signal, why);
			// One that was never started has no end of a start to wait for.
			if (backend.pid === null) isSettled.resolve();
		},
	};
}

/**
 * Whether a process ended before it could begin with its plugin. Where one says so is not told, since that goes without
 * saying; but a plugin that ends its process as it is imported hardly does so by a signal.
 */
function diedUnused(error: unknown): boolean {
	if (!isBroodError(error, "exited_before_ready")) return false;
	return error.stage === "client.info" || (error.stage === "import" && error.exit?.signal != null);
}
