import { failure, isBroodError, withoutHint } from "./errors.ts";
import { fromWireError, readWireError, toWireError, type WireError } from "./wire-error.ts";

/** The id of a call, as JSON-RPC allows it and JSON can carry it unchanged. */
export type Id = number | string;

export function isId(id: unknown): id is Id {
	return typeof id === "string" || Number.isSafeInteger(id);
}

/** One message that passed through a peer. */
export interface Frame {
	direction: "in" | "out";
	message: unknown;
	bytes: number;
}

export type Handler = (params: unknown, context: HandlerContext) => unknown;

export interface HandlerContext {
	/** Aborts when the caller gives up, with an `AbortError` or `TimeoutError`, or when the connection ends. */
	signal: AbortSignal;
	/** The caller's id of this call. */
	id: number | string;
}

export interface CallOptions {
	/** Aborting it cancels the call; a BroodError as its reason is what the call rejects with. */
	signal?: AbortSignal | undefined;
	/** Milliseconds until the call is given up; none when absent. */
	timeoutMs?: number | undefined;
	/** Passes the limits of waiting calls and queued bytes. */
	urgent?: boolean;
	/** Hears the id of the call as it is sent. */
	sent?: (id: number) => void;
}

/** An aborted call rejects with the BroodError it was aborted with, else as cancelled. */
export function abortError(method: string, signal: AbortSignal): Error {
	const reason: unknown = signal.reason;
	return isBroodError(reason) ? reason : failure("cancelled", { subject: method, cause: reason });
}

/** A call whose caller has given it up. */
export interface Cancel {
	id: Id;
	reason: Error;
}

/** What `$/cancel` carries; a caller that just gave up is no reason worth telling. */
export function cancelParams(id: Id, error: Error): { id: Id; error?: WireError } {
	if (!isBroodError(error) || error.cause !== undefined) return { id };
	// The stack is that of the caller's own files, and a hint is for the caller.
	const { code } = toWireError(error);
	return { id, error: { code, message: withoutHint(error), data: { name: "BroodError", code: error.code } } };
}

/** Reads a `$/cancel`; the reason has the name that other signals of the platform give it. */
export function readCancel(params: unknown): Cancel | undefined {
	const { id, error } = (params ?? {}) as { id?: unknown; error?: unknown };
	if (!isId(id)) return undefined;
	const told = readWireError(error);
	const reason = told === undefined ? failure("cancelled", { subject: "The call" }) : fromWireError(told);
	return {
		id,
		reason: Object.assign(reason, { name: isBroodError(reason, "timeout") ? "TimeoutError" : "AbortError" }),
	};
}
