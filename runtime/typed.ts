import type { CallOptions, HandlerContext, Peer } from "./peer.ts";

/** A table of methods: what each takes and gives. */
export type MethodTable<Table> = { [Name in keyof Table]: { params: unknown; result: unknown } };

/** The other side of a peer, with the names and types of its methods. */
export interface Remote<Calls extends MethodTable<Calls>, Notifications> {
	call<Name extends keyof Calls & string>(
		name: Name,
		params: Calls[Name]["params"],
		options?: CallOptions,
	): Promise<Calls[Name]["result"]>;
	notify<Name extends keyof Notifications & string>(
		name: Name,
		params: Notifications[Name],
		dropped?: () => void,
	): void;
}

/** One function a method; all of them must be there. */
export type Handlers<Calls extends MethodTable<Calls>> = {
	[Name in keyof Calls]: (
		params: Calls[Name]["params"],
		context: HandlerContext,
	) => Calls[Name]["result"] | Promise<Calls[Name]["result"]>;
};

/**
 * Types for a side that is trusted, as the host is for the child. The host does not use it to hear a child:
 * it parses each result and each parameter first.
 */
export function remote<Calls extends MethodTable<Calls>, Notifications>(peer: Peer): Remote<Calls, Notifications> {
	return {
		call: (name, params, options) => peer.call(name, params, options) as Promise<Calls[typeof name]["result"]>,
		notify: (name, params, dropped) => peer.notify(name, params, dropped),
	};
}

/** Serves every method of a table; the compiler refuses a table with one missing. */
export function serve<Calls extends MethodTable<Calls>>(peer: Peer, handlers: Handlers<Calls>): void {
	for (const [name, handler] of Object.entries(handlers)) {
		peer.handle(name, handler as (params: unknown, context: HandlerContext) => unknown);
	}
}
