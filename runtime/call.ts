import { failure } from "./errors.ts";

/** The id of a call, as JSON-RPC allows it and JSON can carry it unchanged. */
export type Id = number | string;

export function isId(id: unknown): id is Id {
	return typeof id === "string" || Number.isSafeInteger(id);
}

/** An aborted call rejects with the BroodError it was aborted with, else as cancelled. */
export function abortError(method: string, signal: AbortSignal): Error {
	const reason: unknown = signal.reason;
	const carried = reason instanceof Error && "code" in reason && typeof reason.code === "string";
	return carried ? reason : failure("cancelled", { subject: method, cause: reason });
}
