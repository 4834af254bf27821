import { messageOf } from "../runtime/errors.ts";
import type { ChildCalls, ChildNotifications } from "../runtime/protocol.ts";
import type { Remote } from "../runtime/typed.ts";
import { isApiRejection, siteOf } from "./ask.ts";
import { reportFailure } from "./load-report.ts";
import type { Rest, Session } from "./session.ts";
import { headOf, showError } from "./show-error.ts";
import { createValidation, type Validation } from "./validation.ts";

/** The exit code of a child whose plugin did not load; the host has been told why. */
const exitNotLoaded = 70;
/** The exit code of a plugin that crashed. */
const exitCrashed = 1;

/** Makes what happens when something goes wrong: a load that fails, an error that nobody caught. */
export function createEnding(
	session: Session,
	host: Remote<ChildCalls, ChildNotifications>,
	flush: () => Promise<void>,
): Pick<Rest, "uncaught" | "failed" | "examine"> {
	const { progress, original } = session;
	let validation: Validation | undefined;
	let ending = false;

	// Output that is still queued would be lost by an exit.
	async function end(code: number): Promise<void> {
		ending = true;
		await flush();
		original.exit(code);
	}

	async function failed(error: unknown): Promise<void> {
		if (ending) return;
		validation?.failing(error);
		reportFailure(host, progress, error, session.api);
		await end(exitNotLoaded);
	}

	function crashed(error: unknown, origin: Parameters<Rest["uncaught"]>[1]): void {
		if (validation !== undefined) return validation.uncaught(error, origin);
		if (progress.stage !== "ready") return void failed(error);
		if (ending) return;
		session.log("error", `${origin}: ${headOf(error)}`);
		original.printError(`${origin}:\n${showError(error)}`);
		void end(exitCrashed);
	}

	return {
		failed,
		uncaught(error, origin) {
			const [event, method] =
				origin === "uncaught exception" ? ["uncaughtException"] : ["unhandledRejection", isApiRejection(error)];
			if (method !== undefined) {
				const call = `amp call ${method} failed and nobody awaited it`;
				return session.log("warn", `${call}: ${messageOf(error)}${siteOf(error)}`);
			}
			// A plugin with handlers of its own for such errors decides itself.
			if (process.listenerCount(event) > 1) return;
			// Whether the plugin is only examined stands in the answer to hello.
			if (session.info === undefined) void session.hello.promise.then(() => crashed(error, origin), failed);
			else crashed(error, origin);
		},
		examine() {
			const made = createValidation(host.notify, session.registry, session.log);
			validation = made;
			session.registry = made.registry;
			session.log = made.log;
			return { watch: made.watch, outcomeOf: (load) => made.outcomeOf(load, progress) };
		},
	};
}
