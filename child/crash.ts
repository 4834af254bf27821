import { isApiRejection } from "./ask.ts";

/** Stops the program that imported `brood/child`; swallowed here, and nothing else is. */
export class Halt extends Error {
	override name = "Halt";
	override message = "this process is a plugin's child; the program that imported brood/child stops here";
}

/** Hears what nobody caught. */
export interface CrashListener {
	/** An error that ends the plugin. */
	crashed(error: unknown, origin: "uncaught exception" | "unhandled rejection"): void;
	/** A rejected call of the API that nobody awaited; the plugin lives on. */
	unawaited(error: unknown, method: string): void;
}

/** Watches for errors that nobody catches. A plugin with handlers of its own for them decides itself. */
export function watchForCrashes(listener: CrashListener): void {
	process.on("uncaughtException", (error: unknown) => {
		if (error instanceof Halt || process.listenerCount("uncaughtException") > 1) return;
		listener.crashed(error, "uncaught exception");
	});
	process.on("unhandledRejection", (reason: unknown) => {
		const method = isApiRejection(reason);
		if (method !== undefined) return listener.unawaited(reason, method);
		if (process.listenerCount("unhandledRejection") > 1) return;
		listener.crashed(reason, "unhandled rejection");
	});
}
