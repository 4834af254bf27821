import type { CallOptions } from "../runtime/peer.ts";
import type { ChildCalls, ChildNotifications } from "../runtime/protocol.ts";
import type { Remote } from "../runtime/typed.ts";

/** Asks the host on behalf of the plugin. */
export type Ask = <Name extends keyof ChildCalls & string>(
	name: Name,
	params: ChildCalls[Name]["params"],
	options?: CallOptions,
) => Promise<ChildCalls[Name]["result"]>;

// Which call of the API an error came from, so that one nobody awaited can be named instead of ending the plugin.
const apiRejections = new WeakMap<object, string>();

/** Makes the function that every member of the API asks the host with. */
export function createAsk(host: Remote<ChildCalls, ChildNotifications>): Ask {
	return async (name, params, options) => {
		// An answer comes when the plugin's line has left the stack. Written out only when the call fails.
		const asked = new Error();
		try {
			return await host.call(name, params, options);
		} catch (error) {
			throw apiRejection(error, name, asked);
		}
	};
}

/**
 * Marks an error that a call of the API rejects with, lets its stack begin in the plugin's line, and gives it back.
 *
 * @param asked made in the plugin's call, where the error was not
 */
export function apiRejection<Thrown>(error: Thrown, name: keyof ChildCalls & string, asked?: Error): Thrown {
	if (typeof error !== "object" || error === null) return error;
	// Several calls may end for one reason; it has one place.
	if (error instanceof Error && !apiRejections.has(error)) callSite().placeAt(error, asked ?? error);
	apiRejections.set(error, name);
	return error;
}

/** Where the plugin made the call that an error came from, as ` (file:line:column)`. */
export function siteOf(error: unknown): string {
	return callSite().describeSite(error);
}

/** Loads when a call fails. */
function callSite() {
	return require("./call-site.ts") as typeof import("./call-site.ts");
}

/** The wire name of the API call that this error came from, if it came from one. */
export function isApiRejection(error: unknown): string | undefined {
	return typeof error === "object" && error !== null ? apiRejections.get(error) : undefined;
}
