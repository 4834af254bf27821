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
		try {
			return await host.call(name, params, options);
		} catch (error) {
			throw apiRejection(error, name);
		}
	};
}

/** Marks an error that a call of the API rejects with, and gives it back. */
export function apiRejection<Thrown>(error: Thrown, name: keyof ChildCalls & string): Thrown {
	if (typeof error === "object" && error !== null) apiRejections.set(error, name);
	return error;
}

/** The wire name of the API call that this error came from, if it came from one. */
export function isApiRejection(error: unknown): string | undefined {
	return typeof error === "object" && error !== null ? apiRejections.get(error) : undefined;
}
