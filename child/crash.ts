import type { Origin } from "./session.ts";

/** Set on what stops the program that imported `brood/child`; that is swallowed here, and nothing else is. */
export const halt = Symbol("brood.halt");

/** Watches for errors that nobody catches. */
export function watchForCrashes(uncaught: (error: unknown, origin: Origin) => void): void {
	process.on("uncaughtException", (error: unknown) => {
		if (!(typeof error === "object" && error !== null && halt in error)) uncaught(error, "uncaught exception");
	});
	process.on("unhandledRejection", (reason: unknown) => uncaught(reason, "unhandled rejection"));
}
