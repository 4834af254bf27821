import type { Origin } from "./session.ts";

/** Stops the program that imported `brood/child`; swallowed here, and nothing else is. */
export class Halt extends Error {
	override name = "Halt";
	override message = "this process is a plugin's child; the program that imported brood/child stops here";
}

/** Watches for errors that nobody catches. */
export function watchForCrashes(uncaught: (error: unknown, origin: Origin) => void): void {
	process.on("uncaughtException", (error: unknown) => {
		if (!(error instanceof Halt)) uncaught(error, "uncaught exception");
	});
	process.on("unhandledRejection", (reason: unknown) => uncaught(reason, "unhandled rejection"));
}
